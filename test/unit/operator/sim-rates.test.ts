import { beforeEach, expect, it } from 'vitest';
import type { SimApi } from '../../../src/cloud/sim/api.ts';
import type { SimMetric } from '../../../src/cloud/sim/types.ts';
import type { Sim } from '../../../src/kinds/sim/schema.ts';
import { createSimRates, type SimRates } from '../../../src/operator/sim-rates.ts';
import type { Wiring } from '../../../src/operator/wiring.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { partial } from '../../support/partial.ts';

const MINUTE = 60_000;

let clock: ManualClock;
let asked: { id: string; start: string; end: string }[];
let points: SimMetric[];
let rates: SimRates;
/** IDs of SIMs that another Sim has. */
let others: string[];

function sim(id: string): Sim {
  return partial({ metadata: { name: id, namespace: 'fleet', uid: `uid-${id}` }, spec: {}, status: { id } });
}

beforeEach(() => {
  clock = new ManualClock();
  asked = [];
  points = [];
  others = [];
  const metrics: SimApi['metrics'] = async (id, { start, end }) => {
    asked.push({ id, start: start.toISOString(), end: end.toISOString() });
    return points;
  };
  const session = {
    identity: 'one',
    dialect: 'Extended',
    client: { sims: { metrics } },
    limiter: { limits: () => ({ cloudRequestsPerSecond: 5, webAccelRequestsPerHour: 500 }) },
    sims: {
      snapshot: () => ({
        items: new Map([
          ['1', { status: { sessionStatus: 'Up' } }],
          ['2', { status: { sessionStatus: 'DOWN' } }],
        ]),
      }),
    },
  };
  rates = createSimRates(
    partial<Wiring>({
      clock,
      random: () => 0.5,
      detailPace: 1,
      registry: { get: () => session },
      sims: { holders: { has: ({ status }: Sim) => !others.includes(status?.id ?? '') } },
      users: { accountOf: () => 'CloudAccount/fleet/default' },
      engine: {
        accounts: { pausedBy: () => undefined, resolve: () => ({ session }) },
        log: createLogger({ level: 'silent', format: 'json' }),
      },
    }),
  );
});

/** A poll of the list, every minute. */
async function minutes(count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) {
    await clock.advance(MINUTE);
    rates.take([sim('1'), sim('2')]);
  }
  await clock.advance(0);
}

it('reads what SIMs with a session sent and received a second, every five minutes', async () => {
  points = [
    { at: '2025-12-31T23:55:00+00:00', uplinkBps: 8, downlinkBps: 8 },
    { at: '2026-01-01T00:00:00+00:00', uplinkBps: 800, downlinkBps: 16_000 },
  ];
  rates.take([sim('1'), sim('2')]);
  await minutes(11);
  expect(asked).toEqual([
    { id: '1', start: '2025-12-31T23:46:00.000Z', end: '2026-01-01T00:01:00.000Z' },
    { id: '1', start: '2025-12-31T23:51:00.000Z', end: '2026-01-01T00:06:00.000Z' },
    { id: '1', start: '2025-12-31T23:56:00.000Z', end: '2026-01-01T00:11:00.000Z' },
  ]);
  expect([rates.of(sim('1')), rates.of(sim('2'))]).toEqual([
    expect.objectContaining({ uplink: 100, downlink: 2000 }),
    undefined,
  ]);
});

it('reads nothing of a SIM that another Sim has', async () => {
  others = ['1'];
  await minutes(10);
  expect(asked).toEqual([]);
});

it('tells nothing older than a quarter of an hour, of another SIM, or of a Sim that is gone', async () => {
  points = [{ at: '2026-01-01T00:00:00+00:00', uplinkBps: 800, downlinkBps: 16_000 }];
  rates.take([sim('1')]);
  await minutes(15);
  expect(rates.of(sim('1'))).toBeDefined();
  expect(rates.of({ ...sim('1'), status: { ...sim('1').status, id: '3' } })).toBeUndefined();
  await minutes(1);
  expect(rates.of(sim('1'))).toBeUndefined();
  points = [{ at: '2026-01-01T00:15:00+00:00', uplinkBps: 0, downlinkBps: 0 }];
  await minutes(5);
  expect(rates.of(sim('1'))).toMatchObject({ uplink: 0, downlink: 0 });
  rates.forget('uid-1');
  expect(rates.of(sim('1'))).toBeUndefined();
});
