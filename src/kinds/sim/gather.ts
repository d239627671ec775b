import type { Clock } from '../../clock.ts';
import type { Snapshot } from '../../cloud/list/snapshot.ts';
import type { Carrier, SimItem } from '../../cloud/sim/types.ts';
import { holdIncomplete, holdUnclear, mayStillShow, staysIncomplete } from '../../reconcile/absence.ts';
import { Annotation, markOf } from '../../reconcile/annotations.ts';
import { recordedCounterpart } from '../../reconcile/counterpart.ts';
import type { Gathered, Pass } from '../../reconcile/kind.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import { lookLane } from '../../reconcile/object-state.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import { isMadeBetween, isStatusOfAnother, pendingOn } from '../../reconcile/restored.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { Losses } from '../cloud-account/losses.ts';
import { createRecorded } from '../cloud-account/recorded.ts';
import { isDecidedBy, leaveOut } from '../common/told.ts';
import { planCarriers } from './carriers.ts';
import { claimOf, type SimClaims } from './claims.ts';
import { readLimit } from './data-limit.ts';
import type { CarrierDetails } from './details.ts';
import type { DesiredSim, GatewayAddress, ObservedSim, SimFacts } from './facts.ts';
import { findSim, holdAnothers, holdOtherSim, isTheSim } from './find.ts';
import { type AddressSources, holdersShown, turnOf } from './gather-address.ts';
import type { GatewayLocator } from './locate-gateway.ts';
import { observe } from './observe.ts';
import { sessionDownSince } from './online.ts';
import { type SimHold, SimReason } from './reasons.ts';
import type { Sim, SimApplied } from './schema.ts';
import { withAddress } from './unlisted.ts';

/** How often a new SIM that the service does not show yet is looked for. Milliseconds. */
const NOT_SHOWN_RETRY_MILLISECONDS = 5000;
/** Carriers read longer ago are read again before they are changed. Milliseconds. */
const CARRIERS_FRESH_MILLISECONDS = 2000;

const recorded = createRecorded<Sim, SimItem>({
  what: 'SIM',
  async read({ session, call }, id) {
    const item = await session.client.sims.read(id, call('verify'));
    const status = await session.client.sims.status(id, call('verify'));
    return { ...item, iccid: item.iccid || status.iccid, status };
  },
  isSame: isTheSim,
  isMeant: ({ spec }, { iccid }) => iccid === '' || iccid === spec.iccid,
  holdOther: holdOtherSim,
});

/** What gathering for Sims reads from. */
export interface SimSources extends SimClaims, AddressSources {
  readonly clock: Clock;
  readonly secrets: SecretReader;
  readonly details: CarrierDetails;
  readonly locator: GatewayLocator;
  readonly losses: Losses;
}

