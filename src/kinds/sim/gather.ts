import type { Clock } from '../../clock.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import type { Carrier, SimItem } from '../../cloud/sims.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import type { Index } from '../../reconcile/indexer.ts';
import { type Gathered, type Hold, type Pass, wasApplied } from '../../reconcile/kind.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import { claimOf } from './claims.ts';
import type { CarrierDetails } from './details.ts';
import type { DesiredSim, GatewayAddress, SimFacts } from './facts.ts';
import { findSim } from './find.ts';
import type { GatewayLocator } from './locate-gateway.ts';
import { observe } from './observe.ts';
import { SimReason } from './reasons.ts';
import type { Sim, SimApplied } from './schema.ts';

/** How often a new SIM that the service does not show yet is looked for. Milliseconds. */
const NOT_SHOWN_RETRY = 5000;

/** What gathering for Sims reads from. */
export interface SimSources {
  readonly clock: Clock;
  readonly accounts: AccountResolver;
  readonly byICCID: Index<Sim>;
  readonly secrets: SecretReader;
  readonly details: CarrierDetails;
  readonly locator: GatewayLocator;
  /** Resolves the `gatewayRef` of a Sim that has one. */
  readonly gateway: (sim: Sim) => GatewayAddress | { readonly hold: Hold };
}

/** Reads all a Sim's plan follows from: the account's list of SIMs, and beyond it only what the spec makes necessary. */
export async function gatherSim(pass: Pass<Sim>, sources: SimSources): Promise<Gathered<SimFacts>> {
  const { object, session, progress } = pass;
  const claim =
    progress.id === undefined ? claimOf(object, session.identity, sources.byICCID, sources.accounts) : undefined;
  if (claim && !pass.deleting) return { hold: claim };

  const snapshot = session.sims.snapshot();
  if (!snapshot || snapshot.startedAt <= pass.notBefore) return { until: after(pass, sources, pass.notBefore) };
  // What is deleted is what was recorded: another SIM of the same ICCID is somebody else's.
  const recorded = pass.deleting ? progress.id : undefined;
  const found =
    recorded === undefined ? findSim(object, progress.id, snapshot.items) : { item: snapshot.items.get(recorded) };
  if ('hold' in found) return found;
  let { item } = found;
  if (!item && progress.id !== undefined) item = await confirm(pass, progress.id);
  if (!item && (snapshot.startedAt <= pass.absentNotBefore || !snapshot.complete)) {
    return { until: after(pass, sources, Math.max(pass.absentNotBefore, snapshot.startedAt)) };
  }
  if (!item && progress.id !== undefined && pass.justCreated) {
    const isStale = sources.clock.monotonic() - snapshot.startedAt > NOT_SHOWN_RETRY;
    return isStale ? { until: after(pass, sources, snapshot.startedAt) } : { hold: holdNotShownYet(progress.id) };
  }
  if (!item && object.spec.resourceID !== undefined && !pass.deleting) return { hold: holdResourceIDNotFound(object) };
  if (item && pass.deleting && claim) return { facts: await factsOf(pass, sources, undefined) };
  if (item && refuses(pass)) return { hold: holdAdoptionRefused(object, item) };
  return { facts: await factsOf(pass, sources, item) };
}

function after(pass: Pass<Sim>, sources: SimSources, monotonic: number): Promise<unknown> {
  return observationAfter(pass.session.sims, monotonic, sources.clock, pass.signal);
}

