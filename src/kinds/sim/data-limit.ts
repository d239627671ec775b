import { timeFrom, timestamp } from '../../kubernetes/objects.ts';
import type { OwnVerdict } from '../../reconcile/conditions.ts';
import { monthOf } from '../common/month.ts';
import { quantityBytes } from '../common/quantity.ts';
import type { Excess, LimitReading, ObservedSim } from './facts.ts';
import { OwnReason, SimReason } from './reasons.ts';
import type { Sim, SimSpec } from './schema.ts';

/**
 * So far from the turn of a month a counter may still be that of the month before, or that of the next one already: the
 * service may reset it late, and this clock, and what counts as midnight, may be another than the service's. Milliseconds.
 */
const TURN_MILLISECONDS = 24 * 3_600_000;

/** What the reading follows from. */
interface Evidence {
  readonly spec: Pick<SimSpec, 'dataLimit' | 'managementPolicy'>;
  readonly observed: Pick<ObservedSim, 'activated' | 'traffic'>;
  /** The excess on record. */
  readonly recorded: Excess | undefined;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}

/** How the SIM stands to the limit of its spec, of which the list of this moment tells; undefined without a limit. Pure. */
export function readLimit({ spec, observed, recorded, now }: Evidence): LimitReading | undefined {
  const limit = limitBytes(spec);
  if (spec.dataLimit === undefined || limit === undefined) return undefined;
  const bytes = observed.traffic && observed.traffic.uplinkBytes + observed.traffic.downlinkBytes;
  const standing = recorded && stands(recorded, bytes, now) ? recorded : undefined;
  const most = Math.max(standing?.bytes ?? 0, bytes ?? 0);
  if (most <= limit) return { state: bytes === undefined ? 'Unknown' : 'Within' };
  const isOld = standing !== undefined && !isOfNewMonth(standing, { observed, bytes, now });
  return {
    state: 'Exceeded',
    excess: isOld ? standing : { month: monthOf(now), exceededAt: timestamp(now), bytes: bytes ?? most },
    stops: spec.dataLimit.action === 'Deactivate' && spec.managementPolicy !== 'Observe',
  };
}

/** The limit, in bytes. */
function limitBytes({ dataLimit }: Pick<SimSpec, 'dataLimit'>): number | undefined {
  return dataLimit && quantityBytes(dataLimit.monthly);
}

/**
 * Whether what is on record still counts. Within a month no counter goes down: one that does is a list that shows too little.
 * Where a month may have turned since, it has begun anew.
 */
function stands({ exceededAt, bytes }: Excess, shown: number | undefined, now: number): boolean {
  const since = timeFrom(exceededAt);
  if (since === undefined) return false;
  if (shown === undefined || shown >= bytes) return true;
  return monthOf(since - TURN_MILLISECONDS) === monthOf(now + TURN_MILLISECONDS);
}

/**
 * Whether the excess on record is over, and this is another one. A SIM that is not active adds nothing, so its counter is that
 * of the month on record however late it is reset.
 */
function isOfNewMonth(
  { month, exceededAt }: Excess,
  {
    observed,
    bytes,
    now,
  }: Pick<Evidence, 'now'> & { observed: Pick<ObservedSim, 'activated'>; bytes: number | undefined },
): boolean {
  if (bytes === undefined || !observed.activated) return false;
  const isLater = Date.parse(exceededAt) < now - TURN_MILLISECONDS;
  return isLater && monthOf(now) !== month && monthOf(now - TURN_MILLISECONDS) !== month;
}

/** Whether a status tells what the list shows of the limit: a SIM beyond it, and one that came back, is looked at. Pure. */
export function tellsLimit(
  recorded: Excess | undefined,
  { traffic }: Pick<ObservedSim, 'traffic'>,
  { spec }: Pick<Sim, 'spec'>,
): boolean {
  const limit = limitBytes(spec);
  if (limit === undefined) return recorded === undefined;
  if (!traffic) return true;
  return traffic.uplinkBytes + traffic.downlinkBytes > limit === (recorded !== undefined);
}

/** What the limit has to do with whether the SIM is active: it stopped it, is yet to stop it, or has no part in it. */
export type LimitedActivity = 'stopped' | 'to be stopped' | 'not its matter';

/**
 * The condition WithinDataLimit; undefined without a limit. Its message has no figure that each list changes. `activity`: as the
 * SIM was last seen, for what is asked may wait for its turn, for approval or for the service. Pure.
 */
export function limitVerdict(
  { dataLimit }: Pick<SimSpec, 'dataLimit'>,
  reading: LimitReading | undefined,
  activity: LimitedActivity,
): OwnVerdict<OwnReason> | undefined {
  if (!dataLimit || !reading) return undefined;
  switch (reading.state) {
    case 'Within':
      return {
        status: 'True',
        reason: OwnReason.WithinDataLimit,
        message: `No more than ${limitText(dataLimit)} went through the SIM this month.`,
      };
    case 'Unknown':
      return {
        status: 'Unknown',
        reason: OwnReason.TrafficUnknown,
        message: 'The service does not show what went through the SIM this month.',
      };
    case 'Exceeded':
      return {
        status: 'False',
        reason: SimReason.DataLimitExceeded,
        message: `${excessSentence(dataLimit, reading.excess)} ${consequence(reading.stops, dataLimit, activity)}`,
      };
  }
}

/** The limit as the spec has it; a mere number is one of bytes. */
function limitText({ monthly }: NonNullable<SimSpec['dataLimit']>): string {
  return /[0-9]$/.test(monthly) ? `${monthly} bytes` : monthly;
}

/** What went through, and since when that is too much. */
export function excessSentence(limit: NonNullable<SimSpec['dataLimit']>, { month, exceededAt, bytes }: Excess): string {
  return `More than ${limitText(limit)} went through the SIM in ${month}: ${bytes} bytes when that was seen first, at ${exceededAt}.`;
}

/** How it goes on. */
export const UNTIL_NEXT_MONTH =
  'It comes back when the service counts the next month; sooner if the limit is raised or removed, or its action is Warn.';

const CONSEQUENCES: Readonly<Record<LimitedActivity, string>> = {
  stopped: `It is not active meanwhile. ${UNTIL_NEXT_MONTH}`,
  'to be stopped': 'It is still active, and is to be deactivated; Synced says what that waits for.',
  'not its matter': 'That changes nothing: the spec does not ask for an active SIM.',
};

function consequence(stops: boolean, { action }: NonNullable<SimSpec['dataLimit']>, activity: LimitedActivity): string {
  if (stops) return CONSEQUENCES[activity];
  return action === 'Deactivate'
    ? 'managementPolicy Observe leaves it as it is.'
    : 'The action Warn leaves it as it is.';
}