/** Reads all a Sim's plan follows from: the account's list of SIMs, and beyond it only what the spec makes necessary. */
export async function gatherSim(given: Pass<Sim>, sources: SimSources): Promise<Gathered<SimFacts, SimHold['reason']>> {
  const { object, session } = given;
  const access = sources.losses.access(object, session);
  if (access) return { hold: access };
  const snapshot = session.sims.snapshot();
  if (!snapshot || snapshot.startedAt <= given.notBefore) {
    // Before the first list nothing was done that a list has to confirm.
    return { until: after(given, sources, given.notBefore), unchanged: !snapshot };
  }
  const known = await recorded.find(given, sources.losses, snapshot);
  if ('hold' in known) return known;
  const pass = known.anothers ? { ...given, progress: { ...given.progress, id: undefined } } : given;
  const { progress } = pass;
  // What is deleted is what was recorded: another SIM of the same ICCID is somebody else's.
  const isKnown = known.item !== undefined || (pass.deleting && progress.id !== undefined);
  const found = isKnown ? known : findSim(object, snapshot.items, pass.deleting);
  if ('hold' in found) return found;
  const { item } = found;
  if (item && snapshot.startedAt <= session.changes.at(item.id)) {
    // Another resource was here before, and what it did to the SIM the list does not show yet.
    return { until: after(pass, sources, session.changes.at(item.id)) };
  }
  const isStale = sources.clock.monotonic() - snapshot.startedAt > NOT_SHOWN_RETRY_MILLISECONDS;
  if (!item && mayStillShow(pass, sources.clock.monotonic())) {
    const hold = holdUnclear(`a SIM with ICCID ${object.spec.iccid}`, pass);
    return isStale ? { until: after(pass, sources, snapshot.startedAt) } : { hold };
  }
  const absentNotBefore = Math.max(pass.absentNotBefore, pass.shownFrom?.monotonic ?? 0);
  // What was recorded and is not found by its ID is gone, whatever the list shows; making another needs a whole list.
  const isGone = pass.deleting && progress.id !== undefined;
  if (!item && (snapshot.startedAt <= absentNotBefore || (!snapshot.complete && !isGone))) {
    const isOld = snapshot.startedAt <= absentNotBefore || isStale;
    if (!isOld && staysIncomplete(snapshot)) return { hold: holdIncomplete('SIMs') };
    return { until: after(pass, sources, Math.max(absentNotBefore, snapshot.startedAt)) };
  }
  // Nor is it given up for another of its ICCID, which the service may show before it.
  if (progress.id !== undefined && item?.id !== progress.id && pass.justCreated) {
    return isStale ? { until: after(pass, sources, snapshot.startedAt) } : { hold: holdNotShownYet(progress.id) };
  }
  const claim = claimOf(object, item ?? recordedCounterpart(object, progress.id), session, sources);
  if (claim) return { hold: claim };
  if (!item && known.anothers && !pass.deleting) return { hold: holdAnothers(object, known.anothers) };
  const doubt = item ? undefined : recorded.doubtOf(pass, sources.losses);
  if (doubt) return { hold: doubt };
  if (!item && object.spec.resourceID !== undefined && !pass.deleting) return { hold: holdResourceIDNotFound(object) };
  if (item && refuses(pass)) return { hold: holdAdoptionRefused(object, item) };
  return { facts: await factsOf(pass, sources, item, snapshot) };
}

function after(pass: Pass<Sim>, sources: SimSources, monotonic: number): Promise<unknown> {
  return observationAfter(pass.session.sims, monotonic, sources.clock, pass.call('verify'));
}

function refuses(pass: Pass<Sim>): boolean {
  const { object, progress } = pass;
  return object.spec.adoption === 'Never' && progress.id === undefined && !pass.creationUnclear;
}

async function factsOf(
  pass: Pass<Sim>,
  sources: SimSources,
  shown: SimItem | undefined,
  snapshot: Snapshot<SimItem>,
): Promise<SimFacts> {
  const { session, progress } = pass;
  const place = shown && (await gatewayOf(pass, sources, shown));
  const isListed = shown !== undefined && snapshot.items.has(shown.id);
  const { item, gateway } =
    shown && !isListed
      ? await withAddress(pass, sources.locator, { item: shown, gateway: place }, snapshot.startedAt)
      : { item: shown, gateway: place };
  const carriers = item && (await carriersOf(pass, sources, item));
  const holders = item && (await holdersShown(pass, sources, item, gateway?.id));
  const isOwnWork = pass.creationUnclear && isMadeBetween(item?.createdAt, pass.unclearSince, pass.unclearUntil);
  const ownership = isOwnWork ? 'Created' : 'Adopted';
  const observed = item && observe(item, gateway, carriers);
  return {
    desired: await desire(pass, sources, item !== undefined),
    applied: progress.applied,
    found: progress.found,
    pending: pendingOn(progress, ownership),
    observed,
    ownership,
    // What a backup brought back knows its SIM, and not what was done for it since.
    takesOver: (progress.id === undefined || progress.restoredFrom !== undefined) && ownership === 'Adopted',
    address: item && turnOf(pass, sources, item, gateway?.id, holders),
    ...(observed && readingsOf(pass, observed)),
    dialect: session.dialect,
    now: pass.now,
  };
}

