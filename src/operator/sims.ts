import { type DetailRate, detailRates } from '../kinds/common/turns.ts';
import { namesCarriers, recordedCarriers } from '../kinds/sim/details.ts';
import { simDrift } from '../kinds/sim/drift-table.ts';
import { createSimKind } from '../kinds/sim/kind.ts';
import { createGatewayLocator } from '../kinds/sim/locate-gateway.ts';
import { createPlaces } from '../kinds/sim/places.ts';
import type { Sim } from '../kinds/sim/schema.ts';
import { findCondition } from '../reconcile/conditions.ts';
import { createIndex } from '../reconcile/indexer.ts';
import { createKnowledge } from '../reconcile/knowledge.ts';
import { createManagedReconciler } from '../reconcile/managed.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import { isStatusOfAnother } from '../reconcile/restored.ts';
import { createDetailTurns, lookAtAll } from './detail-turns.ts';
import { resolveGateway } from './gateways.ts';
import { simFigures } from './metrics/figures.ts';
import { fleetSource } from './metrics/fleet.ts';
import { createSimRates } from './sim-rates.ts';
import { lookWhereShown, watchLists } from './watch-lists.ts';
import { watchManaged } from './watch-managed.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** So many who wait for one another's addresses look at once when one of them changes; all others do so within half a minute. */
const MOST_TOLD = 32;

/** Connects Sims: to the list of SIMs of each account, and to rivals for one ICCID. */
export function wireSims(wiring: Wiring): WiredKind {
  const { informers, engine, registry, metrics, enqueue, clock } = wiring;
  const informer = informers.of.Sim;
  const byICCID = createIndex(informer, (sim) => [sim.spec.iccid]);
  const byID = createIndex(informer, (sim) => (sim.status?.id === undefined ? [] : [sim.status.id]));
  const byAddress = createIndex(informer, (sim) => (sim.spec.ipAddress === undefined ? [] : [sim.spec.ipAddress]));
  const { claims, holders } = wiring.sims;
  const details = createKnowledge(clock, recordedCarriers);
  const places = createPlaces();
  const turns = (rate: DetailRate) =>
    createDetailTurns<Sim>(wiring, {
      holders,
      read: lookAtAll(wiring, () => reconciler),
      rate,
      requests: () => 1,
      known: details.known,
    });
  const owned = turns(detailRates.carriers);
  const unowned = turns(detailRates.otherCarriers);
  const rates = wiring.simRates ? createSimRates(wiring) : undefined;
  const kind = createSimKind({
    clock,
    accounts: engine.accounts,
    claims,
    losses: wiring.losses,
    byICCID,
    byID,
    byWantedAddress: byAddress,
    places,
    secrets: wiring.secrets,
    details,
    locator: createGatewayLocator(() => clock.monotonic()),
    gateway: (sim) => resolveGateway(wiring, sim),
  });
  const reconciler = createManagedReconciler(kind, informer, engine);

  watchManaged(wiring, {
    informer,
    reconciler,
    secretsOf: kind.secretsOf,
    rivalsOf: (sim) => byICCID.get(sim.spec.iccid),
    onGone(sim) {
      claims.drop(sim.metadata.uid);
      places.drop(sim.metadata.uid);
      details.drop(sim.metadata.uid);
      owned.forget(sim.metadata.uid);
      unowned.forget(sim.metadata.uid);
      rates?.forget(sim.metadata.uid);
    },
  });
  informer.onChange(({ old, new: current }) => {
    if (old && current && addressIntent(old) === addressIntent(current)) return;
    // Whoever is to get the address it has, or had, has its turn, or sees that there is a circle to be broken; and so does who
    // waits for that one, for a circle is broken by one alone.
    const addresses = new Set([old?.status?.ip, current?.status?.ip]);
    let told = 0;
    for (const address of addresses) {
      for (const sim of address === undefined ? [] : byAddress.get(address)) {
        if (told === MOST_TOLD || sim.status?.ip === address) continue;
        enqueue(keyOf('Sim', sim.metadata), 'change');
        addresses.add(sim.status?.ip);
        told++;
      }
    }
  });
  registry.onSim((identity, iccid) => lookWhereShown(wiring, 'Sim', identity, byICCID.get(iccid)));

  registry.onList({ sims: watchLists(wiring, 'Sim', byID, simDrift) });
  metrics.ask(
    fleetSource(wiring, 'sim', informer, {
      list: 'sims',
      holders,
      figuresOf: simFigures,
      more(show, sim, account) {
        const { metadata, spec } = sim;
        const { namespace = '', name } = metadata;
        const gateway = spec.gatewayRef?.name ?? '';
        const iccid = wiring.resourceMetrics === 'iccid' ? spec.iccid : '';
        show('edgeline_sim_info', { namespace, name, account, gateway, iccid }, 1);
        const rate = rates?.of(sim);
        if (!rate) return;
        show('edgeline_sim_uplink_bytes_per_second', { namespace, name }, rate.uplink);
        show('edgeline_sim_downlink_bytes_per_second', { namespace, name }, rate.downlink);
      },
    }),
  );

  return {
    reconciler,
    informer,
    audit() {
      const { named = [], unnamed = [] } = Object.groupBy(informer.list(), (sim) =>
        namesCarriers(sim) ? 'named' : 'unnamed',
      );
      owned.take(named);
      unowned.take(unnamed);
      rates?.take(informer.list());
    },
  };
}

/** What others who wait for its address look at. */
function addressIntent(sim: Sim): string {
  const { metadata, spec, status } = sim;
  const { deletionTimestamp, annotations } = metadata;
  const synced = findCondition(status?.conditions, 'Synced');
  return JSON.stringify([
    // Nobody gives up a place before the others of its circle say that they wait.
    synced?.reason,
    synced?.observedGeneration,
    isStatusOfAnother(sim),
    status?.ip,
    status?.gatewayID,
    spec.ipAddress,
    spec.gatewayRef?.name,
    deletionTimestamp,
    annotations,
  ]);
}
