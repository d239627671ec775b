import type { StoredChange } from '../../../src/shadow/apiserver/apiserver.ts';
import type { Change, GatewayView, ObjectChange, SimView, SiteView } from '../../../src/shadow/service/types.ts';
import type { Message } from '../../../src/shadow/world/messages.ts';
import type { Views } from './at-service.ts';
import { isStoppedFor } from './data-limit.ts';
import { conditionOf, type Incarnation, isManaged } from './intent.ts';
import { listAt, same } from './json.ts';
import { USER } from './perform.ts';
import { type Claim, claims, displayNameOf } from './reading/claim.ts';
import { gatewayReadings } from './reading/gateway.ts';
import { originMembers } from './reading/origin-members.ts';
import { type FieldReading, isInSpec, listedCarriers, simReadings } from './reading/sim.ts';
import { meansSite, siteReadings } from './reading/site.ts';
import { type Cause, isByOperator, type Scene } from './scene.ts';

type ClaimsOf<V> = (account: string, view: V, moment: number) => Claim[];
type Readings<K extends keyof Views> = readonly FieldReading<Views[K]>[];

/** Which resource owns which field of what is at the service: what it created, and what it wrote or was about to write. */
export interface Ownership {
  /** A change was begun at the service. */
  begun(message: Message): void;
  changed(change: Change): void;
  stored(change: StoredChange): void;
  /**
   * It may own the field, or a part of it such as one carrier: leave to unset it. What it unset and let go before `since`
   * is nobody's, unless it made the object.
   */
  owns(uid: string, id: string, field: string, since?: number): boolean;
  /** It owns the field for sure, as it changed it since then: the field must be unset when it leaves the spec. */
  changedIt(uid: string, id: string, field: string, since?: number): boolean;
  /** The resources that may be meant by an object, of those that may be acted for at a moment. */
  readonly simClaims: ClaimsOf<SimView>;
  readonly gatewayClaims: ClaimsOf<GatewayView>;
  readonly siteClaims: ClaimsOf<SiteView>;
  /** Another resource of its kind has had the object for so long that this one knows. */
  isOthers(claim: Claim, id: string): boolean;
}

/** What is seen of an object may be so old: what no list shows is read in turn. Milliseconds. */
const SEEN = 35 * 60_000;

/** By then requests of a process that died have arrived. Milliseconds. */
const SETTLED = 7000;

function isNeverAbandoned({ versions }: Incarnation): boolean {
  return versions.every(({ annotations }) => annotations['edgeline.dev/abandon'] === undefined);
}