/** How the SIM stands to what its spec asks without writing it, with what is on record of that. */
function readingsOf(
  { object, now }: Pass<Sim>,
  observed: ObservedSim,
): Pick<SimFacts, 'dataLimit' | 'sessionDownSince'> {
  const { spec } = object;
  // What a backup says of another time would be believed; and what is told of a SIM that is gone is not of the one in its place.
  const isOfIt = !isStatusOfAnother(object) && object.status?.id === observed.id;
  const status = isOfIt ? object.status : undefined;
  return {
    dataLimit: readLimit({ spec, observed, recorded: status?.dataLimit, now }),
    sessionDownSince: sessionDownSince(spec, observed, status?.sessionDownSince, now),
  };
}

async function desire(pass: Pass<Sim>, sources: SimSources, exists: boolean): Promise<DesiredSim> {
  const { object, progress } = pass;
  const { spec, metadata } = object;
  const namespace = metadata.namespace ?? '';
  const asked = markOf(object, Annotation.reconnectAt);
  return {
    defaultName: metadata.name,
    spec,
    gateway: spec.gatewayRef && withInterface(sources.gateway(object), pass),
    passCode: exists || pass.deleting ? undefined : await passCodeOf(object, namespace, sources.secrets),
    ...(asked !== undefined && asked !== progress.marks.lastHandledReconnectAt && { reconnectAt: asked }),
  };
}

/** The gateway with its private interface, as the service has it where no resource says. */
function withInterface(gateway: ReturnType<SimSources['gateway']>, { object, session }: Pass<Sim>): typeof gateway {
  if ('hold' in gateway || gateway.inner || object.spec.ipAddress === undefined) return gateway;
  const { settings } = session.gateways(gateway.zone).snapshot()?.items.get(gateway.id) ?? {};
  return { ...gateway, inner: settings?.privateInterface ?? undefined };
}

async function passCodeOf(object: Sim, namespace: string, secrets: SecretReader): Promise<DesiredSim['passCode']> {
  const ref = object.spec.passCodeSecretRef;
  if (!ref) {
    return {
      hold: {
        state: 'Stalled',
        reason: SimReason.PassCodeRequired,
        message: `The account has no SIM with ICCID ${object.spec.iccid}. To register it, put its pass code into a Secret and name it in passCodeSecretRef.`,
      },
    };
  }
  const secret = await secrets.read(namespace, ref.name);
  const value = secret?.word(ref.key);
  if (value) return { value };
  return {
    hold: secret
      ? {
          state: 'Waiting',
          reason: SimReason.PassCodeKeyMissing,
          message: `The Secret ${ref.name} has no key "${ref.key}", or it is empty. Add the SIM's pass code under that key.`,
        }
      : {
          state: 'Waiting',
          reason: SimReason.PassCodeSecretNotFound,
          message: `There is no Secret ${ref.name} in namespace ${namespace}. Create it with the SIM's pass code under the key "${ref.key}".`,
        },
  };
}

/** Where the SIM is registered, if anything depends on it. What was applied is believed while the SIM's group is the same. */
async function gatewayOf(pass: Pass<Sim>, sources: SimSources, item: SimItem): Promise<GatewayAddress | undefined> {
  const { progress, object } = pass;
  const applied: SimApplied = progress.applied;
  if (!item.status?.registered) return undefined;
  const recorded = applied.gateway;
  const group = item.status.simgroupID;
  const { locator } = sources;
  const call = pass.call('verify');
  if (recorded) {
    const { id, zone, simGroupID } = recorded;
    const isNew = simGroupID === undefined && group !== undefined;
    const isThere = isNew
      ? await locator.isOn(pass.session, { id, zone }, { id: item.id, group }, pass.notBefore, call)
      : group === undefined || simGroupID === group;
    if (isThere) return { id, zone };
  }
  const matters = object.spec.gatewayRef !== undefined || wasApplied(progress, 'gateway') || pass.deleting;
  if (!matters) return undefined;
  const listedAt = pass.session.sims.snapshot()?.startedAt ?? pass.notBefore;
  return locator.locate(pass.session, { id: item.id, group }, { notBefore: pass.notBefore, listedAt }, call);
}

