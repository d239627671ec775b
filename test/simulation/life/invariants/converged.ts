import type { GatewayView } from '../../../../src/shadow/service/types.ts';
import type { Views } from '../at-service.ts';
import { isGuarded, isLongOver, isLongWithin, isOver, isStoppedFor, LISTED } from '../data-limit.ts';
import { conditionOf, type Incarnation, type Version } from '../intent.ts';
import { textAt } from '../json.ts';
import { gatewayReadings } from '../reading/gateway.ts';
import { originMembers, versionsOfType } from '../reading/origin-members.ts';
import { type FieldReading, isInSpec, listedCarriers, simReadings } from '../reading/sim.ts';
import { siteReadings } from '../reading/site.ts';
import { nameOf, type Scene } from '../scene.ts';
import { packed } from './certificates.ts';
import {
  accountOf,
  idOf,
  isExtended,
  isGood,
  live,
  type Reasons,
  secretNow,
  toldReasons,
  wanted,
} from './diagnosis.ts';
import { gatewayReasons } from './gateway-reasons.ts';
import type { FinalInvariant, Say } from './invariant.ts';
import { neverSent } from './never-shown.ts';
import { simReasons } from './sim-reasons.ts';
import { certificateReasons, leafOf, siteOf, siteReasons } from './site-reasons.ts';

/** What is at rest is Ready and as its spec says, or says truthfully why not. */
export const converged: FinalInvariant = {
  name: 'as its spec says',
  check(scene, say) {
    for (const incarnation of live(scene, 'sims')) {
      const id = idOf(incarnation);
      const view = id === undefined ? undefined : scene.atService.now('sims', id);
      judge(scene, incarnation, simReasons(scene, incarnation, view), say, () => [
        ...fieldsApart(scene, incarnation),
        ...guardDifferences(scene, incarnation, view),
      ]);
    }
    for (const incarnation of live(scene, 'mobilegateways')) {
      const id = idOf(incarnation);
      const view = id === undefined ? undefined : scene.atService.now('gateways', id);
      judge(scene, incarnation, gatewayReasons(scene, incarnation, view), say, () => [
        ...fieldsApart(scene, incarnation),
        ...(JSON.stringify(view?.pending) === JSON.stringify(view?.applied) ? [] : ['its settings are not in effect']),
        ...resolversLeft(scene, incarnation, view),
      ]);
    }
    for (const incarnation of live(scene, 'webaccelsites')) {
      const view = siteOf(scene, incarnation);
      judge(scene, incarnation, siteReasons(scene, incarnation, view), say, () => [
        ...fieldsApart(scene, incarnation),
        ...(view ? [...membersLeft(scene, incarnation, view), ...neverSent(scene, incarnation, view)] : []),
      ]);
    }
    for (const incarnation of live(scene, 'sitecertificates')) {
      const view = siteOf(scene, incarnation);
      judge(scene, incarnation, certificateReasons(scene, incarnation, view), say, () => {
        const { spec } = wanted(incarnation);
        const chain = secretNow(scene, incarnation.namespace, textAt(spec, 'secretRef', 'name'), 'tls.crt');
        const current = view?.current?.chain ?? '';
        if (packed(chain ?? '') === packed(current)) return [];
        // Whoever puts another chain for it there by hand can't be told from a service that does so.
        if (view && leafOf(chain ?? '') === leafOf(current) && scene.lastEdit('sites', view.id) !== undefined)
          return [];
        return [`the site ${view?.domain} has another certificate than its Secret`];
      });
    }
  },
};

function judge(scene: Scene, incarnation: Incarnation, reasons: Reasons, say: Say, differ: () => string[]): void {
  const name = nameOf(incarnation);
  const told = toldReasons(incarnation);
  const [ready, synced] = [conditionOf(incarnation.object, 'Ready'), conditionOf(incarnation.object, 'Synced')];
  const isObserved = wanted(incarnation).spec['managementPolicy'] === 'Observe';
  const told1 = `Ready=${ready?.status} ${ready?.reason}, Synced=${synced?.status} ${synced?.reason}: ${synced?.message ?? ready?.message}`;
  if (told.includes('InternalError'))
    return say(`${name} reports an InternalError: ${ready?.message} ${synced?.message}`);
  if (reasons.has('Abandoned') || reasons.has('Paused')) return;
  if (ready?.status === 'True' && isToldByAccount(scene, incarnation, reasons)) return;
  const found = differ();
  if (isGood(incarnation)) {
    if (found.length > 0) say(`${name} says that it is as its spec says, but ${found.join('; ')}`);
    return;
  }
  if (told.some((reason) => reasons.has(reason))) return;
  if (isObserved && (found.length === 0 ? told.includes('Observed') : told.includes('DriftObserved'))) return;
  const why = reasons.size === 0 ? 'nothing is in its way' : `what is in its way is ${[...reasons].join(' or ')}`;
  say(`${name} is not as its spec says, though ${why}: ${told1} (${found.join('; ') || 'nothing differs'})`);
}

