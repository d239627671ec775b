/** What stands in for a secret. */
const REDACTED = '[redacted]';

const SECRET_NAMES = new Set(
  [
    'authorization',
    'proxy-authorization',
    'cookie',
    'password',
    'passcode',
    'secret',
    'accesstoken',
    'accesstokensecret',
    'accesskeyid',
    'secretaccesskey',
    'token',
    'bearertoken',
    'privatekey',
    'tls.key',
    'onetimeurlsecret',
    'onetimeurlsecrets',
    'chatwebhook',
    'webhookurl',
    'slackurl',
  ].map((name) => name.replaceAll(/[-_.]/g, '')),
);

const DEPTH = 6;

/**
 * A copy of what is to be logged, with the values of members that are named like secrets replaced. The second line of
 * defence: nothing should hand a secret to the log in the first place.
 */
export function redactMembers(value: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = isSecretName(name) && isText(member) ? REDACTED : redactValue(member, depth + 1);
  }
  return copy;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || depth > DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? redactMembers({ ...value }, depth) : value;
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name.toLowerCase().replaceAll(/[-_.]/g, ''));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

const PEM_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const AUTHORIZATION = /\b(Basic|Bearer|Digest)\s+(?:username=[^\n]*?response=\\?"[^"]*"|[A-Za-z0-9+/=._~-]{8,})/g;

/** Text with private keys and Authorization values replaced, wherever in it they are. */
export function redactText(text: string): string {
  if (!text.includes('PRIVATE KEY') && !/\b(?:Basic|Bearer|Digest)\s/.test(text)) return text;
  return text.replaceAll(PEM_KEY, REDACTED).replaceAll(AUTHORIZATION, `$1 ${REDACTED}`);
}