/**
 * The carriers, if the spec names some or did. Read when nothing is known of them, when asked to be thorough, and right
 * before they are to be changed: the change replaces all of them, also those that somebody else looks after. Where they are
 * only told, and can't be read, they are left out.
 */
async function carriersOf(
  pass: Pass<Sim>,
  sources: SimSources,
  item: SimItem,
): Promise<readonly Carrier[] | undefined> {
  const { details, clock } = sources;
  const { object, progress, thorough } = pass;
  const known = details.known(object, item.id);
  if (pass.deleting) return known?.value;
  const matters = object.spec.carriers !== undefined || wasApplied(progress, 'carriers');
  const isFresh = known !== undefined && clock.monotonic() - known.at < CARRIERS_FRESH_MILLISECONDS;
  const isNeeded = known ? !isFresh && (isToChange(pass, known.value) || isLetGo(pass)) : matters;
  const isTaken = matters && known !== undefined && known.at < pass.takenAt;
  if (!thorough && !isNeeded && !isTaken) return known?.value;
  const call = pass.call(isNeeded || isTaken ? 'verify' : lookLane(object));
  const carriers = await pass.session.client.sims.carriers(item.id, call).catch((error: unknown) => {
    if (isDecidedBy('carriers', pass)) throw error;
    return leaveOut(error);
  });
  // What was read before is not told as if it had been seen now.
  if (carriers) details.learn(object, item.id, { source: 'read', value: carriers });
  else details.forget(object, item.id);
  return carriers;
}

/** What leaves the spec is unset, unless it is as unset already: that must not be said of carriers as they were a while ago. */
function isLetGo({ object, progress }: Pass<Sim>): boolean {
  const { carriers = [], managementPolicy } = object.spec;
  const applied: SimApplied = progress.applied;
  const leaves = applied.carriers?.some(({ name }) => !carriers.some((carrier) => carrier.name === name)) === true;
  return leaves && managementPolicy !== 'Observe';
}

function isToChange({ object, progress }: Pass<Sim>, carriers: readonly Carrier[]): boolean {
  const { spec } = object;
  const { applied, found, pending } = progress;
  const { steps = [] } = planCarriers({ desired: { spec }, applied, found, pending }, { carriers });
  return steps.length > 0 && spec.managementPolicy !== 'Observe';
}

/** A new SIM may be missing for a while; creating another would make two. */
export function holdNotShownYet(id: string): SimHold {
  return {
    state: 'Waiting',
    reason: SimReason.NotShownYet,
    message: `SIM ${id} was created a moment ago, and the service does not show it yet.`,
    isProgress: true,
    retryAfterSeconds: NOT_SHOWN_RETRY_MILLISECONDS / 1000,
  };
}

function holdResourceIDNotFound(object: Sim): SimHold {
  return {
    state: 'Stalled',
    reason: SimReason.ResourceIDNotFound,
    message: `The account has no SIM with ID ${object.spec.resourceID}. Correct resourceID by creating the resource again, or leave it out to go by the ICCID.`,
  };
}

function holdAdoptionRefused(object: Sim, item: SimItem): SimHold {
  return {
    state: 'Stalled',
    reason: SimReason.AdoptionRefused,
    message: `The account already has SIM ${item.id} with ICCID ${object.spec.iccid}, and adoption is Never. Remove adoption to take it over.`,
  };
}
