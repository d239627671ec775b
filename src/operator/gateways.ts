import { isDeepStrictEqual } from 'node:util';
import { AccountReason } from '../kinds/cloud-account/reasons.ts';
import { detailRates } from '../kinds/common/turns.ts';
import {
  createDetailsReader,
  gatewayDetailRequests,
  RESEND_DNS_MILLISECONDS,
} from '../kinds/mobile-gateway/details.ts';
import { gatewayDrift } from '../kinds/mobile-gateway/drift-table.ts';
import { gatewayKey, type SettingsInEffect } from '../kinds/mobile-gateway/effect.ts';
import { createGatewayKind } from '../kinds/mobile-gateway/kind.ts';
import { createMadeGateways } from '../kinds/mobile-gateway/made.ts';
import { GatewayReason } from '../kinds/mobile-gateway/reasons.ts';
import { gatewaysOf } from '../kinds/mobile-gateway/registered.ts';
import type { MobileGateway } from '../kinds/mobile-gateway/schema.ts';
import type { GatewayApplied } from '../kinds/mobile-gateway/status-schema.ts';
import { isSame } from '../kinds/mobile-gateway/whole-settings.ts';
import type { GatewayAddress } from '../kinds/sim/facts.ts';
import { type SimHold, SimReason } from '../kinds/sim/reasons.ts';
import type { Sim } from '../kinds/sim/schema.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { Annotation } from '../reconcile/annotations.ts';
import { findCondition } from '../reconcile/conditions.ts';
import { createIndex } from '../reconcile/indexer.ts';
import { createManagedReconciler } from '../reconcile/managed.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import { isStatusOfAnother } from '../reconcile/restored.ts';
import type { AccountSession } from '../reconcile/session.ts';
import { createDetailTurns, lookAtAll } from './detail-turns.ts';
import type { GatewayClaims } from './gateway-claims.ts';
import { createHolders } from './holders.ts';
import { gatewayFigures } from './metrics/figures.ts';
import { fleetSource } from './metrics/fleet.ts';
import { lookWhereShown, watchLists } from './watch-lists.ts';
import { watchManaged } from './watch-managed.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** What was read of a gateway in turn tells of now for so long. Milliseconds. */
const DETAILS_STALE_MILLISECONDS = 2 * 3_600_000;
/** A gateway's count of SIMs may lag behind its Sims by this much. Milliseconds. */
const COUNT_LAG_MILLISECONDS = 10_000;

const NOT_SHOWN: ReadonlySet<string> = new Set([
  AccountReason.ManyMissing,
  AccountReason.NotTheSame,
  GatewayReason.NotShownYet,
  GatewayReason.CreationAmbiguous,
  GatewayReason.AlreadyManaged,
  GatewayReason.MayBeAnothers,
  GatewayReason.ResourceIDNotFound,
]);

