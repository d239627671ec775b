import type { Counterpart } from '../../reconcile/counterpart.ts';

/**
 * What each MobileGateway has at the service as far as this process knows: between the answer to a creation and the
 * status that tells of it, nobody else must take the gateway for the own one.
 */
export function createMadeGateways() {
  const byUID = new Map<string, Counterpart>();
  return {
    note: (uid: string, { id, createdAt }: Counterpart): void => void byUID.set(uid, { id, createdAt }),
    of: (uid: string): Counterpart | undefined => byUID.get(uid),
    drop: (uid: string): void => void byUID.delete(uid),
  };
}

/** See {@link createMadeGateways}. */
export type MadeGateways = ReturnType<typeof createMadeGateways>;
