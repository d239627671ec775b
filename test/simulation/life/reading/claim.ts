import type { Incarnation, Version } from '../intent.ts';
import { isManaged, isPaused } from '../intent.ts';
import { at, textAt } from '../json.ts';
import { RIVAL } from '../rivals.ts';
import type { Scene } from '../scene.ts';

/** A resource that may have wanted a change, with all that users wanted of it while the change was decided. */
export interface Claim {
  readonly incarnation: Incarnation;
  /** Those under which the operator may act for it; never empty. */
  readonly versions: readonly Version[];
  /** Since when it may have been decided. Virtual milliseconds. */
  readonly since: number;
  /** What happened to it, to its Secrets and to what pauses it before this moment, counted when the change was sent. */
  readonly seen: number;
  /** It is being deleted. */
  readonly isDeleting: boolean;
}

/** The resources of a kind that the operator may act for in one account of the service, as it may see them at a moment. */
export function claims(scene: Scene, plural: string, account: string, moment: number): Claim[] {
  const since = scene.sight.since(moment);
  const seen = seenAt(scene, moment, since);
  const found: Claim[] = [];
  for (const incarnation of scene.intent.alive(plural, seen)) {
    if (!scene.accountsOf(incarnation, since).has(account)) continue;
    const versions = scene.intent.versionsOf(incarnation, seen).filter(isManaged);
    if (versions.length === 0 || isStopped(scene, incarnation, seen) || isOfRival(scene, incarnation, seen)) continue;
    found.push({ incarnation, versions, since, seen, isDeleting: incarnation.deletedAt !== undefined });
  }
  return found;
}

/**
 * Right before a change is sent it is asked whether what it was decided from is still so, as far as its process was told by
 * then: the resource, what pauses it, its Secrets, and who holds its namespace.
 */
function seenAt({ cause }: Scene, moment: number, since: number): number {
  const isOfCause = cause?.message.to === 'service' && cause.writtenAt === moment;
  return isOfCause ? Math.max(since, cause.seenUntil) : since;
}

/** Another installation held its namespace all the time. */
function isOfRival({ intent }: Scene, { namespace }: Incarnation, since: number): boolean {
  return intent.holdersOf(namespace, since).every((holder) => holder === RIVAL);
}

/** Its namespace, or its account, was paused all the time. */
export function isStopped(scene: Scene, incarnation: Incarnation, since: number): boolean {
  const isPausedThroughout = (one: Incarnation) => {
    const versions = scene.intent.versionsOf(one, since);
    return versions.length > 0 && versions.every(({ annotations }) => isPaused(annotations));
  };
  const namespaces = scene.intent.named('namespaces', '', incarnation.namespace);
  if (namespaces.some(isPausedThroughout)) return true;
  const accounts = scene.accountObjects(incarnation, since);
  return accounts.length > 0 && accounts.every(isPausedThroughout);
}

/** The IDs that a MobileGateway or a Sim of this name may have had at some time since. */
export function idsOf(scene: Scene, plural: string, namespace: string, name: string, since: number): Set<string> {
  const ids = new Set<string>();
  for (const incarnation of scene.intent.named(plural, namespace, name)) {
    if (incarnation.goneAt !== undefined && incarnation.goneAt < since) continue;
    for (const id of incarnation.ids) ids.add(id);
    const named = textAt(incarnation.versions.at(-1)?.spec, 'resourceID');
    if (named !== undefined) ids.add(named);
  }
  return ids;
}

/** The name at the service that a version asks for. */
export function displayNameOf({ name }: Incarnation, { spec }: Version): string {
  return textAt(spec, 'displayName') ?? name;
}

/** Whether deleting the resource may delete at the service, by some version. */
export function mayDelete(claim: Claim, isCreatedByIt: boolean): boolean {
  return (
    claim.isDeleting &&
    claim.versions.some(({ spec }) => {
      const policy = at(spec, 'deletionPolicy');
      return policy === 'Delete' || (policy === undefined && isCreatedByIt);
    })
  );
}
