import { BEGIN_CERTIFICATE, certificatesIn, END_CERTIFICATE, trimEndOf } from '../../text.ts';

/** What stands in the place of what was taken out. */
export const REMOVED = '(removed)';

/** How names of members end whose value, if it is text, is likely a secret: in lower case, without hyphens and underscores. */
const SECRET_ENDINGS = [
  'password',
  'passwords',
  'passwd',
  'passcode',
  'passphrase',
  'pwd',
  'secret',
  'secrets',
  'token',
  'tokens',
  'privatekey',
  'accesskey',
  'accesskeyid',
  'secretkey',
  'apikey',
  'webhook',
  'webhookurl',
  'credential',
  'credentials',
  'authorization',
  'signature',
];

/** Whether a member, a flag or a variable of this name is likely to have a secret as its value. */
export function isSecretName(name: string): boolean {
  const plain = name.replaceAll(/[-_]/g, '').toLowerCase();
  return SECRET_ENDINGS.some((ending) => plain.endsWith(ending)) || /(?:^|[^a-z])pass$/i.test(name);
}

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\beyJ[\w-]{8,}/g, REMOVED],
  [/\b(bearer|basic) [\w.~+/=-]{8,}/gi, `$1 ${REMOVED}`],
  // The user and password of a URL.
  [/\/\/[^/\s"'@]{1,256}@/g, `//${REMOVED}@`],
  [/(https:\/\/hooks\.slack\.com\/)[^\s"']+/g, `$1${REMOVED}`],
  [/\bAKIA[0-9A-Z]{16}\b/g, REMOVED],
];

/** A text without what looks like a secret. Pure. */
export function scrubText(text: string): string {
  const known = patterns.reduce(
    (before, [pattern, replacement]) => before.replaceAll(pattern, replacement),
    withoutPrivateKeys(text),
  );
  return withoutValues(withoutValues(known, SEPARATOR), FLAG);
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

/** PEM, from the first line to the last; one that was cut off, to the end of the text. Pure. */
function withoutPrivateKeys(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const begin = text.indexOf(BEGIN, from);
    if (begin < 0) return kept + text.slice(from);
    const label = text.slice(begin + BEGIN.length, begin + BEGIN.length + 40).split(DASHES, 1)[0] ?? '';
    const end = text.indexOf(END, begin);
    const last = end < 0 ? -1 : text.indexOf(DASHES, end + END.length);
    const next = last < 0 ? text.length : last + DASHES.length;
    kept += text.slice(from, begin) + (label.includes('PRIVATE KEY') ? REMOVED : text.slice(begin, next));
    from = next;
  }
}

/** After a name: `token=`, `"token": `, `token := `; encoded in a URL or in JSON, too. */
const SEPARATOR = /[=:]|%3[ad]|\\u003[ad]/gi;
/** After a flag, as a word of its own or of a list: `--token value`, `["--token", "value"]`. */
const FLAG = /(?<=-[\w-]{0,63}\w)(?:[\\"',]|%2[027])?[\s,]/gi;
/** Characters before a value in which its name is looked for. */
const NAME_LENGTH = 64;
/** What may stand between a name and its value. */
const GAP = /[\s=:,>|]|\\[nt]|%20|\+(?=%22)/y;
const QUOTE = /["'`]|%2[27]/iy;
/** What ends a value that is in no quotes, with what must follow it to do so. */
const PLAIN =
  /[^\s"'\\&,;}\]%]|\\\\|%(?!2[02])|&(?![\w.-]{1,64}=)|[,;](?![\s"'\\]|$|[\w.-]{1,64}[=:])|[}\]](?![\s"'\\,;}\]]|$)/y;
/** What is no secret, whatever its name. */
const NONE: ReadonlySet<string> = new Set(['', 'true', 'false', 'null', 'none', 'undefined']);

function isNone(value: string): boolean {
  const bare = trimEndOf(value, (one) => ',;}]'.includes(one));
  // A list or an object is looked into.
  return NONE.has(bare) || '[{'.includes(bare.charAt(0)) || value.startsWith(REMOVED);
}

/** Takes out what stands after each name of a secret and one of these. */
function withoutValues(text: string, after: RegExp): string {
  let kept = '';
  let from = 0;
  for (const { 0: between, index } of text.matchAll(after)) {
    if (index < from) continue;
    const before = text.slice(Math.max(from, index - NAME_LENGTH), index).replace(/%2[027]$/i, '');
    const name = trimEndOf(before, (one) => '\\"\'` \t'.includes(one));
    if (!isSecretName(name)) continue;
    const { start, end } = valueAt(text, index + between.length, name);
    const value = text.slice(start, end);
    if (isNone(value) || (after === FLAG && value.startsWith('-'))) continue;
    kept += text.slice(from, start) + REMOVED;
    from = end;
  }
  return kept + text.slice(from);
}

/** Where a value begins and ends, without its quotes. */
function valueAt(text: string, from: number, name: string): { readonly start: number; readonly end: number } {
  const next = past(text, from, GAP, 16);
  const escaped = past(text, next, /\\/y);
  const opened = past(text, escaped, QUOTE, 1);
  if (opened > escaped)
    return { start: opened, end: closingOf(text, opened, text.slice(escaped, opened), escaped - next) };
  // Of a header, the scheme is one word and the secret another.
  if (/authorization$/i.test(name)) return { start: next, end: past(text, next, /[^\n"'\\]/y) };
  return { start: next, end: past(text, next, PLAIN) };
}

/** Where the quote is that ends the value: as often escaped as the one that began it; of what was cut off, the end of the line. */
function closingOf(text: string, start: number, quote: string, escapes: number): number {
  let looked = start;
  for (;;) {
    const at = text.indexOf(quote, looked);
    const next = at < 0 ? text.length : at;
    const line = text.slice(looked, next).indexOf('\n');
    if (line >= 0) return looked + line;
    if (at < 0) return text.length;
    let count = 0;
    while (at - count > start && text.charAt(at - count - 1) === '\\') count++;
    // One that is escaped less ends a text around this one.
    if (count <= escapes) return at - count;
    looked = at + quote.length;
  }
}

/** The place after all that a sticky expression matches, one after another. */
function past(text: string, from: number, expression: RegExp, most = Number.POSITIVE_INFINITY): number {
  let at = from;
  for (let count = 0; count < most; count++) {
    expression.lastIndex = at;
    const [found] = expression.exec(text) ?? [];
    if (!found) break;
    at += found.length;
  }
  return at;
}

const RUN = /[A-Za-z0-9+_-]+/g;
/** Characters of a word that nobody would write by hand. */
const LONG = 24;
/** How tokens of services that many use begin. */
const PREFIXES = ['ghp_', 'gho_', 'ghs_', 'ghu_', 'github_pat_', 'glpat-', 'xoxb-', 'xoxp-', 'sk_live_'];

/**
 * The same, and without what only a machine writes: long words of capitals, small letters and digits, as tokens and base64 are.
 * IDs, names and digests have no capitals. Certificates are public. Pure.
 */
export function scrubUnknown(text: string): string {
  const scrubbed = scrubText(text);
  let shown = '';
  let from = 0;
  for (const block of certificatesIn(scrubbed).filter((one) => one.endsWith(END_CERTIFICATE))) {
    const begin = scrubbed.indexOf(block, from);
    const body = block.slice(BEGIN_CERTIFICATE.length, -END_CERTIFICATE.length);
    // Of anything else it only has the name.
    const isCertificate = /^[A-Za-z0-9+/=\s\\]*$/.test(body);
    shown += withoutRuns(scrubbed.slice(from, begin)) + BEGIN_CERTIFICATE;
    shown += (isCertificate ? body : withoutRuns(body)) + END_CERTIFICATE;
    from = begin + block.length;
  }
  return shown + withoutRuns(scrubbed.slice(from));
}

function withoutRuns(text: string): string {
  return text.replaceAll(RUN, (run) => (isToken(run) ? REMOVED : run));
}

function isToken(run: string): boolean {
  if (run.length < LONG) return false;
  if (PREFIXES.some((prefix) => run.startsWith(prefix))) return true;
  // `MobileGateway113300000017` is a name and a number.
  const words = trimEndOf(run, (one) => one >= '0' && one <= '9');
  return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(words));
}
