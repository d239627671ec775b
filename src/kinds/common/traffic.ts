import * as z from 'zod';
import { timestamp } from '../../kubernetes/objects.ts';
import { monthOf } from './month.ts';

/** Traffic of the current month, as a status shows it. */
export const monthlyTraffic = z.object({
  month: z.string().max(7).describe('The month, as YYYY-MM in the service’s time (UTC+9).'),
  uplinkBytes: z.int().min(0).describe('Bytes sent this month.'),
  downlinkBytes: z.int().min(0).describe('Bytes received this month.'),
  observedAt: z.string().max(64).describe('When these figures were taken.'),
});

/** Says of the status field how fresh it is. */
export const trafficDescription = 'Traffic of the current month; refreshed at most every 15 minutes.';

const REFRESH_MILLISECONDS = 15 * 60_000;

type Shown<Current> = Current & Pick<z.infer<typeof monthlyTraffic>, 'month' | 'observedAt'>;

/**
 * The traffic to show: what was shown before where that is the same or fresh enough, for traffic alone must not change a
 * status at each poll. Pure; `now` is milliseconds.
 */
export function trafficToShow<Current extends Readonly<Record<string, number | boolean>>>(
  current: Current | undefined,
  before: Shown<Current> | undefined,
  now: number,
): Shown<Current> | undefined {
  if (!current) return before;
  const month = monthOf(now);
  if (before) {
    const isSame = Object.entries({ month, ...current }).every(([name, value]) => Reflect.get(before, name) === value);
    if (isSame || now - Date.parse(before.observedAt) < REFRESH_MILLISECONDS) return before;
  }
  return { month, ...current, observedAt: timestamp(now) };
}
