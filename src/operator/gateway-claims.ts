import { idOf } from '../kinds/mobile-gateway/others.ts';
import type { MobileGateway } from '../kinds/mobile-gateway/schema.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { AccountResolver } from '../reconcile/account.ts';
import { type Claims, createClaims } from '../reconcile/claims.ts';
import { createIndex, type Index } from '../reconcile/indexer.ts';

/** Whose each gateway is, for MobileGateways and for the Sims that use them. */
export interface GatewayClaims {
  readonly claims: Claims<MobileGateway>;
  /** MobileGateways by the gateway that each has, or says it is to have. */
  readonly byID: Index<MobileGateway>;
  /** Whether the gateway that a status names belongs to another MobileGateway: anybody may write the status of their own. */
  isOfAnother(gateway: MobileGateway): boolean;
}

/** Make it before the informer starts. `now`: as for {@link createClaims}. */
export function createGatewayClaims(
  informer: Informer<MobileGateway>,
  accounts: AccountResolver,
  now: () => number,
): GatewayClaims {
  const claims = createClaims<MobileGateway>(
    'MobileGateway',
    accounts,
    now,
    ({ gateways }, { spec }) => gateways(spec.zone).snapshot()?.items,
  );
  const byID = createIndex(informer, (gateway) => [idOf(gateway) ?? '']);
  return {
    claims,
    byID,
    isOfAnother(gateway) {
      const id = gateway.status?.id;
      if (id === undefined) return false;
      const { zone } = gateway.spec;
      return claims.isOfAnother(
        gateway,
        id,
        byID.get(id).filter(({ spec }) => spec.zone === zone),
      );
    },
  };
}
