import type { Counterpart } from '../../reconcile/counterpart.ts';
import type { Pass } from '../../reconcile/kind.ts';
import type { MobileGateway } from './schema.ts';

/** So many are remembered of those that some MobileGateway had. */
const MOST_REMEMBERED = 10_000;

/** The service may take minutes to show what was made. Milliseconds. */
const LATELY_MILLISECONDS = 600_000;

/** The lists that may show a gateway. */
interface Place {
  /** Of the account. */
  readonly identity: string;
  readonly zone: string;
}

/** Where a MobileGateway has its gateway. Pure. */
export function placeOf({ object, session }: Pick<Pass<MobileGateway>, 'object' | 'session'>): Place {
  return { identity: session.identity, zone: object.spec.zone };
}

/** A gateway of an account, and who had it first. */
interface Had extends Place {
  readonly uid: string;
  readonly id: string;
  /** Monotonic milliseconds. */
  readonly since: number;
}

/**
 * What each MobileGateway has at the service as far as this process knows: between the answer to a creation and the
 * status that tells of it, nobody else must take the gateway for the own one. And what some MobileGateway has had, which
 * nobody else has made.
 */
export function createMadeGateways() {
  const byUID = new Map<string, Counterpart>();
  const had = new Map<string, Had>();
  const keyOf = (identity: string, id: string) => `${identity} ${id}`;
  return {
    /** `at`: monotonic milliseconds. */
    note(uid: string, { id, createdAt }: Counterpart, { identity, zone, at }: Place & { readonly at: number }): void {
      byUID.set(uid, { id, createdAt });
      const key = keyOf(identity, id);
      const known = had.get(key) ?? { uid, id, identity, zone, since: at };
      had.delete(key);
      had.set(key, known);
      const [first] = had.keys();
      if (had.size > MOST_REMEMBERED && first !== undefined) had.delete(first);
    },
    /** Whether some MobileGateway has it in this account, or had it and let go of it: it is not what nobody knows of. */
    isOfSome: (identity: string, id: string): boolean => had.has(keyOf(identity, id)),
    /** Those of others in the zone that were made, or found, so lately that its list may not show them yet. */
    lately(uid: string, { identity, zone }: Place, now: number): string[] {
      const isLate = (one: Had) =>
        one.identity === identity && one.zone === zone && one.uid !== uid && now - one.since <= LATELY_MILLISECONDS;
      return [...had.values()].flatMap((one) => (isLate(one) ? [one.id] : [])).toReversed();
    },
    of: (uid: string): Counterpart | undefined => byUID.get(uid),
    drop: (uid: string): void => void byUID.delete(uid),
  };
}

/** See {@link createMadeGateways}. */
export type MadeGateways = ReturnType<typeof createMadeGateways>;