/** Of what was Ready when its account could be used no more, the account's own status says why nothing is seen any more. */
function isToldByAccount(scene: Scene, incarnation: Incarnation, reasons: Reasons): boolean {
  const account = accountOf(scene, incarnation);
  const ready = account && conditionOf(account.object, 'Ready');
  if (ready?.status !== 'False') return false;
  // Of one that is being deleted this comes after what it is in use by.
  if (ready.reason === 'InUse')
    return ready.message.includes('Of the account itself:') && reasons.has('AccountChanged');
  // What is missing under credentials that did not change, resources report themselves.
  return ready.reason !== 'ManyMissing' && reasons.has(ready.reason);
}

/** The fields in which the service differs from the spec, of whatever has fields there; each begins with its name. */
export function fieldsApart(scene: Scene, incarnation: Incarnation): string[] {
  const id = idOf(incarnation) ?? '';
  switch (incarnation.plural) {
    case 'sims':
      return differences(scene, incarnation, 'sims', simReadings, scene.atService.now('sims', id));
    case 'mobilegateways':
      return differences(scene, incarnation, 'gateways', gatewayReadings, scene.atService.now('gateways', id));
    case 'webaccelsites':
      return differences(scene, incarnation, 'sites', siteReadings, siteOf(scene, incarnation));
    default:
      return [];
  }
}

function differences<K extends keyof Views>(
  scene: Scene,
  incarnation: Incarnation,
  kind: K,
  readings: readonly FieldReading<Views[K]>[],
  view: Views[K] | undefined,
): string[] {
  if (!view) return ['it is not at the service'];
  const version = wanted(incarnation);
  const now = scene.world.now();
  const isUnchangeable = (field: string) =>
    field === 'displayName' && incarnation.plural === 'sims' && !isExtended(accountOf(scene, incarnation));
  return readings.flatMap((reading) => {
    const { field } = reading;
    if (isInSpec(version, field)) {
      return reading.holds(scene, incarnation, version, view, now) || isStopped(scene, field, version, view)
        ? []
        : [`${field} is ${JSON.stringify(reading.part(view))}, not ${JSON.stringify(version.spec[field])}`];
    }
    if (field === 'dns' || field === 'displayName' || isUnchangeable(field)) return [];
    const last = incarnation.versions.findLastIndex((one) => isInSpec(one, field));
    const left = incarnation.versions[last + 1];
    if (last < 0 || !left || !isOwn(scene, incarnation, kind, view.id, reading, last)) return [];
    // Once it is unset it is nobody's: what people make of it then stays.
    if (kind === 'sims' && field === 'carriers') return carriersLeft(scene, incarnation, view.id, left.at);
    const isUnset = (past: Views[K]) => reading.isUnset(past, past, incarnation.name);
    if (isUnset(view)) return [];
    const isDone = scene.atService.pastOf(kind, view.id, left.at).some(isUnset);
    const isOfOthers = isDone && isWrittenByOthers(scene, incarnation, kind, view.id, field, left.at);
    return isOfOthers ? [] : [`${field} left the spec and is still ${JSON.stringify(reading.part(view))}`];
  });
}

/** Whether people, or another resource, may have made of a field what it is since it was unset. */
function isWrittenByOthers(
  scene: Scene,
  { uid }: Incarnation,
  kind: keyof Views,
  id: string,
  field: string,
  since: number,
): boolean {
  if (scene.firstEdit(kind, id, since) !== undefined) return true;
  return scene.intent.all.some((one) => one.uid !== uid && scene.ownership.changedIt(one.uid, id, field, since));
}

/** A SIM over its limit is not to be active, whatever else its spec says. */
function isStopped(scene: Scene, field: string, version: Version, view: { readonly id: string }): boolean {
  const sim = field === 'activated' ? scene.atService.now('sims', view.id) : undefined;
  return sim?.activated === false && isGuarded(version) && isOver(scene, version, sim, scene.world.now() - LISTED);
}

