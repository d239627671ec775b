import type { Clock } from '../../clock.ts';
import type { Gateway } from '../../cloud/gateway/types.ts';
import { zones } from '../../cloud/zones.ts';
import { holdIncomplete, holdUnclear, mayStillShow, staysIncomplete } from '../../reconcile/absence.ts';
import { Annotation, markOf } from '../../reconcile/annotations.ts';
import type { Claims } from '../../reconcile/claims.ts';
import { findCondition } from '../../reconcile/conditions.ts';
import { recordedCounterpart } from '../../reconcile/counterpart.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import type { Gathered, Pass } from '../../reconcile/kind.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import { pendingOn } from '../../reconcile/restored.ts';
import type { Losses } from '../cloud-account/losses.ts';
import { createRecorded } from '../cloud-account/recorded.ts';
import { claimOf } from './claims.ts';
import { type DesireSources, desire, isOn, recordOf } from './desire.ts';
import { type DetailsReader, simsOn } from './details.ts';
import { gatewayKey } from './effect.ts';
import type { GatewayDetails, GatewayFacts, GatewayMarks } from './facts.ts';
import {
  type FoundGateway,
  findGateway,
  holdAnothers,
  holdOtherGateway,
  holdRenamed,
  isMadeBy,
  isMeantBy,
  isTheGateway,
  wasAskedOf,
} from './find.ts';
import { placeOf } from './made.ts';
import { holdMayBeAnothers, intentOf, mayBeMadeBy, nameOf } from './makers.ts';
import { claimedIDs, contendersFor, makerBefore, type Others, rivalsFor, unexplained } from './others.ts';
import { isFailed, isGatewayToBeCreated, ON_ITS_WAY_RETRY_SECONDS } from './plan.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import type { MobileGateway } from './schema.ts';
import { explainZone, isUnknownZone } from './unknown-zone.ts';

const recorded = createRecorded<MobileGateway, Gateway>({
  what: 'gateway',
  read: ({ object, session, call }, id) => session.client.gateways.read(object.spec.zone, id, call('verify')),
  isSame: isTheGateway,
  isMeant: isMeantBy,
  holdOther: holdOtherGateway,
});

/** What gathering for gateways reads from. */
export interface GatewaySources extends Others, DesireSources {
  readonly clock: Clock;
  readonly claims: Claims<MobileGateway>;
  readonly details: DetailsReader;
  readonly losses: Losses;
}

