import type { Clock } from '../../clock.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import type { Gateway } from '../../cloud/gateway-types.ts';
import { zones } from '../../cloud/zones.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import type { Gathered, Hold, Pass } from '../../reconcile/kind.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { Sim } from '../sim/schema.ts';
import type { DetailsReader } from './details.ts';
import type { DesiredGateway, GatewayDetails, GatewayFacts, GatewayMarks } from './facts.ts';
import { findGateway } from './find.ts';
import { ON_ITS_WAY } from './plan.ts';
import { GatewayReason } from './reasons.ts';
import { looksAfterItself } from './registered.ts';
import type { MobileGateway } from './schema.ts';
import { explainZone, isUnknownZone } from './unknown-zone.ts';

/** What gathering for gateways reads from. */
export interface GatewaySources {
  readonly clock: Clock;
  readonly accounts: AccountResolver;
  readonly secrets: SecretReader;
  readonly details: DetailsReader;
  /** All MobileGateways of the cluster. */
  readonly gateways: () => readonly MobileGateway[];
  readonly sim: (namespace: string, name: string) => Sim | undefined;
  readonly sims: (namespace: string) => readonly Sim[];
}

/** Reads all a gateway's plan follows from. */
export async function gatherGateway(
  pass: Pass<MobileGateway>,
  sources: GatewaySources,
): Promise<Gathered<GatewayFacts>> {
  const { object, session, progress } = pass;
  const marks: GatewayMarks = progress.marks;
  const rival = rivalOf(object, session.identity, sources);
  if (rival && progress.id === undefined) {
    return pass.deleting
      ? { facts: await factsOf(pass, sources, undefined) }
      : { hold: holdAlreadyManaged(object, rival) };
  }
  if (isNew(pass, marks) || (pass.deleting && (await isInNoZone(pass)))) {
    return { facts: await factsOf(pass, sources, undefined) };
  }

  const { zone } = object.spec;
  const list = session.gateways(zone);
  const look = (monotonic: number) => ({
    until: observationAfter(list, monotonic, sources.clock, pass.signal).catch((error: unknown) => {
      throw explainZone(error, zone);
    }),
  });
  const snapshot = list.snapshot();
  if (!snapshot || snapshot.startedAt <= pass.notBefore) return look(pass.notBefore);
  const found = findGateway(
    object,
    {
      id: progress.id,
      creation: marks.creation,
      forgotten: pass.deleting ? undefined : nameOf(object),
      claimed: claimedIDs(object, sources),
    },
    snapshot.items,
  );
  if ('hold' in found) return found;
  const isStale = sources.clock.monotonic() - snapshot.startedAt >= (ON_ITS_WAY - 1) * 1000;
  const item = found.item ?? (progress.id === undefined ? undefined : await confirm(pass, progress.id));
  if (!item) {
    if (snapshot.startedAt <= pass.absentNotBefore || !snapshot.complete) {
      return look(Math.max(pass.absentNotBefore, snapshot.startedAt));
    }
    if (progress.id !== undefined && pass.justCreated) {
      return isStale ? look(snapshot.startedAt) : { hold: holdNotShownYet(progress.id) };
    }
    if (object.spec.resourceID !== undefined && !pass.deleting) return { hold: holdResourceIDNotFound(object) };
  }
  if (item && isStale && isOnItsWay(item)) return look(snapshot.startedAt);
  return { facts: await factsOf(pass, sources, item) };
}

/** Nothing was ever asked of the service for this resource: there is nothing to look for. */
function isNew(pass: Pass<MobileGateway>, marks: GatewayMarks): boolean {
  const { object, progress, deleting } = pass;
  const isUnknown = progress.id === undefined && object.spec.resourceID === undefined && marks.creation === undefined;
  return isUnknown && (deleting || ownFinalizer(object) !== 'create');
}

/** What its gateway is called at the service. */
function nameOf({ spec, metadata }: MobileGateway): string {
  return spec.displayName ?? metadata.name;
}

