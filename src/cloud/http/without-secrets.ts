/** Lines of a private key; shorter ones, such as its last, tell nothing. */
const SHORTEST_LINE_CHARACTERS = 16;

/**
 * Text of somebody else without these secrets, in the forms in which a server may say again what it was sent: as they are,
 * in JSON, in a URL or a form, in Base64, and of one of several lines each of them. Pure.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.flatMap(formsOf));
  // One may be a part of another: what is left of that must not stay.
  const longestFirst = [...forms].toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((rest, form) => rest.replaceAll(form, '[hidden]'), text);
}

function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const inURL = encodeURIComponent(secret.toWellFormed());
  const inForm = new URLSearchParams([['', secret]]).toString().slice(1);
  const lines = secret.includes('\n')
    ? secret.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE_CHARACTERS)
    : [];
  return [
    secret,
    json,
    json.replaceAll('/', String.raw`\/`),
    ...[inURL, inForm].flatMap((form) => [form, form.replaceAll(/%[\dA-F]{2}/g, (code) => code.toLowerCase())]),
    Buffer.from(secret).toString('base64'),
    ...lines,
  ];
}
