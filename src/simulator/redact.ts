import { createHash } from 'node:crypto';

const secretMembers = new Set([
  'PassCode',
  'Key',
  'AccessKeyID',
  'SecretAccessKey',
  'OnetimeURLSecrets',
  'chat_url',
  'slack_url',
  'chatURL',
  'key',
  'accessTokenSecret',
]);

/** A stand-in for a secret that still tells whether it is the same as another: the start of its SHA-256. */
export function secretDigest(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`;
}

/** A copy with every secret member replaced by its digest. */
export function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, secretMembers.has(name) ? hidden(member) : redacted(member)]),
  );
}

function hidden(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(hidden);
  if (typeof member === 'string') return member === '' ? '' : secretDigest(member);
  return member === null || member === undefined ? member : secretDigest(JSON.stringify(member));
}
