import { type Incarnation, isManaged, type Version } from './intent.ts';
import { at, textAt } from './json.ts';
import { accountObjectsOf, type Scene } from './scene.ts';

/** A brake of an account as its spec has it: how many an hour, and how large a share. */
export interface BrakeReading {
  readonly perHour: number;
  readonly percent: number;
}

export type BrakeName = 'deletions' | 'gatewayCreations';

/** The brake that a version of an account has; undefined: none (docs/reliability.md). */
export function brakeIn({ spec }: Version, name: BrakeName): BrakeReading | undefined {
  if (textAt(spec, 'brakes', name, 'policy') === 'Allow') return undefined;
  const perHour = at(spec, 'brakes', name, 'maxPerHour');
  const percent = at(spec, 'brakes', name, 'maxPercent');
  return {
    perHour: typeof perHour === 'number' ? perHour : 10,
    percent: typeof percent === 'number' ? percent : 50,
  };
}

/** How many of so many may be deleted in an hour. */
export function mostDeletions({ perHour, percent }: BrakeReading, total: number): number {
  return Math.min(perHour, Math.max(3, Math.floor((total * percent) / 100)));
}

/** Whether a person let go what was asked for at that time: for the resource, or for all of its account. */
export function isReleased(
  incarnation: Incarnation,
  account: Incarnation | undefined,
  annotation: string,
  askedAt: string | undefined,
): boolean {
  const asked = Date.parse(askedAt ?? '');
  return [incarnation, ...(account ? [account] : [])].some(({ versions }) =>
    versions.some(({ annotations }) => Date.parse(annotations[annotation] ?? '') >= asked),
  );
}

/** Why deletions or creations of a resource may be held at the end, as far as its account's brakes go. */
export function brakeReasons(scene: Scene, incarnation: Incarnation, account: Incarnation): string[] {
  const version = account.versions.at(-1);
  if (!version || !['sims', 'mobilegateways'].includes(incarnation.plural)) return [];
  const now = scene.world.now();
  const own = scene.intent.all.filter(
    (one) =>
      ['sims', 'mobilegateways'].includes(one.plural) &&
      one.namespace === incarnation.namespace &&
      accountObjectsOf(scene.intent, one, 0).includes(account),
  );
  const reasons: string[] = [];
  const deletions = brakeIn(version, 'deletions');
  if (deletions && incarnation.deletedAt !== undefined) {
    // What a process made and died of is deleted before any status names it.
    const leaving = own.filter(
      ({ uid, deletedAt, ids }) =>
        deletedAt !== undefined && deletedAt <= now && (ids.length > 0 || scene.atService.mayHaveAny(uid)),
    );
    const present = own.filter(({ goneAt, ids }) => goneAt === undefined && ids.length > 0);
    const total = new Set([...leaving, ...present]).size;
    const isLetGo = isReleased(
      incarnation,
      account,
      'edgeline.dev/release-deletions',
      incarnation.object.metadata.deletionTimestamp,
    );
    // What is gone may have gone at any time, and the account may have been smaller then.
    if (leaving.length > mostDeletions(deletions, Math.min(total, present.length)) && !isLetGo) {
      reasons.push('DeletionHeld');
    }
  }
  const creations = brakeIn(version, 'gatewayCreations');
  if (creations && incarnation.plural === 'mobilegateways') {
    const made = own.filter(
      ({ plural, versions }) => plural === 'mobilegateways' && versions.some((one) => isManaged(one)),
    );
    const ids = made.reduce((sum, one) => sum + Math.max(1, one.ids.length), 0);
    // One that had a gateway and is held asks for another.
    const more = incarnation.ids.length > 0 ? 1 : 0;
    if (ids + more > creations.perHour) reasons.push('CreationHeld');
  }
  return reasons;
}
