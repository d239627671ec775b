import { describe, expect, it } from 'vitest';
import { quantityBytes } from '../../../../src/kinds/common/quantity.ts';
import { readLimit } from '../../../../src/kinds/sim/data-limit.ts';
import type { Excess, LimitReading } from '../../../../src/kinds/sim/facts.ts';
import type { SimSpec } from '../../../../src/kinds/sim/schema.ts';

const NOVEMBER: Excess = { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 1500 };
/** Seen a moment after midnight at the service: it may still be what went through before. */
const TURNING: Excess = { month: '2026-12', exceededAt: '2026-11-30T15:00:30Z', bytes: 1500 };

interface Given {
  readonly at: string;
  readonly bytes?: number | undefined;
  readonly recorded?: Excess;
  readonly activated?: boolean;
  readonly limit?: SimSpec['dataLimit'];
  readonly policy?: SimSpec['managementPolicy'];
}

function read(given: Given): LimitReading | undefined {
  const { at, bytes, recorded, activated = true, policy } = given;
  const dataLimit = 'limit' in given ? given.limit : { monthly: '1k', action: 'Deactivate' as const };
  const traffic = bytes === undefined ? undefined : { uplinkBytes: bytes, downlinkBytes: 0 };
  return readLimit({
    spec: { dataLimit, ...(policy && { managementPolicy: policy }) },
    observed: { activated, traffic },
    recorded,
    now: Date.parse(at),
  });
}

const over = (excess: Excess, stops = true): LimitReading => ({ state: 'Exceeded', excess, stops });
const newly = (month: string, exceededAt: string, bytes: number) => over({ month, exceededAt, bytes });

describe('a SIM and its limit', () => {
  it.each<[string, Given, LimitReading | undefined]>([
    ['has none', { at: '2026-11-20T01:00:00Z', bytes: 5000, limit: undefined }, undefined],
    ['is at it', { at: '2026-11-20T01:00:00Z', bytes: 1000 }, { state: 'Within' }],
    [
      'is over it by a byte',
      { at: '2026-11-20T01:00:00Z', bytes: 1001 },
      newly('2026-11', '2026-11-20T01:00:00Z', 1001),
    ],
    [
      'is over it in the month of the service, which begins nine hours sooner',
      { at: '2026-11-30T20:00:00Z', bytes: 1001 },
      newly('2026-12', '2026-11-30T20:00:00Z', 1001),
    ],
    ['is not known', { at: '2026-11-20T01:00:00Z' }, { state: 'Unknown' }],
    ['was over it, and is not known now', { at: '2026-11-21T01:00:00Z', recorded: NOVEMBER }, over(NOVEMBER)],
    [
      'is observed only',
      { at: '2026-11-21T01:00:00Z', bytes: 1500, recorded: NOVEMBER, policy: 'Observe' },
      over(NOVEMBER, false),
    ],
    [
      'is to be warned of only',
      { at: '2026-11-21T01:00:00Z', bytes: 1500, recorded: NOVEMBER, limit: { monthly: '1k', action: 'Warn' } },
      over(NOVEMBER, false),
    ],
    ['was over it, and goes on', { at: '2026-11-21T01:00:00Z', bytes: 9000, recorded: NOVEMBER }, over(NOVEMBER)],
    [
      'shows too little in the same month',
      { at: '2026-11-21T01:00:00Z', bytes: 0, recorded: NOVEMBER },
      over(NOVEMBER),
    ],
    [
      'has a limit now that is higher than what was seen',
      { at: '2026-11-21T01:00:00Z', bytes: 1500, recorded: NOVEMBER, limit: { monthly: '2k', action: 'Deactivate' } },
      { state: 'Within' },
    ],
    [
      'has on record what is no time',
      { at: '2026-11-21T01:00:00Z', bytes: 10, recorded: { ...NOVEMBER, exceededAt: 'x' } },
      { state: 'Within' },
    ],
    ['begins anew with the month', { at: '2026-11-30T15:00:00Z', bytes: 0, recorded: NOVEMBER }, { state: 'Within' }],
    [
      'still shows the month before',
      { at: '2026-11-30T15:05:00Z', bytes: 1500, recorded: NOVEMBER, activated: false },
      over(NOVEMBER),
    ],
    [
      'is reset three days late',
      { at: '2026-12-03T15:05:00Z', bytes: 1500, recorded: NOVEMBER, activated: false },
      over(NOVEMBER),
    ],
    [
      'was reset three days late',
      { at: '2026-12-03T15:06:00Z', bytes: 0, recorded: NOVEMBER, activated: false },
      { state: 'Within' },
    ],
    [
      'begins anew hours before the turn, by this clock',
      { at: '2026-11-30T12:00:00Z', bytes: 0, recorded: NOVEMBER },
      { state: 'Within' },
    ],
    [
      'still shows the month before hours after the turn, and was activated by hand',
      { at: '2026-12-01T10:00:00Z', bytes: 1500, recorded: NOVEMBER },
      over(NOVEMBER),
    ],
    [
      'was over it right after the turn, by what was of the month before',
      { at: '2026-11-30T15:02:00Z', bytes: 10, recorded: TURNING },
      { state: 'Within' },
    ],
    [
      'is over it in the next month too, having been active',
      { at: '2026-12-10T00:00:00Z', bytes: 1700, recorded: NOVEMBER },
      newly('2026-12', '2026-12-10T00:00:00Z', 1700),
    ],
    [
      'is over it anew, by less than before',
      { at: '2026-12-10T00:00:00Z', bytes: 1200, recorded: NOVEMBER },
      newly('2026-12', '2026-12-10T00:00:00Z', 1200),
    ],
    [
      'was recorded by a clock a month ahead, which was set right',
      {
        at: '2026-11-21T00:00:00Z',
        bytes: 1500,
        recorded: { ...NOVEMBER, month: '2026-12', exceededAt: '2026-12-20T00:00:00Z' },
        activated: false,
      },
      over({ ...NOVEMBER, month: '2026-12', exceededAt: '2026-12-20T00:00:00Z' }),
    ],
    [
      'comes back at the turn of the month all the same',
      {
        at: '2026-11-30T15:01:00Z',
        bytes: 0,
        recorded: { ...NOVEMBER, month: '2027-01', exceededAt: '2027-01-20T00:00:00Z' },
        activated: false,
      },
      { state: 'Within' },
    ],
  ])('%s', (_, given, expected) => {
    expect(read(given)).toEqual(expected);
  });
});

describe('bytes as Kubernetes writes them', () => {
  it.each([
    ['500Mi', 524_288_000],
    ['1.5Gi', 1_610_612_736],
    ['2k', 2000],
    ['1500M', 1_500_000_000],
    ['1T', 1e12],
    ['1000000', 1_000_000],
    ['123456789012', 123_456_789_012],
    ['500MB', undefined],
    ['1e9', undefined],
    ['-1', undefined],
    ['', undefined],
    ['500 Mi', undefined],
  ])('%s', (text, bytes) => {
    expect(quantityBytes(text)).toBe(bytes);
  });
});
