import { trimEndOf } from '../../text.ts';

/**
 * Nothing that is collected should hold a secret. People paste them into annotations, arguments and messages all the same,
 * and so whatever looks like one is taken out before anything is stored.
 */

/** What stands in the place of what was taken out. */
export const REMOVED = '(removed)';

/** How names of members end whose value, if it is text, is likely a secret: in lower case, without hyphens and underscores. */
const SECRET_ENDINGS = [
  'password',
  'passcode',
  'passphrase',
  'secret',
  'token',
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

/** Annotations that repeat a whole manifest. */
const WHOLE_MANIFESTS = ['kubectl.kubernetes.io/last-applied-configuration'];

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\beyJ[\w-]{8,}/g, REMOVED],
  [/\b(bearer|basic) [\w.~+/=-]{8,}/gi, `$1 ${REMOVED}`],
  // The user and password of a URL.
  [/\/\/[^/\s"'@]{1,256}@/g, `//${REMOVED}@`],
  [/(https:\/\/hooks\.slack\.com\/)[^\s"']+/g, `$1${REMOVED}`],
];

/** `--access-token=value`, `token: value`, `?signature=value`; quoted as JSON within JSON, too. What is before it says what it is. */
const VALUE = /([=:][\\"' ]{0,4})([^\s"'\\&,;}]+)/g;
/** Characters before a value in which its name is looked for. */
const NAME_LENGTH = 64;

/** A text without what looks like a secret. Pure. */
export function scrubText(text: string): string {
  return patterns
    .reduce((before, [pattern, replacement]) => before.replaceAll(pattern, replacement), withoutPrivateKeys(text))
    .replaceAll(VALUE, (all, before: string, _value: string, offset: number, whole: string) => {
      const name = trimEndOf(whole.slice(Math.max(0, offset - NAME_LENGTH), offset), (one) => '\\"\' '.includes(one));
      return isSecretName(name) ? `${before}${REMOVED}` : all;
    });
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

/** PEM, from the first line to the last; one that was cut off, to the end of the text. */
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

/** A value of JSON, all the way down, without what looks like a secret, and without what only takes up space. Pure. */
export function scrub(value: unknown): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubItem);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'managedFields' && !WHOLE_MANIFESTS.includes(name))
      .map(([name, inner]) => [name, isSecret(name, inner) ? REMOVED : scrub(inner)]),
  );
}

/** Environment variables are named and not shown: `{name, value}`. */
function scrubItem(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('name' in item) || !('value' in item)) return scrub(item);
  const { name, value } = item;
  return typeof name === 'string' && isSecret(name, value) ? { ...item, value: REMOVED } : scrub(item);
}

function isSecret(name: string, value: unknown): boolean {
  return typeof value === 'string' && value !== '' && isSecretName(name);
}

function isSecretName(name: string): boolean {
  const plain = name.replaceAll(/[-_]/g, '').toLowerCase();
  return SECRET_ENDINGS.some((ending) => plain.endsWith(ending));
}

/** The same of a log, line by line: a line of JSON stays one. Pure. */
export function scrubLog(log: string): string {
  return scrubText(log).split('\n').map(scrubLine).join('\n');
}

function scrubLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    return JSON.stringify(scrub(JSON.parse(line)));
  } catch {
    // A line that was cut off, or is no JSON: its text was looked at as such.
    return line;
  }
}
