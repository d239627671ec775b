import type { SimView } from '../../../../src/shadow/service/types.ts';
import { brakeReasons } from '../brakes.ts';
import type { Incarnation, Version } from '../intent.ts';
import { conditionOf, isPaused } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { displayNameOf } from '../reading/claim.ts';
import { RIVAL } from '../rivals.ts';
import { credentialsOf, openedBy, type Scene } from '../scene.ts';

/** So long what was found gone counts as missing, and a little more. Milliseconds. */
const MISSED = 660_000;

/** Why a resource may not be as its spec says, in the words of docs/reference/conditions.md; empty: it must be. */
export type Reasons = Set<string>;

/** What users want of it now. */
export function wanted(incarnation: Incarnation): Version {
  const last = incarnation.versions.at(-1);
  if (!last) throw new Error(`${incarnation.name} was never asked for`);
  return last;
}

/** Of those of a kind that are there now and are not being deleted. */
export function live(scene: Scene, plural: string): Incarnation[] {
  return scene.intent
    .alive(plural, scene.world.now())
    .filter(({ goneAt, deletedAt }) => goneAt === undefined && deletedAt === undefined);
}

/** What stands in the way of every kind: annotations, and the account. */
export function commonReasons(scene: Scene, incarnation: Incarnation): Reasons {
  const reasons: Reasons = new Set();
  const { annotations } = wanted(incarnation);
  const now = scene.world.now();
  if (annotations['edgeline.dev/abandon'] === 'true') reasons.add('Abandoned');
  const namespace = scene.intent.named('namespaces', '', incarnation.namespace).at(-1);
  const account = accountOf(scene, incarnation);
  if (scene.intent.holdersOf(incarnation.namespace, now).at(-1) === RIVAL) reasons.add('HeldElsewhere');
  if ([incarnation, namespace, account].some((one) => one?.versions.length && isPaused(wanted(one).annotations))) {
    reasons.add('Paused');
  }
  if (!account) {
    reasons.add('AccountNotFound').add('CredentialsGone');
    return reasons;
  }
  for (const reason of brakeReasons(scene, incarnation, account)) reasons.add(reason);
  for (const reason of accountReasons(scene, account)) reasons.add(reason);
  if (isLeftOfMany(scene, incarnation, account)) reasons.add('ManyMissing');
  if (namesForbidden(scene, incarnation)) reasons.add('SecretForbidden');
  return reasons;
}

