import type { Braked } from '../../reconcile/brakes.ts';
import type { CloudAccountSpec } from './schema.ts';

/** One deletion or creation that was let through, as the account's status has it. */
export interface Grant {
  readonly action: Braked;
  readonly namespace: string;
  /** Of the resource: its UID; of what is created once more also the ID of what vanished. */
  readonly key: string;
  /** When, at the latest, by the cluster's clock; milliseconds since the epoch. */
  readonly at: number;
}

/** A grant, and for how long it has been there at least; milliseconds. */
export interface AgedGrant extends Grant {
  readonly age: number;
}

/** A resource whose deletion or creation is asked for, and was not let go by a person. */
export interface Waiting {
  /** As in {@link Grant}. */
  readonly key: string;
  /** When it was asked for, by the cluster's clock; milliseconds since the epoch. */
  readonly askedAt: number;
  /** Its status says that it is held. */
  readonly isHeld: boolean;
  /** With how many that was, at most; absent: that is not on record. */
  readonly heldAmong?: number | undefined;
}

/** What is asked for, of one namespace with one account. */
export interface Census {
  readonly waiting: readonly Waiting[];
  /** The UIDs of those that have something in the account, whether it is to be deleted or not. */
  readonly present: ReadonlySet<string>;
}

/** How much may be done in an hour; undefined: any number. */
export interface Brake {
  readonly perHour: number;
  /** Percent of what there is, which holds where it is more than {@link FEW}; undefined: only the number counts. */
  readonly percent: number | undefined;
}

/** The result of counting. */
export interface Count {
  /** Asked for, and may not be sent. */
  readonly waiting: number;
  /** Let through, and not long enough ago. */
  readonly done: number;
  /** Of how many. */
  readonly total: number;
  /** How many an hour may be. */
  readonly limit: number;
  /** How many it were, with those that somebody has taken out since. */
  readonly among: number;
  readonly isOver: boolean;
}

const MINUTE_MILLISECONDS = 60_000;
export const HOUR_MILLISECONDS = 60 * MINUTE_MILLISECONDS;
/** For so long something that was let through may be sent. Milliseconds. */
export const GOOD_MILLISECONDS = 10 * MINUTE_MILLISECONDS;
/** It counts for an hour after the last moment at which it may have been sent. Milliseconds. */
export const COUNTED_MILLISECONDS = HOUR_MILLISECONDS + GOOD_MILLISECONDS;
/** So many may always be deleted, whatever their share: in a small account that is a day's work. */
const FEW = 3;
const DELETIONS_PER_HOUR = 10;
const DELETIONS_PERCENT = 50;
const CREATIONS_PER_HOUR = 10;

/** The brake of an account on what is asked for; undefined where it is switched off. Pure. */
export function brakeOf(spec: Pick<CloudAccountSpec, 'brakes'> | undefined, action: Braked): Brake | undefined {
  const { deletions, gatewayCreations } = spec?.brakes ?? {};
  if (action === 'Creation') {
    if (gatewayCreations?.policy === 'Allow') return undefined;
    return { perHour: gatewayCreations?.maxPerHour ?? CREATIONS_PER_HOUR, percent: undefined };
  }
  if (deletions?.policy === 'Allow') return undefined;
  return {
    perHour: deletions?.maxPerHour ?? DELETIONS_PER_HOUR,
    percent: deletions?.maxPercent ?? DELETIONS_PERCENT,
  };
}

/** How many an hour may be of so many. Pure. */
export function limitOf({ perHour, percent }: Brake, total: number): number {
  if (percent === undefined) return perHour;
  return Math.min(perHour, Math.max(FEW, Math.floor((total * percent) / 100)));
}

/** When those that are held were asked for, the first one first. Pure. */
export function heldTimes(waiting: readonly Waiting[]): readonly number[] {
  const times = waiting.filter(({ isHeld, askedAt }) => isHeld && !Number.isNaN(askedAt)).map(({ askedAt }) => askedAt);
  return times.sort((one, other) => one - other);
}

/**
 * Whether a grant still counts: for the hour, and for as long as something is held that was asked for within an hour of it.
 * Otherwise what is left of a mishap would go on an hour later. `held` are the {@link heldTimes} of the same namespace and
 * action: whoever may write the status may put thousands of grants on record, beside thousands that are held. Pure.
 */
export function counts(grant: AgedGrant, held: readonly number[]): boolean {
  if (grant.age < COUNTED_MILLISECONDS) return true;
  const first = firstFrom(held, grant.at - COUNTED_MILLISECONDS);
  return first !== undefined && first <= grant.at + COUNTED_MILLISECONDS;
}

/** The first of them that is not before; undefined: all are. */
function firstFrom(times: readonly number[], least: number): number | undefined {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((times[middle] ?? least) < least) low = middle + 1;
    else high = middle;
  }
  return times[low];
}

/**
 * Counts what was let through and what waits. All that waits counts, so that a mass deletion is held as soon as it is
 * visible, and held until a person lets go: that others were rescued, or let go one by one, is not said of those that are
 * left. `grants` are those of the namespace and action. Pure.
 */
export function countOf(brake: Brake, grants: readonly AgedGrant[], { waiting, present }: Census): Count {
  const held = heldTimes(waiting);
  const counting = grants.filter((grant) => counts(grant, held));
  const granted = new Set(counting.map(({ key }) => key));
  // What was let through and not sent in time asks once more: it waits, and counts once.
  const good = new Set(counting.filter(isGood).map(({ key }) => key));
  const left = new Set(waiting.map(({ key }) => key).filter((key) => !good.has(key)));
  const asked = new Set([...granted, ...left]).size;
  const total = new Set([...present, ...granted]).size;
  const limit = limitOf(brake, total);
  const among = waiting.reduce((most, { isHeld, heldAmong = 0 }) => (isHeld ? Math.max(most, heldAmong) : most), asked);
  return { waiting: left.size, done: asked - left.size, total, limit, among, isOver: among > limit };
}

/** Whether something that was let through may still be sent. Pure. */
export function isGood(grant: AgedGrant): boolean {
  return grant.age < GOOD_MILLISECONDS;
}