/** Reads all a gateway's plan follows from. */
export async function gatherGateway(
  pass: Pass<MobileGateway>,
  sources: GatewaySources,
): Promise<Gathered<GatewayFacts, GatewayHold['reason']>> {
  const { object, session, progress } = pass;
  const marks: GatewayMarks = progress.marks;
  const access = sources.losses.access(object, session);
  if (access) return { hold: access };
  const mayExist = !isNew(pass, marks);
  // What is to be made is decided without a list, and then looked at.
  const isLookedFor = mayExist || (pass.creationDecided && isGatewayToBeCreated(object));
  if (!isLookedFor || (pass.deleting && (await isInNoZone(pass)))) {
    return { facts: await factsOf(pass, sources, undefined, []) };
  }

  const { zone } = object.spec;
  const list = session.gateways(zone);
  const look = (monotonic: number) => ({
    until: observationAfter(list, monotonic, sources.clock, pass.call('verify')).catch((error: unknown) => {
      throw explainZone(error, zone);
    }),
  });
  const snapshot = list.snapshot();
  if (!snapshot || snapshot.startedAt <= pass.notBefore) {
    // Before the first list nothing was done that a list has to confirm; but a Secret may have another webhook by now.
    const unchanged = !snapshot && object.spec.trafficMonitoring?.chatWebhookSecretRef === undefined;
    return { ...look(pass.notBefore), unchanged };
  }
  // What is there now is put on record, to be told from what is made then.
  if (!mayExist) {
    // It takes no whole list to tell what it shows from what is made then.
    if (!snapshot.complete && !staysIncomplete(snapshot)) return look(snapshot.startedAt);
    return { facts: await factsOf(pass, sources, undefined, snapshot.items.values()) };
  }
  const known = await recorded.find(pass, sources.losses, snapshot);
  if ('hold' in known) return known;
  const isKnown = known.item !== undefined || (pass.deleting && progress.id !== undefined && !known.anothers);
  const judge = { sealer: session, now: pass.clusterNow };
  const ofOthers = claimedIDs(object, judge, snapshot.items, sources);
  const search = findGateway(
    object,
    {
      creation: marks.creation,
      until: pass.unclearUntil,
      forgotten: nameOf(object),
      ...ofOthers,
      rivals: rivalsFor(object, marks.creation, session.identity, sources),
    },
    snapshot.items,
  );
  const found: FoundGateway = isKnown ? known : search;
  if ('hold' in found) return found;
  if (found.renounced) return { facts: await factsOf(pass, sources, undefined, snapshot.items.values()) };
  const maker = found.item && makerBefore(object, found.item, judge, sources);
  if (found.item && maker) return { hold: holdMayBeAnothers(object, found.item, maker) };
  const changedAt = found.item ? session.changes.at(found.item.id) : Number.NEGATIVE_INFINITY;
  // Another resource was here before, and what it did to the gateway the list does not show yet.
  if (snapshot.startedAt <= changedAt) return look(changedAt);
  const isStale = sources.clock.monotonic() - snapshot.startedAt >= (ON_ITS_WAY_RETRY_SECONDS - 1) * 1000;
  const { item } = found;
  if (!item) {
    // Without an intent on record nothing was asked for.
    if (marks.creation && mayStillShow(pass, sources.clock.monotonic())) {
      return isStale ? look(snapshot.startedAt) : { hold: holdUnclear(`the gateway "${marks.creation.name}"`, pass) };
    }
    const absentNotBefore = Math.max(pass.absentNotBefore, marks.creation ? (pass.shownFrom?.monotonic ?? 0) : 0);
    if (snapshot.startedAt <= absentNotBefore || !snapshot.complete) {
      if (snapshot.startedAt > absentNotBefore && staysIncomplete(snapshot) && !isStale) {
        return { hold: holdIncomplete(`gateways in zone ${zone}`) };
      }
      return look(Math.max(absentNotBefore, snapshot.startedAt));
    }
    const renamed =
      pass.creationUnclear &&
      holdRenamed(object, marks.creation, unexplained(pass, ofOthers, judge, snapshot.items, sources));
    if (renamed) return { hold: renamed };
    if (progress.id !== undefined && pass.justCreated) {
      return isStale ? look(snapshot.startedAt) : { hold: holdNotShownYet(progress.id) };
    }
    if (object.spec.resourceID !== undefined && !pass.deleting) return { hold: holdResourceIDNotFound(object) };
    if (known.anothers && !pass.deleting) return { hold: holdAnothers(object, known.anothers) };
    // What a copy of a status names is not this one's to lose.
    const own = known.anothers ? { ...pass, progress: { ...progress, id: undefined } } : pass;
    const doubt = recorded.doubtOf(own, sources.losses);
    if (doubt) return { hold: doubt };
  }
  const counterpart = item ?? (known.anothers ? undefined : recordedCounterpart(object, progress.id));
  const gateways = () => (item ? contendersFor(object, item, judge, sources) : sources.gateways());
  const claim = counterpart && claimOf(object, counterpart, session, { ...sources, gateways });
  // With a copy of another's status for its own, what it had may still be there under its name.
  if (claim) return progress.restoredFrom !== undefined && 'hold' in search ? search : { hold: claim };
  // What a copy of a status names is not known to be this one's.
  if (item && progress.restoredFrom === undefined)
    sources.made.note(object.metadata.uid, item, { ...placeOf(pass), at: sources.clock.monotonic() });
  if (item && isStale && isOnItsWay(item)) return look(snapshot.startedAt);
  return {
    facts: await factsOf(pass, sources, item && (await sources.details.current(pass, item)), snapshot.items.values()),
  };
}

/** Nothing was ever asked of the service for this resource. */
function isNew(pass: Pass<MobileGateway>, marks: GatewayMarks): boolean {
  const { object, progress, deleting } = pass;
  const isUnknown = progress.id === undefined && object.spec.resourceID === undefined && marks.creation === undefined;
  return isUnknown && ownFinalizer(object) === undefined && !deleting;
}

/** A zone that does not exist holds nothing, and must not hold up the deletion of a resource with a typing error. */
async function isInNoZone(pass: Pass<MobileGateway>): Promise<boolean> {
  const { object, progress, session } = pass;
  const { zone } = object.spec;
  if (progress.id !== undefined || zones.some((known) => known === zone)) return false;
  try {
    await session.client.gateways.list(zone, { from: 0, count: 1 }, pass.call('verify'));
    return false;
  } catch (error) {
    if (isUnknownZone(error, zone)) return true;
    throw error;
  }
}

function isOnItsWay(gateway: Gateway): boolean {
  const availability = gateway.availability.toLowerCase();
  return (
    (availability !== 'available' && availability !== 'failed') || gateway.instanceStatus?.toLowerCase() === 'cleaning'
  );
}