/** A zone that does not exist holds nothing, and must not hold up the deletion of a resource with a typing error. */
async function isInNoZone({ object, progress, session, signal }: Pass<MobileGateway>): Promise<boolean> {
  const { zone } = object.spec;
  if (progress.id !== undefined || zones.some((known) => known === zone)) return false;
  try {
    await session.client.gateways.list(zone, { from: 0, count: 1 }, { lane: 'verify', signal });
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

/** A list may miss a member once: a gateway is gone only when asking for it says so. */
async function confirm(pass: Pass<MobileGateway>, id: string): Promise<Gateway | undefined> {
  try {
    return await pass.session.client.gateways.read(pass.object.spec.zone, id, { lane: 'verify', signal: pass.signal });
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

async function factsOf(
  pass: Pass<MobileGateway>,
  sources: GatewaySources,
  observed: Gateway | undefined,
): Promise<GatewayFacts> {
  const { progress, session } = pass;
  const isAvailable = observed?.availability.toLowerCase() === 'available';
  const details: GatewayDetails = isAvailable ? await currentDetails(pass, sources, observed.id) : {};
  return {
    desired: await desire(pass, sources, observed, details),
    applied: progress.applied,
    pending: progress.pending,
    marks: progress.marks,
    observed,
    details,
    ownership: progress.ownership ?? (progress.marks.creation === undefined ? 'Adopted' : 'Created'),
    dialect: session.dialect,
    now: pass.now,
  };
}

/** The details, read anew when a Sim with a route has come or gone since they were read. */
async function currentDetails(pass: Pass<MobileGateway>, sources: GatewaySources, id: string): Promise<GatewayDetails> {
  const details = await sources.details.details(pass, id);
  const { metadata, spec } = pass.object;
  const isOutdated = (spec.simRoutes ?? []).some(({ simRef }) => {
    const status = sources.sim(metadata.namespace ?? '', simRef.name)?.status;
    return status?.id !== undefined && isOn(status, id) !== isListed(details, status.id);
  });
  return isOutdated ? sources.details.details({ ...pass, thorough: true }, id) : details;
}

function isOn(status: Sim['status'], gatewayID: string | undefined): boolean {
  return gatewayID !== undefined && status?.registered === true && status.gatewayID === gatewayID;
}

function isListed({ sims }: GatewayDetails, simID: string): boolean {
  return sims?.some((sim) => sim.id === simID) === true;
}

async function desire(
  pass: Pass<MobileGateway>,
  sources: GatewaySources,
  observed: Gateway | undefined,
  details: GatewayDetails,
): Promise<DesiredGateway> {
  const { object } = pass;
  const namespace = object.metadata.namespace ?? '';
  const resolved: DesiredGateway['simRoutes']['resolved'][number][] = [];
  const waiting: DesiredGateway['simRoutes']['waiting'][number][] = [];
  for (const { prefix, simRef } of object.spec.simRoutes ?? []) {
    const status = sources.sim(namespace, simRef.name)?.status;
    const isHere = isOn(status, observed?.id) && status?.id !== undefined && isListed(details, status.id);
    if (isHere && status.id !== undefined) resolved.push({ prefix, resourceID: status.id });
    else waiting.push({ prefix, sim: simRef.name });
  }
  return {
    name: nameOf(object),
    spec: object.spec,
    chatWebhook: pass.deleting ? undefined : await webhookOf(pass, namespace, sources.secrets),
    simRoutes: { resolved, waiting },
    namedBy: sources
      .sims(namespace)
      .filter((sim) => looksAfterItself(sim, { name: object.metadata.name, id: observed?.id }))
      .map((sim) => `${namespace}/${sim.metadata.name}`),
  };
}

async function webhookOf(
  pass: Pass<MobileGateway>,
  namespace: string,
  secrets: SecretReader,
): Promise<DesiredGateway['chatWebhook']> {
  const ref = pass.object.spec.trafficMonitoring?.chatWebhookSecretRef;
  if (!ref) return undefined;
  const value = (await secrets.read(namespace, ref.name))?.get(ref.key);
  if (value) return { value, digest: pass.session.digest(value.reveal()) };
  return {
    hold: {
      kind: 'Waiting',
      reason: GatewayReason.ChatWebhookSecretMissing,
      message: `trafficMonitoring.chatWebhookSecretRef names the key "${ref.key}" of Secret ${ref.name} in namespace ${namespace}, which does not exist or is empty. Put the webhook's URL there.`,
    },
  };
}

function idOf(object: MobileGateway): string | undefined {
  return object.status?.id ?? object.spec.resourceID;
}

function claimedIDs(object: MobileGateway, sources: GatewaySources): Set<string> {
  const others = sources.gateways().filter((other) => other.metadata.uid !== object.metadata.uid);
  return new Set(others.flatMap((other) => idOf(other) ?? []));
}

/** Who of the same account has the gateway `resourceID` names already: whoever manages it, else the older resource. */
function rivalOf(object: MobileGateway, identity: string, sources: GatewaySources): MobileGateway | undefined {
  const { resourceID } = object.spec;
  if (resourceID === undefined) return undefined;
  return sources.gateways().find((other) => {
    if (
      other.metadata.uid === object.metadata.uid ||
      other.spec.zone !== object.spec.zone ||
      idOf(other) !== resourceID
    )
      return false;
    const account = sources.accounts.resolve(other.metadata.namespace ?? '', other.spec, other.status?.accountRef);
    if (!('session' in account) || account.session.identity !== identity) return false;
    return other.status?.id !== undefined || isOlder(other, object);
  });
}

function isOlder(a: MobileGateway, b: MobileGateway): boolean {
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age === 0 ? a.metadata.uid < b.metadata.uid : age < 0;
}

function holdAlreadyManaged(object: MobileGateway, rival: MobileGateway): Hold {
  return {
    kind: 'Stalled',
    reason: GatewayReason.AlreadyManaged,
    message: `The gateway ${object.spec.resourceID} is managed by the MobileGateway ${rival.metadata.namespace}/${rival.metadata.name} already. Delete one of the two.`,
  };
}

/** A new gateway may be missing for a while; creating another would make two. */
export function holdNotShownYet(id: string): Hold {
  return {
    kind: 'Waiting',
    reason: GatewayReason.NotShownYet,
    message: `The gateway ${id} was created a moment ago, and the service does not show it yet.`,
    isProgress: true,
    retryAfterSeconds: ON_ITS_WAY,
  };
}

function holdResourceIDNotFound(object: MobileGateway): Hold {
  const { resourceID, zone } = object.spec;
  return {
    kind: 'Stalled',
    reason: GatewayReason.ResourceIDNotFound,
    message: `Zone ${zone} of the account has no gateway with ID ${resourceID}. Create the resource anew with the right zone and resourceID, or without resourceID to make a new gateway.`,
  };
}