/** It names a Secret that the operator may not read. */
function namesForbidden({ script }: Scene, incarnation: Incarnation): boolean {
  const { secretNames } = script.setting.flags ?? {};
  if (!secretNames) return false;
  const named = JSON.stringify(wanted(incarnation).spec).matchAll(/[sS]ecretRef":{[^}]*"name":"([^"]+)"/g);
  return [...named].some(([, name = '']) => !secretNames.includes(name));
}

/**
 * It is gone, was missing together with others as one list or another had it, and who saw that runs no more, or had a list that was
 * not whole to tell what became of them.
 */
function isLeftOfMany(scene: Scene, one: Incarnation, account: Incarnation): boolean {
  if (textAt(one.object, 'status', 'missingSince') === undefined) return false;
  const [lost] = lostAt(scene, one, worldOf(scene, account));
  if (lost === undefined) return false;
  return hasPartialLists(scene) || scene.world.processes.some(({ startedAt }) => (startedAt ?? 0) > lost);
}

function hasPartialLists({ script }: Scene): boolean {
  return script.steps.some(
    ({ what, ...step }) => what === 'fault' && textAt(step, 'fault', 'service')?.startsWith('list ') === true,
  );
}

/** Why an account can't be used, in the words of what is in it. */
export function accountReasons(scene: Scene, account: Incarnation): Reasons {
  const reasons: Reasons = new Set();
  const opened = worldOf(scene, account);
  if (opened === undefined)
    for (const reason of ['AccountNotReady', 'CredentialsRejected', 'SecretNotFound']) reasons.add(reason);
  if (opened !== undefined && lacksMuch(scene, account)) {
    for (const reason of ['ManyMissing', 'AccountChanged', 'AccountNotReady', 'NotTheSame']) reasons.add(reason);
  }
  // Credentials that are taken again are looked at minutes later, and nobody waits for what is being deleted.
  if (account.deletedAt !== undefined && account.deletedAt <= scene.world.now())
    for (const reason of ['AccountNotReady', 'CredentialsRejected']) reasons.add(reason);
  return reasons;
}

/** So many at once are no accident of a few. */
export const MANY = 3;

/** Credentials that were changed must show what was there before: one object may be all there was. */
export function lacksMuch(scene: Scene, account: Incarnation): boolean {
  const isAnew = wasOpenedAnew(scene, account);
  const one = isAnew || !isProven(account) || wasOneOfMany(scene, account);
  return missing(scene, account) >= (one ? 1 : MANY) || (isAnew && hasAsked(scene, account));
}

/** When people removed what the resource had in this account at the service. */
export function lostAt({ atService, lastEdit }: Scene, one: Incarnation, opened: string | undefined): number[] {
  const kind = kindOf(one);
  return one.ids
    .filter((id) => atService.accountOf(id) === opened && atService.now(kind, id) === undefined)
    .flatMap((id) => lastEdit(kind, id) ?? []);
}

/**
 * What is missing was missing together with others, of which some were let go, or have another in their place, since, or before a
 * process started: what was lost together counts together for as long as any of it is missing.
 */
function wasOneOfMany(scene: Scene, account: Incarnation): boolean {
  const opened = worldOf(scene, account);
  const losers = scene.intent.all.filter((one) => lostAt(scene, one, opened).length > 0);
  const first = Math.min(...losers.flatMap((one) => lostAt(scene, one, opened)));
  const hasAnother = (one: Incarnation) => scene.atService.now(kindOf(one), one.ids.at(-1) ?? '') !== undefined;
  const isAnyLetGo = losers.some(
    (one) => one.goneAt !== undefined || wanted(one).annotations['edgeline.dev/abandon'] === 'true' || hasAnother(one),
  );
  const isRestarted = scene.world.processes.some(({ startedAt }) => (startedAt ?? 0) > first);
  return losers.length >= MANY && (isAnyLetGo || isRestarted);
}

/**
 * Something of it, as from a backup without its status, may have asked for what only the account of then would show; what was about to
 * ask looks the same.
 */
function hasAsked(scene: Scene, account: Incarnation): boolean {
  return scene.intent.all.some(
    (one) =>
      one.goneAt === undefined &&
      (one.isRestored ||
        at(one.object, 'status', 'creationUnclear') !== undefined ||
        one.object.metadata.finalizers?.includes('edgeline.dev/create') === true) &&
      textAt(one.object, 'status', 'id') === undefined &&
      accountOf(scene, one) === account,
  );
}

/** It has once shown all that was on record; one whose first list lacked something may never have. */
function isProven({ object }: Incarnation): boolean {
  return textAt(object, 'status', 'identity') !== undefined;
}

/** Its Secret was changed, or it was made anew. */
function wasOpenedAnew(scene: Scene, account: Incarnation): boolean {
  const { namespace, name } = credentialsOf(account);
  const isAnother = scene.intent.named(account.plural, account.namespace, account.name).length > 1;
  return isAnother || scene.intent.secretValues(namespace, name, 'accessToken', 0).length > 1;
}

/**
 * How many objects that resources of the account have on record people removed. With these counts what a process deleted, as it
 * was to, that did not live to tell.
 */
function missing(scene: Scene, account: Incarnation): number {
  const world = worldOf(scene, account);
  const removed = scene.intent.all.filter((one) => isRemoved(scene, account, world, one)).length;
  const untold = scene.intent.all.filter((one) => isDeletedUntold(scene, world, one)).length;
  return removed === 0 ? 0 : removed + untold;
}

function isDeletedUntold(scene: Scene, world: string | undefined, one: Incarnation): boolean {
  const { deletedAt, goneAt } = one;
  const id = goneAt === undefined ? one.ids.at(-1) : undefined;
  if (id === undefined || deletedAt === undefined || scene.lastEdit(kindOf(one), id) !== undefined) return false;
  const isHere = scene.atService.accountOf(id) === world && scene.atService.now(kindOf(one), id) === undefined;
  return isHere && scene.world.processes.some(({ startedAt }) => (startedAt ?? 0) > deletedAt);
}

function isRemoved(scene: Scene, account: Incarnation, world: string | undefined, one: Incarnation): boolean {
  const id = one.goneAt === undefined ? one.ids.at(-1) : undefined;
  if (id === undefined) return false;
  // Made in another account while its credentials were in the Secret.
  if (scene.atService.accountOf(id) !== world) return accountOf(scene, one) === account;
  const kind = kindOf(one);
  if (scene.atService.now(kind, id) !== undefined) return wasMissing(scene, one, kind);
  return scene.lastEdit(kind, id) !== undefined || wasDeletedElsewhere(scene, one, id);
}

/** What it had before was removed, and is missed for a while after there is another. */
function wasMissing({ world, atService, lastEdit }: Scene, { ids }: Incarnation, kind: string): boolean {
  const [before, id] = ids.slice(-2);
  if (before === undefined || id === undefined || lastEdit(kind, before) === undefined) return false;
  return world.now() - (atService.madeAt(id) ?? 0) < MISSED;
}

/** It was deleted with a resource that has an account, and so lists, of its own: those of this one may have shown it still. */
function wasDeletedElsewhere(scene: Scene, one: Incarnation, id: string): boolean {
  return scene.intent.all.some(
    (other) =>
      other.uid !== one.uid &&
      other.deletedAt !== undefined &&
      other.ids.includes(id) &&
      accountOf(scene, other) !== accountOf(scene, one),
  );
}

/** The account in the cluster that a resource uses. */
export function accountOf(scene: Scene, incarnation: Incarnation): Incarnation | undefined {
  const all = scene.accountObjects(incarnation, scene.world.now()).filter(({ goneAt }) => goneAt === undefined);
  const recorded = textAt(incarnation.object, 'status', 'accountRef', 'kind');
  const chosen = all.filter(({ plural }) => plural === `${recorded?.toLowerCase()}s`);
  const found = chosen.length > 0 ? chosen : all;
  return found.find(({ plural }) => plural === 'cloudaccounts') ?? found[0];
}

/** The account at the service that it opens now. */
export function worldOf(scene: Scene, account: Incarnation): string | undefined {
  const { namespace, name } = credentialsOf(account);
  const token = scene.intent.secretValues(namespace, name, 'accessToken', scene.world.now()).at(-1);
  const secret = scene.intent.secretValues(namespace, name, 'accessTokenSecret', scene.world.now()).at(-1);
  const known = scene.script.setting.credentials.find(({ accessToken }) => accessToken === token);
  return known?.accessTokenSecret === secret ? openedBy(scene.script, token) : undefined;
}

/** The SIMs at the service that have the ICCID of a Sim. */
export function simsOfICCID(scene: Scene, incarnation: Incarnation): SimView[] {
  const account = accountOf(scene, incarnation);
  const world = account && worldOf(scene, account);
  const all = world === undefined ? [] : [...scene.world.service.world(world).sims.values()];
  return all.filter(({ iccid }) => iccid === wanted(incarnation).spec['iccid']);
}

/** What of the service's a resource that is no site's has. */
export function kindOf({ plural }: Incarnation): 'sims' | 'gateways' {
  return plural === 'sims' ? 'sims' : 'gateways';
}

export function isExtended(account: Incarnation | undefined): boolean {
  return account !== undefined && wanted(account).spec['dialect'] === 'Extended';
}

/** Others of its kind, in the same account, that mean the same by this. */
export function rivals(
  scene: Scene,
  incarnation: Incarnation,
  isSame: (spec: Version['spec'], other: Incarnation) => boolean,
  plural = incarnation.plural,
): boolean {
  const account = accountOf(scene, incarnation);
  const world = account && worldOf(scene, account);
  return scene.intent.alive(plural, scene.world.now()).some((other) => {
    if (other === incarnation || other.goneAt !== undefined) return false;
    // It was told to let go of it.
    if (wanted(other).annotations['edgeline.dev/abandon'] === 'true') return false;
    const account = accountOf(scene, other);
    return account !== undefined && worldOf(scene, account) === world && isSame(wanted(other).spec, other);
  });
}

export function secretNow(
  scene: Scene,
  namespace: string,
  name: string | undefined,
  key: string | undefined,
): string | undefined {
  if (name === undefined || key === undefined) return undefined;
  return scene.intent.secretValues(namespace, name, key, scene.world.now()).at(-1);
}

/** What its conditions give as reasons. */
export function toldReasons({ object }: Incarnation): string[] {
  return ['Ready', 'Synced', 'Reconciling', 'Stalled'].flatMap((type) => conditionOf(object, type)?.reason ?? []);
}

/** Whether it says that it is as its spec says. */
export function isGood({ object }: Incarnation): boolean {
  const [ready, synced] = [conditionOf(object, 'Ready'), conditionOf(object, 'Synced')];
  const isSynced = synced?.status === 'True' && synced.generation === (object.metadata.generation ?? 0);
  return isSynced && ready?.status === 'True';
}

export function gatewayNamed(scene: Scene, namespace: string, name: string): Incarnation | undefined {
  return scene.intent.named('mobilegateways', namespace, name).findLast(({ goneAt }) => goneAt === undefined);
}

export function idOf({ object }: Incarnation): string | undefined {
  return textAt(object, 'status', 'id');
}

/** It came from a backup and names an ID: in place of what is not there nothing is made until a person says that it is gone. */
export function isNamedByBackup(incarnation: Incarnation): boolean {
  return incarnation.isRestored && idOf(incarnation) !== undefined;
}

/** Its backup names a gateway that people renamed since, or before: it is not taken over until a person says that it is the one. */
export function isOfAnotherName(scene: Scene, incarnation: Incarnation): boolean {
  const version = wanted(incarnation);
  if (!isNamedByBackup(incarnation) || version.spec['resourceID'] !== undefined) return false;
  const view = scene.atService.now('gateways', idOf(incarnation) ?? '');
  return view !== undefined && view.name !== displayNameOf(incarnation, version);
}

export function nameIn(spec: Version['spec'], field: string): string | undefined {
  return textAt(spec, field, 'name');
}