async function factsOf(
  pass: Pass<MobileGateway>,
  sources: GatewaySources,
  observed: Gateway | undefined,
  items: Iterable<Gateway>,
): Promise<GatewayFacts> {
  const { progress, session } = pass;
  const isAvailable = observed?.availability.toLowerCase() === 'available';
  const details: GatewayDetails = isAvailable
    ? await currentDetails(pass, sources, observed.id)
    : await detailsOfUnavailable(pass, observed);
  const ownership = progress.ownership ?? (isOwnWork(pass, observed) ? 'Created' : 'Adopted');
  return {
    desired: await desire(pass, sources, observed, details),
    applied: progress.applied,
    found: progress.found,
    pending: pendingOn(progress, ownership),
    marks: progress.marks,
    observed,
    inEffect:
      observed && sources.details.inEffect.of(gatewayKey(session, observed.id), observed, isConfigPending(progress)),
    wasUp: wasUp(pass.object, observed),
    details,
    ownership,
    dialect: session.dialect,
    resendsDNS: isAvailable && session.dialect === 'Documented' && isDNSDoubtful(pass, sources.details, observed.id),
    ...(!observed && { intent: intentFor(pass, sources, items) }),
    now: pass.clusterNow,
  };
}

function isConfigPending({ marks }: Pass<MobileGateway>['progress']): boolean {
  const { configPending }: GatewayMarks = marks;
  return configPending === true;
}

function intentFor(pass: Pass<MobileGateway>, sources: GatewaySources, items: Iterable<Gateway>) {
  const { object, session, clusterNow } = pass;
  const unshown = sources.made.lately(object.metadata.uid, placeOf(pass), sources.clock.monotonic());
  return intentOf(object, { sealer: session, now: clusterNow }, [...items], unshown);
}

/** The status remembers it, for what conditions say of it gives way to whatever is the matter next. */
function wasUp({ status }: MobileGateway, observed: Gateway | undefined): boolean {
  if (status?.id !== observed?.id) return false;
  const told = findCondition(status?.conditions, 'Ready')?.reason === GatewayReason.Stopped;
  return status?.wasUp === true || told || status?.instanceStatus?.toLowerCase() === 'up';
}

function isDNSDoubtful({ object, progress }: Pass<MobileGateway>, details: DetailsReader, id: string): boolean {
  const asked = markOf(object, Annotation.reconcileAt);
  return details.isDNSOld(object, id) || (asked !== undefined && asked !== progress.marks.lastHandledReconcileAt);
}

/**
 * What is there may be what this resource asked for, and was made while that was under way. By another name it is so only where
 * a person was asked and says so: others make gateways, too.
 */
function isOwnWork({ object, progress, unclearUntil }: Pass<MobileGateway>, observed: Gateway | undefined): boolean {
  const { creation }: GatewayMarks = progress.marks;
  if (creation === undefined || observed === undefined) return creation !== undefined;
  if (observed.name !== creation.name && !wasAskedOf(object, observed)) return false;
  return mayBeMadeBy(creation, observed) && isMadeBy(observed, unclearUntil);
}

/** Where it is to be deleted: with one that is being moved, say, its SIMs would go. One that failed never had any. */
async function detailsOfUnavailable(pass: Pass<MobileGateway>, observed: Gateway | undefined): Promise<GatewayDetails> {
  if (!observed || !pass.deleting || isFailed(observed)) return {};
  return { sims: await simsOn(pass, observed.id, pass.call('verify')) };
}

/** The details, read anew when a Sim with a route has come or gone since they were read. */
function currentDetails(pass: Pass<MobileGateway>, sources: GatewaySources, id: string): Promise<GatewayDetails> {
  const { metadata, spec } = pass.object;
  return sources.details.details(pass, id, (details) =>
    (spec.simRoutes ?? []).some(({ simRef }) => {
      const status = recordOf(sources.sim(metadata.namespace ?? '', simRef.name));
      return status?.id !== undefined && isOn(status, id) !== isListed(details, status.id);
    }),
  );
}

function isListed({ sims }: GatewayDetails, simID: string): boolean {
  return sims?.some((sim) => sim.id === simID) === true;
}

/** A new gateway may be missing for a while; creating another would make two. */
export function holdNotShownYet(id: string): GatewayHold {
  return {
    state: 'Waiting',
    reason: GatewayReason.NotShownYet,
    message: `The gateway ${id} was created a moment ago, and the service does not show it yet.`,
    isProgress: true,
    retryAfterSeconds: ON_ITS_WAY_RETRY_SECONDS,
  };
}

function holdResourceIDNotFound(object: MobileGateway): GatewayHold {
  const { resourceID, zone } = object.spec;
  return {
    state: 'Stalled',
    reason: GatewayReason.ResourceIDNotFound,
    message: `Zone ${zone} of the account has no gateway with ID ${resourceID}. Create the resource again with the right zone and resourceID, or without resourceID to make a new gateway.`,
  };
}
