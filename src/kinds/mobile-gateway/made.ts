import type { Counterpart } from '../../reconcile/counterpart.ts';

/** So many are remembered of those that some MobileGateway had. */
const MOST_REMEMBERED = 10_000;

/**
 * What each MobileGateway has at the service as far as this process knows: between the answer to a creation and the
 * status that tells of it, nobody else must take the gateway for the own one.
 */
export function createMadeGateways() {
  const byUID = new Map<string, Counterpart>();
  const had = new Set<string>();
  const keyOf = (identity: string, id: string) => `${identity} ${id}`;
  return {
    /** `identity`: of the account. */
    note(uid: string, { id, createdAt }: Counterpart, identity: string): void {
      byUID.set(uid, { id, createdAt });
      const key = keyOf(identity, id);
      had.delete(key);
      had.add(key);
      const [first] = had;
      if (had.size > MOST_REMEMBERED && first !== undefined) had.delete(first);
    },
    /** Whether some MobileGateway has it in this account, or had it and let go of it: it is not what nobody knows of. */
    isOfSome: (identity: string, id: string): boolean => had.has(keyOf(identity, id)),
    of: (uid: string): Counterpart | undefined => byUID.get(uid),
    drop: (uid: string): void => void byUID.delete(uid),
  };
}

/** See {@link createMadeGateways}. */
export type MadeGateways = ReturnType<typeof createMadeGateways>;
