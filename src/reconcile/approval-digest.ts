import type { ManagedObject } from './managed-object.ts';
import type { Step } from './plan.ts';
import { SecretValue } from './secret-value.ts';
import type { AccountSession } from './session.ts';

/** Members of steps that say something about a call and are no part of it: what is not named here counts. */
const ABOUT_THE_CALL: ReadonlySet<string> = new Set([
  'fields',
  'pending',
  'because',
  'cause',
  'follows',
  'repeats',
  'silent',
  'marks',
  // Of gateways: more settings follow.
  'isInterim',
  // Of Sims: who has the address until then.
  'holder',
  // Of sites: what differed.
  'mends',
  // Of certificates: when the site was read.
  'readAt',
]);

/** Characters of a hash that people see: of a keyed digest, so that nobody can look for a plan with the hash of another. */
const HASH_CHARACTERS = 16;
/** Characters of a call's digest. */
const DIGEST_CHARACTERS = 22;

/**
 * The digest of a call: what is sent, and what it changes from what to what. Secrets count by their keyed digests. The same
 * call of a later plan has the same digest, unless it would change something else than before. Pure.
 */
export function digestOf(step: Step, { metadata }: ManagedObject, { digest }: Pick<AccountSession, 'digest'>): string {
  const call = Object.entries(step).filter(([name]) => !ABOUT_THE_CALL.has(name));
  return digest(canonical(['edgeline call', metadata.uid, Object.fromEntries(call)], digest)).slice(
    0,
    DIGEST_CHARACTERS,
  );
}

/**
 * The hash of a plan, by which a person approves it: of the calls, in their order, for one asking and one generation of the
 * spec: an old status that is put back brings the asking back, but not the generation. Pure.
 */
export function hashOfPlan(
  asking: string,
  calls: readonly string[],
  of: { readonly object: ManagedObject; readonly kind: string; readonly id: string | undefined },
  { digest }: Pick<AccountSession, 'digest'>,
): string {
  const { metadata } = of.object;
  const isDeletion = metadata.deletionTimestamp !== undefined;
  const plan = ['edgeline plan', of.kind, metadata.uid, of.id, isDeletion, metadata.generation ?? 0, asking, calls];
  const keyed = digest(canonical(plan, digest));
  return Buffer.from(keyed, 'base64url').toString('hex').slice(0, HASH_CHARACTERS);
}

/** As JSON, the members of objects in the order of their names, so that only what is said counts. */
function canonical(value: unknown, digest: (text: string) => string): string {
  const plain = (one: unknown): unknown => {
    if (one instanceof SecretValue) return { secret: digest(`edgeline secret\n${one.reveal()}`) };
    if (Array.isArray(one)) return one.map(plain);
    if (typeof one !== 'object' || one === null) return one;
    const entries = Object.entries(one).filter(([, member]) => member !== undefined);
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => [name, plain(of)]));
  };
  return JSON.stringify(plain(value));
}
