import type { Sim } from '../kinds/sim/schema.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { AccountResolver } from '../reconcile/account.ts';
import { type Claims, createClaims } from '../reconcile/claims.ts';
import { createHolders, type Holders } from './holders.ts';

/** Whose each SIM is, for Sims and for whoever shows what a SIM does. */
export interface SimClaims {
  readonly claims: Claims<Sim>;
  readonly holders: Holders<Sim>;
}

/** Make it before the informer starts. `now`: as for {@link createClaims}. */
export function createSimClaims(informer: Informer<Sim>, accounts: AccountResolver, now: () => number): SimClaims {
  const claims = createClaims<Sim>('Sim', accounts, now, ({ sims }) => sims.snapshot()?.items);
  return { claims, holders: createHolders('Sim', informer, claims) };
}
