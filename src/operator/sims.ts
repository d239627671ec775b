import { createSimAudit } from '../kinds/sim/audit.ts';
import { createCarrierDetails } from '../kinds/sim/details.ts';
import { createSimKind } from '../kinds/sim/kind.ts';
import { createGatewayLocator } from '../kinds/sim/locate-gateway.ts';
import { createIndex } from '../reconcile/indexer.ts';
import { createManagedReconciler } from '../reconcile/managed.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import { resolveGateway } from './gateways.ts';
import { watchManaged } from './watch-managed.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** Connects Sims: to the list of SIMs of each account, and to rivals for one ICCID. */
export function wireSims(wiring: Wiring): WiredKind {
  const { informers, engine, registry, users, enqueue, clock } = wiring;
  const informer = informers.sims;
  const byICCID = createIndex(informer, (sim) => [sim.spec.iccid]);
  const details = createCarrierDetails();
  const audit = createSimAudit(wiring.random);
  const kind = createSimKind({
    clock,
    accounts: engine.accounts,
    byICCID,
    secrets: wiring.secrets,
    details,
    locator: createGatewayLocator(() => clock.monotonic()),
    gateway: (sim) => resolveGateway(wiring, sim),
  });
  const reconciler = createManagedReconciler(kind, informer, engine);

  watchManaged(wiring, {
    informer,
    reconciler,
    secretsOf: (sim) => (sim.spec.passCodeSecretRef ? [sim.spec.passCodeSecretRef.name] : []),
    onGone(sim) {
      details.drop(sim.metadata.uid);
      audit.forget(sim.metadata.uid);
      for (const rival of byICCID.get(sim.spec.iccid)) enqueue(keyOf('Sim', rival.metadata), 'change');
    },
  });
  registry.onSim((identity, iccid) => {
    const accounts = new Set(registry.accountsOf(identity));
    for (const sim of byICCID.get(iccid)) {
      if (accounts.has(users.accountOf(sim))) enqueue(keyOf('Sim', sim.metadata), 'observation');
    }
  });

  return {
    reconciler,
    informer,
    audit(interval) {
      for (const sims of Map.groupBy(informer.list(), users.accountOf).values()) {
        for (const sim of audit.due(sims, clock.monotonic(), interval)) {
          const key = keyOf('Sim', sim.metadata);
          reconciler.audit(key);
          enqueue(key, 'resync');
        }
      }
    },
  };
}