/** A list may miss a member once: a SIM that was there before is gone only when asking for it says so. */
async function confirm(pass: Pass<Sim>, id: string): Promise<SimItem | undefined> {
  const call = { lane: 'verify', signal: pass.signal } as const;
  try {
    const item = await pass.session.client.sims.read(id, call);
    const status = await pass.session.client.sims.status(id, call);
    return { ...item, iccid: item.iccid || status.iccid, status };
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function refuses(pass: Pass<Sim>): boolean {
  const { object, progress } = pass;
  return object.spec.adoption === 'Never' && progress.id === undefined && !pass.creationUnclear;
}

async function factsOf(pass: Pass<Sim>, sources: SimSources, item: SimItem | undefined): Promise<SimFacts> {
  const { object, session, progress } = pass;
  const gateway = item && (await gatewayOf(pass, sources, item));
  const carriers = item && (await carriersOf(pass, sources, item));
  return {
    desired: await desire(pass, sources, item !== undefined),
    applied: progress.applied,
    pending: progress.pending,
    observed: item && observe(item, gateway, carriers),
    ownership: pass.creationUnclear && !precedes(item, object) ? 'Created' : 'Adopted',
    dialect: session.dialect,
    now: pass.now,
  };
}

/** A SIM clearly older than the resource can't be what an interrupted creation left. */
function precedes(item: SimItem | undefined, object: Sim): boolean {
  const skew = 5 * 60_000;
  const created = Date.parse(item?.createdAt ?? '');
  return created < Date.parse(object.metadata.creationTimestamp ?? '') - skew;
}

async function desire(pass: Pass<Sim>, sources: SimSources, exists: boolean): Promise<DesiredSim> {
  const { object, progress } = pass;
  const { spec, metadata } = object;
  const namespace = metadata.namespace ?? '';
  const asked = metadata.annotations?.[Annotation.reconnectAt];
  return {
    defaultName: metadata.name,
    spec,
    gateway: spec.gatewayRef && sources.gateway(object),
    passCode: exists || pass.deleting ? undefined : await passCodeOf(object, namespace, sources.secrets),
    ...(asked !== undefined && asked !== progress.marks.lastHandledReconnectAt && { reconnectAt: asked }),
  };
}

async function passCodeOf(object: Sim, namespace: string, secrets: SecretReader): Promise<DesiredSim['passCode']> {
  const ref = object.spec.passCodeSecretRef;
  if (!ref) {
    return {
      hold: {
        kind: 'Stalled',
        reason: SimReason.PassCodeRequired,
        message: `The account has no SIM with ICCID ${object.spec.iccid}. To register it, put its pass code into a Secret and name it in passCodeSecretRef.`,
      },
    };
  }
  const secret = await secrets.read(namespace, ref.name);
  const value = secret?.get(ref.key);
  if (value) return { value };
  return {
    hold: secret
      ? {
          kind: 'Waiting',
          reason: SimReason.PassCodeKeyMissing,
          message: `The Secret ${ref.name} has no key "${ref.key}", or it is empty. Add the SIM's pass code under that key.`,
        }
      : {
          kind: 'Waiting',
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
  if (recorded && (recorded.simGroupID === undefined || group === undefined || recorded.simGroupID === group)) {
    return { id: recorded.id, zone: recorded.zone };
  }
  const matters = object.spec.gatewayRef !== undefined || wasApplied(progress, 'gateway') || pass.deleting;
  if (!matters) return undefined;
  return sources.locator.locate(pass.session, item.id, pass.notBefore, pass.signal);
}

/** The carriers, if the spec names some or did; read when nothing is known of them, or when asked to be thorough. */
async function carriersOf(
  pass: Pass<Sim>,
  sources: SimSources,
  item: SimItem,
): Promise<readonly Carrier[] | undefined> {
  const { details } = sources;
  const known = details.known(pass.object);
  if (pass.deleting) return known;
  const matters = pass.object.spec.carriers !== undefined || wasApplied(pass.progress, 'carriers');
  if (!pass.thorough && (known !== undefined || !matters)) return known;
  const carriers = await pass.session.client.sims.carriers(item.id, {
    lane: matters && known === undefined ? 'verify' : 'audit',
    signal: pass.signal,
  });
  details.remember(pass.object, carriers);
  return carriers;
}

/** A new SIM may be missing for a while; creating another would make two. */
export function holdNotShownYet(id: string): Hold {
  return {
    kind: 'Waiting',
    reason: SimReason.NotShownYet,
    message: `SIM ${id} was created a moment ago, and the service does not show it yet.`,
    isProgress: true,
    retryAfterSeconds: NOT_SHOWN_RETRY / 1000,
  };
}

function holdResourceIDNotFound(object: Sim): Hold {
  return {
    kind: 'Stalled',
    reason: SimReason.ResourceIDNotFound,
    message: `The account has no SIM with ID ${object.spec.resourceID}. Correct resourceID by creating the resource anew, or leave it out to go by the ICCID.`,
  };
}

function holdAdoptionRefused(object: Sim, item: SimItem): Hold {
  return {
    kind: 'Stalled',
    reason: SimReason.AdoptionRefused,
    message: `The account has SIM ${item.id} with ICCID ${object.spec.iccid} already, and adoption is Never. Remove adoption to take it over.`,
  };
}
