import type { Change, SimView } from '../../../src/shadow/service/types.ts';
import { monthStart } from '../../../src/simulator/dates.ts';
import { trafficBetween } from '../../../src/simulator/sim/session.ts';
import { type Incarnation, isManaged, type Version } from './intent.ts';
import { at, textAt } from './json.ts';
import { isByOperator, type Scene } from './scene.ts';

/** A list may be so old, and what follows from it comes a moment later. Milliseconds. */
export const LISTED = 75_000;

const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, G: 1e9, Ki: 1024, Mi: 1_048_576, Gi: 1_073_741_824 };

/** The bytes that a version lets through in a month; undefined: any. */
export function limitOf({ spec }: Version): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(textAt(spec, 'dataLimit', 'monthly') ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit] ?? 1);
}

/** Whether more than a version lets had gone through the SIM, by then, in the month of a moment (virtual milliseconds). */
export function isOver(scene: Scene, version: Version, view: SimView, moment: number): boolean {
  const limit = limitOf(version);
  const now = scene.world.epoch + Math.floor(moment);
  const { uplinkBytes, downlinkBytes } = trafficBetween(view, monthStart(now), now);
  return limit !== undefined && uplinkBytes + downlinkBytes > limit;
}

/** Whether a version has a SIM over its limit inactive, and would have it active otherwise, or as it is. */
export function isGuarded(version: Version): boolean {
  return (
    textAt(version.spec, 'dataLimit', 'action') === 'Deactivate' &&
    at(version.spec, 'activated') !== false &&
    isManaged(version)
  );
}

/** Whether a month turns within a day of a moment: then a counter that goes down is believed. */
export function isNearTurn(scene: Scene, moment: number): boolean {
  const now = scene.world.epoch + Math.floor(moment);
  return monthStart(now - DAY) !== monthStart(now + DAY);
}

/** Over its limit now and as the list had it: it must be known by now. */
export function isLongOver(scene: Scene, version: Version, view: SimView): boolean {
  const now = scene.world.now();
  return isOver(scene, version, view, now - LISTED) && isOver(scene, version, view, now);
}

/** At no time of this month, nor as any list had it: within a month no counter goes down, so a smaller one is not believed. */
export function isLongWithin(scene: Scene, version: Version, { id }: SimView): boolean {
  return !wasOver(scene, version, id, scene.world.now());
}

function wasOver(scene: Scene, version: Version, id: string, moment: number): boolean {
  const past = scene.atService.pastOf('sims', id, 0);
  return past.some((view) => isOver(scene, version, view, moment) || isOver(scene, version, view, moment - LISTED));
}

/**
 * Whether a version asks for the deactivation of a SIM for its limit: it was over it at some time of this month, or just before,
 * for a list that is late may still show the month before.
 */
export function asksToStop(scene: Scene, version: Version, id: string, moment: number): boolean {
  return isGuarded(version) && wasOver(scene, version, id, moment);
}

/**
 * Whether it is the guard of this resource that has the SIM inactive: by what it asked for when the operator deactivated it.
 * `except`: a change that does not count.
 */
export function isStoppedFor(scene: Scene, { versions }: Incarnation, id: string, except?: Change): boolean {
  const last = scene.world.service.changes.findLast((change) => change !== except && toggled(change, id) !== undefined);
  if (!last || !isByOperator(last) || toggled(last, id) !== false) return false;
  const moment = last.at - scene.world.epoch;
  return versions.some((version) => version.at <= moment && asksToStop(scene, version, id, moment));
}

/** Whether a change made the SIM active, or inactive; undefined: neither. */
function toggled({ objects }: Change, id: string): boolean | undefined {
  for (const { kind, id: of, before, after } of objects) {
    if (kind === 'sims' && of === id && before && after && before.activated !== after.activated) return after.activated;
  }
  return undefined;
}
