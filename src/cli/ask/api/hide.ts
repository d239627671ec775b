import { scrub } from '../../support/scrub.ts';
import { REMOVED } from '../../support/scrub-text.ts';

/**
 * How names of members end whose value is a secret of the service (`api.md`), or may be one of what it does not show:
 * lower case, without hyphens and underscores. What a support bundle takes out is hidden, too.
 */
const ENDINGS = [
  'key',
  'keyid',
  'secret',
  'secrets',
  'token',
  'tokens',
  'password',
  'passcode',
  'pass',
  'psk',
  'vncfile',
];
/** A webhook is one by its URL alone. */
const WEBHOOKS = ['chaturl', 'slackurl', 'webhookurl', 'webhook'];
const PUBLIC = /public|idempotency/i;

/** JSON without its secrets. Pure. */
export function hidden(value: object): object {
  return Object(scrub(hideNamed(value)));
}

/** The values that {@link hidden} takes out of what is sent, for the service may repeat them in an error. Pure. */
export function secretsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    !Array.isArray(value) && isSecretName(name) ? textsOf(inner) : secretsOf(inner),
  );
}

function hideNamed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideNamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && textsOf(inner).length > 0 ? REMOVED : hideNamed(inner),
    ]),
  );
}

function isSecretName(name: string): boolean {
  const plain = name.replaceAll(/[-_]/g, '').toLowerCase();
  return !PUBLIC.test(plain) && [...ENDINGS, ...WEBHOOKS].some((ending) => plain.endsWith(ending));
}

/** All that a secret may consist of: what is empty, as after it was removed, shows. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
