import { isSecretName, REMOVED, scrubText, scrubUnknown } from './scrub-text.ts';

/*
 * Nothing that is collected should hold a secret. People paste them into annotations, arguments and messages all the same,
 * and so whatever looks like one is taken out before anything is stored.
 */

/** Annotations that repeat a whole manifest. */
const WHOLE_MANIFESTS = ['kubectl.kubernetes.io/last-applied-configuration'];

/** A value of JSON, all the way down, without what looks like a secret, and without what only takes up space. Pure. */
export function scrub(value: unknown, ofText: (text: string) => string = scrubText): unknown {
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value)) return value.map((item, index) => scrubItem(item, value[index - 1], ofText));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'managedFields' && !WHOLE_MANIFESTS.includes(name))
      .map(([name, inner]) => [ofText(name), isSecretName(name) && isValue(inner) ? REMOVED : scrub(inner, ofText)]),
  );
}

/** Environment variables are named and not shown: `{name, value}`; and what follows a flag in a list of arguments. */
function scrubItem(item: unknown, before: unknown, ofText: (text: string) => string): unknown {
  const isFlag = typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before);
  if (isFlag && typeof item === 'string' && !item.startsWith('-') && isSecretName(before)) return REMOVED;
  if (typeof item !== 'object' || item === null || !('name' in item) || !('value' in item)) return scrub(item, ofText);
  const { name, value } = item;
  return typeof name === 'string' && isSecretName(name) && isValue(value)
    ? { ...item, value: REMOVED }
    : scrub(item, ofText);
}

/** What can be a secret: a text, a number, or several of these. What has members, as a reference, is looked into. */
function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isValue);
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** Characters of one text of an object: anybody may write an annotation as large as an object can be. */
const LONGEST_TEXT = 32 * 1024;

/** A value of JSON as a bundle has it. Pure. */
export function scrubForBundle(value: unknown): unknown {
  return scrub(value, (text) => {
    const scrubbed = scrubUnknown(text);
    const rest = scrubbed.length - LONGEST_TEXT;
    return rest > 0 ? `${scrubbed.slice(0, LONGEST_TEXT)}… (${rest} more characters)` : scrubbed;
  });
}

/**
 * The same of a log: a line of JSON stays one, and is looked at by itself, so that nothing in it takes out what follows. Pure.
 */
export function scrubLog(log: string): string {
  const lines: string[] = [];
  let plain: string[] = [];
  const endPlain = () => {
    if (plain.length > 0) lines.push(scrubUnknown(plain.join('\n')));
    plain = [];
  };
  for (const line of log.split('\n')) {
    const scrubbed = line.startsWith('{') ? scrubLine(line) : undefined;
    if (scrubbed === undefined) plain.push(line);
    else {
      endPlain();
      lines.push(scrubbed);
    }
  }
  endPlain();
  return lines.join('\n');
}

/** Undefined: a line that was cut off, is nested too deep, or is no JSON. */
function scrubLine(line: string): string | undefined {
  try {
    return JSON.stringify(scrub(JSON.parse(line), scrubUnknown));
  } catch {
    return undefined;
  }
}