export function createOwnership(scene: Scene): Ownership {
  /** By UID and field. */
  const owned = new Set<string>();
  /** When a resource last changed a field for sure, by UID, ID and field. */
  const surely = new Map<string, number>();
  /** When a resource said that it is as its spec says, which had the field no more; by UID and field. */
  const released = new Map<string, number>();
  const { atService, intent } = scene;

  const simClaims: ClaimsOf<SimView> = (account, view, moment) =>
    claims(scene, 'sims', account, moment).filter(
      (claim) =>
        claim.versions.some(
          ({ spec }) => spec['iccid'] === view.iccid && (spec['resourceID'] ?? view.id) === view.id,
        ) && !isOthers(claim, view.id),
    );
  const gatewayClaims: ClaimsOf<GatewayView> = (account, view, moment) =>
    claims(scene, 'mobilegateways', account, moment).filter((claim) => {
      const { versions, incarnation } = claim;
      return (
        !isOthers(claim, view.id) &&
        (incarnation.ids.includes(view.id) ||
          atService.mayHaveCreated(incarnation.uid, view.id) ||
          versions.some(({ spec }) => spec['resourceID'] === view.id))
      );
    });
  const siteClaims: ClaimsOf<SiteView> = (account, view, moment) =>
    claims(scene, 'webaccelsites', account, moment).filter(
      (claim) => !isOthers(claim, view.id) && claim.versions.some((version) => meansSite(version, view)),
    );

  function own({ uid }: Incarnation, field: string): void {
    owned.add(`${uid} ${field}`);
    released.delete(`${uid} ${field}`);
  }

  /** What its spec has while a request about it is made, it is about to write, unless that has been so all along. */
  function noteAttempt<V>(
    found: readonly Claim[],
    fields: readonly string[],
    past: readonly V[] = [],
    readings: readonly FieldReading<V>[] = [],
  ): void {
    for (const { incarnation, versions, since } of found) {
      for (const version of versions) {
        for (const field of fields) {
          if (!isInSpec(version, field)) continue;
          const reading = field === 'carriers' ? undefined : readings.find((one) => one.field === field);
          if (reading && past.every((view) => reading.holds(scene, incarnation, version, view, since))) continue;
          own(incarnation, field);
          if (field !== 'carriers') continue;
          for (const { name } of listedCarriers(version.spec)) own(incarnation, `carriers/${name}`);
        }
      }
    }
  }

  return {
    begun({ route, target }) {
      const now = scene.world.now();
      const fields = fieldsOf[route];
      const id = /\/(?:commonserviceitem|applience|appliance|site)\/([^/?]+)/.exec(target)?.[1];
      const [, simID] = /mobilegateway\/sims\/([^/?]+)/.exec(target) ?? [];
      const account = id === undefined ? undefined : atService.accountOf(simID ?? id);
      if (!fields || id === undefined || account === undefined) return;
      const note = <K extends keyof Views>(
        kind: K,
        of: string,
        claimsOf: ClaimsOf<Views[K]>,
        readings: Readings<K>,
      ) => {
        const view = atService.now(kind, of);
        if (view) noteAttempt(claimsOf(account, view, now), fields, atService.pastOf(kind, of, now - SEEN), readings);
      };
      if (route.includes('commonserviceitem') || simID !== undefined) note('sims', simID ?? id, simClaims, simReadings);
      else if (route.includes('appliance')) note('gateways', id, gatewayClaims, gatewayReadings);
      else note('sites', id, siteClaims, [...siteReadings, ...originMembers]);
    },
    changed(change) {
      if (!isByOperator(change)) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      for (const object of change.objects) {
        const { kind, id, before, after } = object;
        if (kind === 'sims' && before && after && before.gatewayID === null && after.gatewayID !== null) {
          noteAttempt(simClaims(change.account, after, moment), ['gatewayRef']);
        }
        if (before && after) noteChanges(change, object, moment);
        if (before || !after) continue;
        const { account } = change;
        const asking =
          kind === 'sims'
            ? claims(scene, 'sims', account, moment).filter(({ versions }) =>
                versions.some(({ spec }) => spec['iccid'] === after.iccid),
              )
            : kind === 'gateways'
              ? claims(scene, 'mobilegateways', account, moment).filter(({ incarnation, versions }) =>
                  versions.some(
                    (version) =>
                      displayNameOf(incarnation, version) === after.name &&
                      version.spec['zone'] === after.zone &&
                      version.spec['resourceID'] === undefined,
                  ),
                )
              : [];
        // Who is gone, or has another one, is not who asked, unless nobody else did.
        const without = asking.filter(
          ({ incarnation }) => incarnation.goneAt === undefined && !hasAnother(kind, incarnation),
        );
        atService.noteCreators(
          id,
          (without.length > 0 ? without : asking).map(({ incarnation }) => incarnation.uid),
          scene.cause !== undefined && (scene.cause.isSecond || isLate(scene.cause)),
        );
      }
    },
    stored({ new: object, user, resource }) {
      const incarnation = object && user !== USER ? intent.byUID(object.metadata.uid) : undefined;
      const readings = allReadings[resource];
      if (!incarnation || !readings) return;
      noteRelease(incarnation, readings);
      const versions = intent.versionsOf(incarnation, scene.sight.since(scene.world.now()));
      for (const entry of listAt(object, 'status', 'pending')) {
        const [name = '', part] = String(entry).split('/');
        for (const { field } of readings.filter(({ applied }) => applied.includes(name))) {
          if (!versions.some((version) => isInSpec(version, field))) continue;
          own(incarnation, field);
          if (part !== undefined) own(incarnation, `${field}/${part}`);
        }
      }
    },
    changedIt: (uid, id, field, since = 0) => (surely.get(`${uid} ${id} ${field}`) ?? -Infinity) >= since,
    owns: (uid, id, field, since = 0) =>
      atService.mayHaveCreated(uid, id) ||
      (owned.has(`${uid} ${field}`) && (released.get(`${uid} ${field}`) ?? Infinity) >= since),
    simClaims,
    gatewayClaims,
    siteClaims,
    isOthers,
  };

  function noteRelease({ uid, object, versions }: Incarnation, readings: readonly { readonly field: string }[]): void {
    const [version, synced] = [versions.at(-1), conditionOf(object, 'Synced')];
    if (!version || synced?.status !== 'True' || synced.generation !== object.metadata.generation) return;
    if (version.generation !== synced.generation || !isManaged(version)) return;
    for (const { field } of readings) {
      const key = `${uid} ${field}`;
      if (isInSpec(version, field)) released.delete(key);
      else if (!released.has(key)) released.set(key, scene.world.now());
    }
  }

  /** A field that came to be as the one resource that is meant asks for is its own. */
  function noteChanges(change: Change, object: ObjectChange, moment: number): void {
    const { account } = change;
    if (object.kind === 'sims' && object.before && object.after) {
      const found = simClaims(account, object.after, moment);
      // What the guard of a limit undoes is as the resource found it.
      const isReturn =
        object.after.activated && found.some((claim) => isStoppedFor(scene, claim.incarnation, object.id, change));
      const readings = simReadings.filter(({ field }) => field !== 'activated' || !isReturn);
      note(readings, object.before, object.after, found);
    } else if (object.kind === 'gateways' && object.before && object.after) {
      note(gatewayReadings, object.before, object.after, gatewayClaims(account, object.after, moment));
    } else if (object.kind === 'sites' && object.before && object.after) {
      note([...siteReadings, ...originMembers], object.before, object.after, siteClaims(account, object.after, moment));
    }
  }

  function note<V extends { readonly id: string }>(
    readings: readonly FieldReading<V>[],
    before: V,
    after: V,
    found: readonly Claim[],
  ): void {
    const [claim] = found;
    if (!claim || found.length > 1) return;
    for (const { field, part, holds } of readings) {
      if (same(part(before), part(after))) continue;
      const { incarnation, versions, since } = claim;
      const isAsked = versions.every(
        (version) => isInSpec(version, field) && holds(scene, incarnation, version, after, since),
      );
      if (isAsked) surely.set(`${incarnation.uid} ${after.id} ${field}`, scene.world.now());
    }
  }

  /** Its process died, and the next one takes what was made only now for somebody else's. */
  function isLate({ message, writtenAt }: Cause): boolean {
    const process = scene.world.processes.find(({ name }) => name === message.process);
    return process !== undefined && process.startedAt > writtenAt && scene.world.now() > process.startedAt + SETTLED;
  }

  function hasAnother(kind: ObjectChange['kind'], { ids }: Incarnation): boolean {
    const id = ids.at(-1);
    return id !== undefined && (kind === 'sims' || kind === 'gateways') && atService.now(kind, id) !== undefined;
  }

  /** Another resource has the object in its status, and had it before this one may have looked. */
  function isOthers({ incarnation, since }: Claim, id: string): boolean {
    if (incarnation.ids.at(-1) === id || atService.mayHaveCreated(incarnation.uid, id)) return false;
    return intent
      .alive(incarnation.plural, scene.world.now())
      .some(
        (other) =>
          other !== incarnation &&
          other.goneAt === undefined &&
          other.ids.at(-1) === id &&
          other.createdAt < since &&
          !isOfAnotherNamespace(other, id) &&
          isNeverAbandoned(other),
      );
  }

  /** The certificate of a site belongs into the namespace of its WebAccelSite: who came later, from elsewhere, only names it. */
  function isOfAnotherNamespace({ plural, namespace, createdAt }: Incarnation, id: string): boolean {
    if (plural !== 'sitecertificates') return false;
    return intent
      .alive('webaccelsites', scene.world.now())
      .some(
        (site) =>
          site.namespace !== namespace &&
          site.goneAt === undefined &&
          site.ids.at(-1) === id &&
          site.createdAt < createdAt &&
          isNeverAbandoned(site),
      );
  }
}