/** Connects MobileGateways: to the list of gateways of each zone, and to the Sims that use them. */
export function wireGateways(wiring: Wiring): WiredKind {
  const { informers, engine, registry, metrics, clock, enqueue, enqueueAfter } = wiring;
  const informer = informers.of.MobileGateway;
  const { claims, byID } = wiring.gateways;
  const holders = createHolders('MobileGateway', informer, claims);
  const resend = RESEND_DNS_MILLISECONDS / wiring.detailPace;
  const details = createDetailsReader(wiring.clock, wiring.settingsInEffect, resend);
  const made = createMadeGateways();
  const kind = createGatewayKind({
    clock: wiring.clock,
    accounts: engine.accounts,
    claims,
    losses: wiring.losses,
    secrets: wiring.secrets,
    details,
    made,
    gateways: () => informer.list(),
    sim: (namespace, name) => informers.of.Sim.get(namespace, name),
    sims: (namespace) => informers.of.Sim.byNamespace(namespace),
  });
  const reconciler = createManagedReconciler(kind, informer, engine);
  const turns = createDetailTurns<MobileGateway>(wiring, {
    holders,
    read: lookAtAll(wiring, () => reconciler),
    rate: detailRates.gateways,
    requests: (dialect) => gatewayDetailRequests[dialect],
    known: details.last,
  });
  const simsByGateway = createIndex(informers.of.Sim, (sim) =>
    sim.spec.gatewayRef ? [`${sim.metadata.namespace}/${sim.spec.gatewayRef.name}`] : [],
  );

  watchManaged(wiring, {
    informer,
    reconciler,
    secretsOf: kind.secretsOf,
    rivalsOf: (gateway) => [gateway.status?.id, gateway.spec.resourceID].flatMap((id) => (id ? byID.get(id) : [])),
    onGone({ metadata }) {
      claims.drop(metadata.uid);
      details.drop(metadata.uid);
      made.drop(metadata.uid);
      turns.forget(metadata.uid);
    },
  });
  registry.onGateway((identity, id) => lookWhereShown(wiring, 'MobileGateway', identity, byID.get(id)));
  registry.onList({ gateways: watchLists(wiring, 'MobileGateway', byID, gatewayDrift) });
  metrics.ask(
    fleetSource(wiring, 'gateway', informer, {
      list: 'gateways',
      holders,
      figuresOf(object, gateway) {
        const last = details.last(object, gateway.id);
        const isRecent = last && clock.monotonic() - last.trafficAt < DETAILS_STALE_MILLISECONDS;
        return gatewayFigures(gateway, isRecent ? last.details : undefined);
      },
    }),
  );
  informer.onChange(({ old, new: current }) => {
    const gateway = current ?? old;
    if (!gateway || (old && current && isSameToSims(old, current))) return;
    for (const sim of simsByGateway.get(`${gateway.metadata.namespace}/${gateway.metadata.name}`)) {
      enqueue(keyOf('Sim', sim.metadata), 'change');
    }
  });
  informers.of.Sim.onChange(({ old, new: current }) => {
    const sim = current ?? old;
    if (!sim || (old && current && isSameToGateways(old, current))) return;
    for (const gateway of informer.byNamespace(sim.metadata.namespace ?? '')) {
      const key = keyOf('MobileGateway', gateway.metadata);
      const isRouted = gateway.spec.simRoutes?.some((route) => route.simRef.name === sim.metadata.name);
      const isConcerned = [old, current].some((one) => one && concerns(one, gateway));
      if (isRouted || (isConcerned && gateway.metadata.deletionTimestamp)) enqueue(key, 'change');
      else if (isConcerned) {
        reconciler.audit(key);
        enqueueAfter(key, COUNT_LAG_MILLISECONDS);
      }
    }
  });

  return { reconciler, informer, audit: () => turns.take(informer.list()) };
}

function isSameToSims(a: MobileGateway, b: MobileGateway): boolean {
  return (
    a.status?.id === b.status?.id &&
    a.status?.availability === b.status?.availability &&
    a.status?.configPending === b.status?.configPending &&
    isInDoubt(a) === isInDoubt(b) &&
    stalledBy(a) === stalledBy(b) &&
    isDeepStrictEqual(a.spec.privateInterface, b.spec.privateInterface) &&
    a.metadata.deletionTimestamp === b.metadata.deletionTimestamp
  );
}

/** Why it does not go on by itself; undefined: it does, or nothing is left to do. */
function stalledBy({ status }: MobileGateway): string | undefined {
  const stalled = findCondition(status?.conditions, 'Stalled');
  return stalled?.status === 'True' ? stalled.reason : undefined;
}

/**
 * The account does not show the gateway, shows another under its ID, or another resource has it: it may not show it yet, or
 * a person has to say what became of it. Until then the rest of its status is from before; or it is a copy, and says
 * nothing of this gateway.
 */
function isInDoubt(gateway: MobileGateway): boolean {
  const reason = findCondition(gateway.status?.conditions, 'Synced')?.reason;
  return isStatusOfAnother(gateway) || (reason !== undefined && NOT_SHOWN.has(reason));
}

/** The Sim names the gateway, or is registered with it. */
function concerns(sim: Sim, { metadata, status }: MobileGateway): boolean {
  return (
    sim.spec.gatewayRef?.name === metadata.name || (status?.id !== undefined && gatewaysOf(sim).includes(status.id))
  );
}

