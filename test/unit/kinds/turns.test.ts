import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src/cloud/limiter/limiter.ts';
import { createTurns, type DetailRate, detailRates, requestsPerHour } from '../../../src/kinds/common/turns.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const limits: Limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5 };

type Metadata = ManagedObject['metadata'];

function object(
  n: number,
  other: Pick<Metadata, 'annotations' | 'deletionTimestamp' | 'namespace'> = {},
  id: string | undefined = `${n}`,
): ManagedObject {
  const metadata: Metadata = { name: `${n}`, uid: `uid-${n}`, resourceVersion: '1', ...other };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: {}, ...(id && { status: { id } }) };
}

function steadyRandom(): () => number {
  let seed = 11;
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
}

interface Watched {
  /** The longest time between two readings of one object, and until the first. Milliseconds. */
  longest: number;
  /** The most requests of any hour. */
  most: number;
}

/** Takes turns once a minute for so many hours. */
function watch(objects: readonly ManagedObject[], rate: DetailRate, requests: number, hours: number): Watched {
  const turns = createTurns(steadyRandom());
  const readAt = new Map(objects.map(({ metadata }) => [metadata.uid, 0]));
  const sent: number[] = [];
  let longest = 0;
  for (let now = 0; now <= hours * HOUR; now += MINUTE) {
    const due = turns.due('account', objects, {
      now,
      least: rate.api === 'webaccel' ? 5 * MINUTE : 0,
      perHour: (total) => requestsPerHour(rate, limits, total),
      requestsFor: () => requests,
    });
    for (const { metadata } of due) {
      longest = Math.max(longest, now - (readAt.get(metadata.uid) ?? 0));
      readAt.set(metadata.uid, now);
      for (let n = 0; n < requests; n++) sent.push(now);
    }
  }
  for (const at of readAt.values()) longest = Math.max(longest, hours * HOUR - at);
  let [first, most] = [0, 0];
  for (const [index, at] of sent.entries()) {
    while ((sent[first] ?? at) <= at - HOUR) first++;
    most = Math.max(most, index - first + 1);
  }
  return { longest, most };
}

