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

const MOST_LEVELS = 6;

/**
 * A copy of what is to be logged, with the values of members that are named like secrets replaced. The second line of
 * defence: nothing should hand a secret to the log in the first place.
 */
export function redactMembers(value: object, depth = 0): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = isSecretName(name) && isText(member) ? REDACTED : redactValue(member, depth + 1);
  }
  return copy;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || depth > MOST_LEVELS) return value;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? redactMembers(value, depth) : value;
}

/** What was found out of a name: the same few stand in each line. */
const knownNames = new Map<string, boolean>();
const MOST_KNOWN_NAMES = 1000;

function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAMES.has(name.toLowerCase().replaceAll(/[-_.]/g, ''));
  if (knownNames.size < MOST_KNOWN_NAMES) knownNames.set(name, isSecret);
  return isSecret;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

/** Text with private keys and Authorization values replaced, wherever in it they are. In linear time: lines may be long. */
export function redactText(text: string): string {
  if (!text.includes('PRIVATE KEY') && !SCHEME.test(text)) return text;
  return redactAuthorization(redactKeys(text));
}

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const KEY = 'PRIVATE KEY-----';
/** What stands before it in a label: `RSA `, `ENCRYPTED `. */
const LONGEST_LABEL_CHARACTERS = 40;

function redactKeys(text: string): string {
  let redacted = '';
  let done = 0;
  for (let begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, begin + BEGIN.length)) {
    if (begin < done || labelEnd(text, begin + BEGIN.length) === undefined) continue;
    let stop: number | undefined;
    for (
      let end = text.indexOf(END, begin);
      end >= 0 && stop === undefined;
      end = text.indexOf(END, end + END.length)
    ) {
      stop = labelEnd(text, end + END.length);
    }
    redacted += text.slice(done, begin) + REDACTED;
    done = stop ?? text.length;
  }
  return redacted + text.slice(done);
}

/** Where the label of a private key ends that starts there; undefined when it is another's. */
function labelEnd(text: string, start: number): number | undefined {
  const label = text.slice(start, start + LONGEST_LABEL_CHARACTERS);
  const key = label.indexOf(KEY);
  return key >= 0 && /^[A-Z ]*$/.test(label.slice(0, key)) ? start + key + KEY.length : undefined;
}

const SCHEME = /\b(?:Basic|Bearer|Digest)\s/;
const SCHEMES = /\b(?:Basic|Bearer|Digest)\s/g;
const SHORTEST_VALUE_CHARACTERS = 8;

function redactAuthorization(text: string): string {
  let redacted = '';
  let done = 0;
  const closing = answerEnd(text);
  for (const { 0: scheme, index } of text.matchAll(SCHEMES)) {
    if (index < done) continue;
    let start = index + scheme.length;
    while (start < text.length && text.charAt(start).trim() === '') start++;
    const value = /^[A-Za-z0-9+/=._~-]*/.exec(text.slice(start, start + LONGEST_VALUE_CHARACTERS))?.[0] ?? '';
    const end = text.startsWith('username=', start)
      ? closing(start)
      : value.length < SHORTEST_VALUE_CHARACTERS
        ? undefined
        : start + value.length;
    if (end === undefined) continue;
    redacted += `${text.slice(done, index)}${scheme.trim()} ${REDACTED}`;
    done = end;
  }
  return redacted + text.slice(done);
}

/** A token may be long; one that is longer than this is no use to anybody without its end. */
const LONGEST_VALUE_CHARACTERS = 16_384;

/** Where the response of a Digest header ends that starts there, on its line. Asked for ever later starts. */
function answerEnd(text: string): (start: number) => number | undefined {
  const next = (what: string) => {
    let at = -1;
    return (from: number): number => {
      if (at < from && at !== Number.POSITIVE_INFINITY) {
        at = text.indexOf(what, from);
        if (at < 0) at = Number.POSITIVE_INFINITY;
      }
      return at;
    };
  };
  const response = next('response=');
  const line = next('\n');
  return (start) => {
    const answer = response(start);
    if (answer === Number.POSITIVE_INFINITY || line(start) < answer) return undefined;
    const open = text.indexOf('"', answer);
    const close = open < 0 ? -1 : text.indexOf('"', open + 1);
    return close < 0 ? text.length : close + 1;
  };
}