function isSameToGateways(a: Sim, b: Sim): boolean {
  return (
    a.status?.id === b.status?.id &&
    isStatusOfAnother(a) === isStatusOfAnother(b) &&
    isDeepStrictEqual(gatewaysOf(a), gatewaysOf(b)) &&
    a.status?.registered === b.status?.registered &&
    a.spec.gatewayRef?.name === b.spec.gatewayRef?.name
  );
}

/** The part of the wiring that finds a Sim's gateway. */
export interface GatewayLookup {
  readonly informers: { readonly of: { readonly MobileGateway: Pick<Informer<MobileGateway>, 'get'> } };
  readonly users: Pick<Wiring['users'], 'accountOf'>;
  readonly gateways: Pick<GatewayClaims, 'isOfAnother'>;
  readonly registry: { readonly get: (account: string) => Pick<AccountSession, 'identity'> | undefined };
  readonly settingsInEffect: Pick<SettingsInEffect, 'privateInterfaceOf'>;
}

/** The network that SIMs come into is the one of the spec, also while other settings wait to take effect. */
function hasItsNetwork({ registry, users, settingsInEffect }: GatewayLookup, gateway: MobileGateway): boolean {
  const { spec, status } = gateway;
  const session = registry.get(users.accountOf(gateway));
  const inEffect = session && settingsInEffect.privateInterfaceOf(gatewayKey(session, status?.id ?? ''));
  if (inEffect === undefined) return false;
  const applied: GatewayApplied = status?.applied ?? {};
  if (spec.privateInterface === undefined) return applied.privateInterface === undefined;
  return isSame(spec.privateInterface, inEffect);
}

/** The gateway a Sim's `gatewayRef` names, as soon as SIMs can be registered with it. */
export function resolveGateway(lookup: GatewayLookup, sim: Sim): GatewayAddress | { readonly hold: SimHold } {
  const { informers, users, gateways } = lookup;
  const namespace = sim.metadata.namespace ?? '';
  const name = sim.spec.gatewayRef?.name ?? '';
  const gateway = informers.of.MobileGateway.get(namespace, name);
  const waiting = (reason: SimReason, message: string) => ({ hold: { state: 'Waiting', reason, message } as const });
  if (!gateway) {
    return waiting(
      SimReason.GatewayNotFound,
      `There is no MobileGateway ${name} in namespace ${namespace}. Create it, or correct gatewayRef.`,
    );
  }
  if (users.accountOf(gateway) !== users.accountOf(sim)) {
    return {
      hold: {
        state: 'Stalled',
        reason: SimReason.GatewayInOtherAccount,
        message: `The MobileGateway ${name} lives in another account than the SIM. Use a gateway of the same account.`,
      },
    };
  }
  if (gateway.metadata.deletionTimestamp) {
    return waiting(
      SimReason.GatewayNotReady,
      `The MobileGateway ${name} is being deleted, which waits until no Sim is registered with it. Name another gateway, or remove gatewayRef and ipAddress; a SIM that its Sim found on the gateway stays there until ${Annotation.releaseSims} of the MobileGateway is "true".`,
    );
  }
  const { id, availability, configPending } = gateway.status ?? {};
  const isAvailable = id !== undefined && availability?.toLowerCase() === 'available';
  const isReady = isAvailable && (!configPending || hasItsNetwork(lookup, gateway));
  if (!isReady || isInDoubt(gateway) || gateways.isOfAnother(gateway)) {
    const stalled = stalledBy(gateway);
    if (stalled !== undefined) {
      return waiting(
        SimReason.GatewayNotReady,
        `The MobileGateway ${name} is not ready for SIMs, and waits for a person (${stalled}): see its conditions.`,
      );
    }
    const message = `The MobileGateway ${name} is not ready for SIMs yet; see its conditions.`;
    return { hold: { state: 'Waiting', reason: SimReason.GatewayNotReady, message, isProgress: true } };
  }
  const applied: GatewayApplied = gateway.status?.applied ?? {};
  return { id, zone: gateway.spec.zone, inner: gateway.spec.privateInterface ?? applied.privateInterface };
}