describe('details that are read in turn', () => {
  const cases: [name: keyof typeof detailRates, requests: number, objects: number, hour: number, minutes: number][] = [
    ['carriers', 1, 1, 60, 1],
    ['carriers', 1, 56, 1800, 3],
    ['carriers', 1, 1000, 1800, 35],
    ['otherCarriers', 1, 1000, 180, 335],
    ['gateways', 3, 1, 180, 1],
    ['gateways', 4, 20, 1800, 4],
    ['gateways', 4, 200, 1800, 28],
    ['sites', 2, 1, 24, 6],
    ['sites', 2, 10, 80, 17],
    ['sites', 2, 100, 80, 152],
    ['sites', 2, 1000, 174, 692],
    ['sites', 2, 2000, 180, 1336],
    ['certificates', 1, 10, 40, 17],
    ['certificates', 1, 1000, 87, 692],
  ];
  it.each(cases)(
    'of %s, %i requests each, %i objects: at most %i requests an hour, each read within %i minutes',
    (name, requests, count, hour, minutes) => {
      const objects = Array.from({ length: count }, (_, n) => object(n));
      const { longest, most } = watch(objects, detailRates[name], requests, 50);
      expect(longest / MINUTE).toBeLessThanOrEqual(minutes);
      // What is left of a minute is spent in the next.
      expect(most).toBeLessThanOrEqual(hour + requests);
    },
  );

  it.each([
    { cloudRequestsPerSecond: 5, objects: 1000, perHour: 1800 },
    { cloudRequestsPerSecond: 10, objects: 1000, perHour: 3600 },
    { cloudRequestsPerSecond: 20, objects: 100, perHour: 3600 },
    { cloudRequestsPerSecond: 20, objects: 1000, perHour: 6000 },
    { cloudRequestsPerSecond: 20, objects: 10_000, perHour: 7200 },
    { cloudRequestsPerSecond: 1000, objects: 10_000, perHour: 60_000 },
  ])(
    'a limit of $cloudRequestsPerSecond requests a second gives $objects SIMs $perHour an hour',
    ({ cloudRequestsPerSecond, objects, perHour }) => {
      expect(requestsPerHour(detailRates.carriers, { ...limits, cloudRequestsPerSecond }, objects)).toBe(perHour);
    },
  );

  it('of one account are read as often as if there were no other', () => {
    const turns = createTurns(steadyRandom());
    const of = (from: number, count: number) => Array.from({ length: count }, (_, n) => object(from + n));
    const [small, large] = [of(0, 2), of(10, 5000)];
    const options = { least: 0, perHour: () => 1800, requestsFor: () => 1 };
    let [reads, others] = [0, 0];
    for (let now = 0; now <= HOUR; now += MINUTE) {
      others += turns.due('large', large, { now, ...options }).length;
      reads += turns.due('small', small, { now, ...options }).length;
    }
    expect({ reads, others }).toEqual({ reads: 120, others: 1800 });
  });

  it.each([
    { namespaces: 1, own: 2, others: 3000, within: 1 },
    { namespaces: 1, own: 30, others: 3000, within: 2 },
    { namespaces: 9, own: 30, others: 3000, within: 10 },
    { namespaces: 50, own: 100, others: 100, within: 7 },
  ])(
    'are those of a namespace with $own within $within minutes, beside $namespaces others with $others, and of these within twice their time',
    ({ namespaces, own, others, within }) => {
      const turns = createTurns(steadyRandom());
      const small = Array.from({ length: own }, (_, n) => object(n, { namespace: 'small' }));
      const large = Array.from({ length: others }, (_, n) => object(own + n, { namespace: `large-${n % namespaces}` }));
      const all = [...large, ...small];
      const readAt = new Map(all.map(({ metadata }) => [metadata.uid, 0]));
      const longest = new Map<string | undefined, number>();
      for (let now = 0; now <= 12 * HOUR; now += MINUTE) {
        for (const { metadata } of turns.due('account', all, {
          now,
          least: 0,
          perHour: () => 3600,
          requestsFor: () => 1,
        })) {
          const waited = (now - (readAt.get(metadata.uid) ?? 0)) / MINUTE;
          readAt.set(metadata.uid, now);
          longest.set(metadata.namespace, Math.max(longest.get(metadata.namespace) ?? 0, waited));
        }
      }
      expect(longest.get('small')).toBeLessThanOrEqual(within);
      expect(Math.max(...longest.values())).toBeLessThanOrEqual((2 * all.length) / 60 + 1);
    },
  );

  it('come last of what a pass has read just now, and not first because it is new here', () => {
    const turns = createTurns(steadyRandom());
    const old = Array.from({ length: 5 }, (_, n) => object(n));
    const made = Array.from({ length: 100 }, (_, n) => object(10 + n));
    const options = { least: 0, perHour: () => 60, requestsFor: () => 1 };
    for (let now = 0; now <= 10 * MINUTE; now += MINUTE) turns.due('account', old, { now, ...options });
    const madeAt = (one: ManagedObject) => (made.includes(one) ? 10.5 * MINUTE : undefined);
    const read: ManagedObject[] = [];
    for (let now = 11 * MINUTE; now <= 20 * MINUTE; now += MINUTE) {
      read.push(...turns.due('account', [...made, ...old], { now, ...options, knownAt: madeAt }));
    }
    expect([
      read.slice(0, 5).every((one) => old.includes(one)),
      read.slice(5).every((one) => made.includes(one)),
    ]).toEqual([true, true]);
    expect(read).toHaveLength(10);
  });

  it.each([
    ['is not at the service yet', object(1, {}, '')],
    ['is being deleted', object(1, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['is paused', object(1, { annotations: { 'edgeline.dev/paused': 'true' } })],
  ])('cost nothing of what %s', (_, one) => {
    const turns = createTurns(steadyRandom());
    const options = { least: 0, perHour: () => 3600, requestsFor: () => 1 };
    turns.due('account', [one], { now: 0, ...options });
    expect(turns.due('account', [one], { now: HOUR, ...options })).toEqual([]);
  });

  it('leave most of every limit to what somebody waits for', () => {
    const share = (api: DetailRate['api']) =>
      Object.values(detailRates)
        .filter((rate) => rate.api === api)
        .reduce((sum, rate: DetailRate) => sum + Math.max(rate.share, rate.within?.share ?? 0), 0);
    // A third of it only where the rates of SIMs are asked for.
    expect(share('cloud')).toBeCloseTo(0.31);
    // A tenth more is kept for writes, and the lists and usage take 14 requests.
    expect(share('webaccel')).toBeCloseTo(0.54);
  });
});