const allReadings: Readonly<
  Record<string, readonly { readonly field: string; readonly applied: readonly string[] }[]>
> = { sims: simReadings, mobilegateways: gatewayReadings, webaccelsites: [...siteReadings, ...originMembers] };

/** The fields that an operation writes. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  'PUT /commonserviceitem/:id': ['displayName'],
  'PUT /commonserviceitem/:id/sim/activate': ['activated'],
  'PUT /commonserviceitem/:id/sim/deactivate': ['activated'],
  'PUT /commonserviceitem/:id/sim/network_operator_config': ['carriers'],
  'PUT /commonserviceitem/:id/sim/ip': ['ipAddress'],
  'DELETE /commonserviceitem/:id/sim/ip': ['ipAddress'],
  'PUT /commonserviceitem/:id/sim/imeilock': ['imeiLock'],
  'DELETE /commonserviceitem/:id/sim/imeilock': ['imeiLock'],
  'POST /appliance/:id/mobilegateway/sims': ['gatewayRef'],
  'DELETE /appliance/:id/mobilegateway/sims/:id': ['gatewayRef'],
  'PUT /appliance/:id': ['internetConnection', 'interDeviceCommunication', 'privateInterface', 'staticRoutes'],
  'PUT /appliance/:id/mobilegateway/dnsresolver': ['dns'],
  'PUT /appliance/:id/mobilegateway/simroutes': ['simRoutes'],
  'PUT /appliance/:id/mobilegateway/traffic_monitoring': ['trafficMonitoring'],
  'DELETE /appliance/:id/mobilegateway/traffic_monitoring': ['trafficMonitoring'],
  'PUT webaccel/site/:id': [
    'displayName',
    'requestProtocol',
    'origin',
    ...originMembers.map(({ field }) => field),
    'defaultCacheTTL',
    'vary',
    'normalizeAcceptEncoding',
    'cors',
    'oneTimeURLSecretRef',
  ],
  'PUT webaccel/site/:id/acl': ['accessControl'],
  'DELETE webaccel/site/:id/acl': ['accessControl'],
};