/** What the guard of its limit has not done, or not undone. */
function guardDifferences(scene: Scene, incarnation: Incarnation, view: Views['sims'] | undefined): string[] {
  const version = wanted(incarnation);
  if (!view || (scene.lastEdit('sims', view.id) ?? -Infinity) > scene.world.now() - LISTED) return [];
  if (view.activated && isGuarded(version) && isLongOver(scene, version, view))
    return ['it is over its limit, and active'];
  if (view.activated || isInSpec(version, 'activated') || !isStoppedFor(scene, incarnation, view.id)) return [];
  // A spec that said false meanwhile has it inactive by itself, and what it leaves so stays so.
  if (incarnation.isRestored || incarnation.versions.some(({ spec }) => spec['activated'] === false)) return [];
  if (scene.ownership.owns(incarnation.uid, view.id, 'activated')) return [];
  const isOpen = !isGuarded(version) || isLongWithin(scene, version, view);
  return isOpen ? ['it was active before it was over its limit, and is not active again'] : [];
}

/** What left an origin of the same type, and was never put back to its default. */
function membersLeft(scene: Scene, incarnation: Incarnation, view: Views['sites']): string[] {
  return originMembers.flatMap(({ field, part, isUnset }) => {
    const versions = versionsOfType(incarnation.versions, field);
    const last = versions.findLastIndex((version) => isInSpec(version, field));
    const left = versions[last + 1];
    if (last < 0 || !left || !scene.ownership.changedIt(incarnation.uid, view.id, field)) return [];
    const isDone = scene.atService
      .pastOf('sites', view.id, left.at)
      .some((past) => isUnset(past, past, incarnation.name));
    return isDone ? [] : [`${field} left the spec and is still ${JSON.stringify(part(view))}`];
  });
}

/** What it wrote, and what it created: that must be unset when it leaves the spec. `last`: the version that has it last. */
function isOwn<K extends keyof Views>(
  scene: Scene,
  { uid, isRestored, versions, name }: Incarnation,
  kind: K,
  id: string,
  { field, isUnset }: FieldReading<Views[K]>,
  last: number,
): boolean {
  // What a person set is no more its own than on an object that was there before.
  const isByHand = scene.firstEdit(kind, id, 0) !== undefined;
  const isOnlyCreator = scene.intent.all.filter((one) => scene.atService.mayHaveCreated(one.uid, id)).length === 1;
  // Somebody else may have had what was abandoned: what it is that is never shown is not known any more.
  if (field === 'oneTimeURLSecretRef' && isAbandoned(versions[last])) return false;
  // What was unset when it left the spec before, and is there when it comes back, was found.
  const without = versions.findLastIndex((version, index) => index < last && !isInSpec(version, field));
  const left = versions[versions.findLastIndex((version, index) => index < without && isInSpec(version, field)) + 1];
  const absent = left ? scene.atService.pastOf(kind, id, left.at, versions[without + 1]?.at) : [];
  const since = left && absent.some((past) => isUnset(past, past, name)) ? left.at : 0;
  return (
    scene.ownership.changedIt(uid, id, field, since) ||
    (!isRestored && !isByHand && isOnlyCreator && scene.atService.mayHaveCreated(uid, id))
  );
}

function isAbandoned(version: Version | undefined): boolean {
  return version?.annotations['edgeline.dev/abandon'] === 'true';
}

/** The service can't remove resolvers, so somebody has to be told that they stay. */
function resolversLeft(scene: Scene, incarnation: Incarnation, view: GatewayView | undefined): string[] {
  if (!view?.dns || isInSpec(wanted(incarnation), 'dns')) return [];
  const isTold = toldReasons(incarnation).includes('DNSNotRemovable');
  const isOwn = scene.ownership.changedIt(incarnation.uid, view.id, 'dns') && !incarnation.isRestored;
  return isOwn && !isTold ? ['dns left the spec, and nothing says that the resolvers stay'] : [];
}

/** Of the carriers that left the spec, those that were never allowed again. */
function carriersLeft(scene: Scene, incarnation: Incarnation, id: string, since: number): string[] {
  // A carrier that was listed before anything was written about it was never this resource's.
  if (!scene.ownership.changedIt(incarnation.uid, id, 'carriers')) return [];
  const past = scene.atService.pastOf('sims', id, since);
  const listed = incarnation.versions.filter(({ at }) => at < since).at(-1);
  return (listed ? listedCarriers(listed.spec) : [])
    .filter(({ name }) => !past.some(({ carriers }) => carriers.some((one) => one.name === name && one.allow)))
    .map(({ name }) => `the carrier ${name} left the spec and is still not allowed`);
}
