import { beforeEach, describe, expect, test } from 'vitest';
import { createLeftHours, fitting, type LeftHour } from '../../../../src/kinds/cloud-account/left-hours.ts';
import { KubeError } from '../../../../src/kubernetes/errors.ts';
import { timestamp } from '../../../../src/kubernetes/objects.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { memoryClient } from '../../kubernetes/memory-client.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const PATH = 'leases/edgeline-system/edgeline-hours';

function left(name: string, used: number, { ago = 0, token = 'token', namespace = 'shop' } = {}): LeftHour {
  const recordedAt = timestamp(NOW - ago);
  return {
    account: `CloudAccount/${namespace}/${name}`,
    budget: { used, limit: 500, recordedAt, identity: `${token}.signature of ${used}` },
  };
}

let store: ReturnType<typeof memoryClient>;
let told: unknown[];
let clock: ManualClock;
beforeEach(() => {
  store = memoryClient();
  told = [];
  clock = new ManualClock();
});

const hours = () =>
  createLeftHours({
    client: store.client,
    namespace: 'edgeline-system',
    time: { latest: () => NOW },
    clock,
    log: { warn: (_: object, text?: string) => void told.push(text) },
  });

const refused = (status: number, reason: string) => new KubeError({ status, reason, message: 'no' });

describe('what accounts that are gone have used of their hours', () => {
  test('is found by another process, by the token', async () => {
    const first = hours();
    await Promise.all([first.keep(left('a', 5)), first.keep(left('b', 6, { token: 'other' }))]);
    expect(await first.of('token')).toEqual([left('a', 5)]);
    expect(await hours().of('token')).toEqual([left('a', 5)]);
    expect(await hours().of('nobody')).toEqual([]);
  });

  test('is written together where many go at once, and read once', async () => {
    const first = hours();
    await first.keep(left('a', 5));
    store.calls.length = 0;
    await Promise.all(['b', 'c', 'd', 'e'].map((name) => first.keep(left(name, 5))));
    await Promise.all([first.of('token'), first.of('token')]);
    expect(store.calls).toEqual([`get ${PATH}`, `update ${PATH}`]);
  });

  test('leaves alone what else somebody has written there', async () => {
    await hours().keep(left('a', 5));
    const lease = store.objects.get(PATH);
    if (!lease) throw new Error('no Lease');
    lease.metadata.annotations = { ...lease.metadata.annotations, note: 'mine' };
    await hours().keep(left('b', 6));
    expect(store.objects.get(PATH)?.metadata.annotations).toMatchObject({ note: 'mine' });
    expect(await hours().of('token')).toEqual([left('a', 5), left('b', 6)]);
  });

  test('is written once, however often it is told', async () => {
    await hours().keep(left('a', 5));
    store.calls.length = 0;
    await hours().keep(left('a', 5));
    expect(store.calls).toEqual([`get ${PATH}`]);
  });

  test('is found beside what somebody has made unreadable', async () => {
    await hours().keep(left('a', 5));
    const lease = store.objects.get(PATH);
    if (!lease) throw new Error('no Lease');
    lease.metadata.annotations = { 'edgeline.dev/hours': JSON.stringify([{ account: 5 }, left('a', 5), null]) };
    expect(await hours().of('token')).toEqual([left('a', 5)]);
  });

  test.each(['no JSON', '{}', '[{"account":"a"}]', '[null]'])(
    'counts as nothing where somebody made it %s',
    async (text) => {
      await hours().keep(left('a', 5));
      const lease = store.objects.get(PATH);
      if (!lease) throw new Error('no Lease');
      lease.metadata.annotations = { 'edgeline.dev/hours': text };
      expect(await hours().of('token')).toEqual([]);
      await hours().keep(left('b', 6));
      expect(await hours().of('token')).toEqual([left('b', 6)]);
    },
  );

  test.each([
    ['another changes it meanwhile', refused(409, 'Conflict')],
    ['another makes it meanwhile', refused(409, 'AlreadyExists')],
  ])('is written again when %s', async (_, error) => {
    let calls = 0;
    // The second call of three is the write.
    store.fail(() => (++calls === 2 ? error : undefined));
    await hours().keep(left('a', 5));
    store.fail(undefined);
    expect(await hours().of('token')).toEqual([left('a', 5)]);
  });

  test('is said to be lost where the permission is missing: the account can go, and another begin', async () => {
    store.fail(() => refused(403, 'Forbidden'));
    await hours().keep(left('a', 5));
    expect(await hours().of('token')).toEqual([]);
    expect(told).toEqual(['lost', 'unknown'].map((end) => `what deleted accounts have used of their hours is ${end}`));
    store.fail(() => (store.calls.at(-1)?.startsWith('create') ? refused(404, 'NotFound') : undefined));
    await hours().keep(left('a', 5));
    expect(told.at(-1)).toBe('what deleted accounts have used of their hours is lost');
  });

  test('is asked for again after the apiserver did not answer', async () => {
    await hours().keep(left('a', 5));
    const all = hours();
    store.fail(() => refused(503, 'ServiceUnavailable'));
    await expect(all.of('token')).rejects.toThrow(KubeError);
    await expect(all.keep(left('b', 5))).rejects.toThrow(KubeError);
    store.fail(undefined);
    expect(await all.of('token')).toEqual([left('a', 5)]);
    await all.keep(left('b', 6));
    expect(await all.of('token')).toEqual([left('a', 5), left('b', 6)]);
  });
});

test('a Lease that cannot be read for a minute holds up nobody any longer', async () => {
  const all = hours();
  store.fail(() => refused(500, 'InternalError'));
  await expect(all.of('token')).rejects.toThrow(KubeError);
  await clock.advance(59_000);
  await expect(all.of('token')).rejects.toThrow(KubeError);
  await clock.advance(1000);
  expect(await all.of('token')).toEqual([]);
  expect(told).toEqual(['what deleted accounts have used of their hours is unknown']);
  store.fail(undefined);
  await hours().keep(left('a', 5));
  expect(await all.of('token')).toEqual([left('a', 5)]);
});

describe('what is kept', () => {
  const later = (minutes: number) => timestamp(NOW + minutes * MINUTE);
  const closed = (minutes: number) => ({ account: 'a', closed: { until: later(minutes), identity: 'token.closed' } });
  const asked = (minutes: number) => ({
    account: 'a',
    allotments: [{ id: 'x', requests: 5, at: later(minutes), identity: 'token.asked' }],
  });

  test('is what was asked for of it, and what the service asked for, too, as long as that counts', () => {
    const counts = [closed(1), asked(-69), left('a', 5, { ago: -120 * MINUTE })];
    expect(fitting([closed(-1), asked(-71)], counts, NOW)).toEqual(counts);
  });

  test('is each once, without what is over or of the future', () => {
    const stored = [left('a', 1), left('a', 2, { token: 'other' }), left('b', 3, { ago: 71 * MINUTE })];
    const added = [
      left('a', 1),
      left('a', 4),
      left('c', 5, { ago: -26 * 60 * MINUTE }),
      left('d', 6, { ago: 60 * MINUTE }),
    ];
    expect(fitting(stored, added, NOW)).toEqual([
      left('a', 1),
      left('a', 2, { token: 'other' }),
      left('a', 4),
      left('d', 6, { ago: 60 * MINUTE }),
    ]);
  });

  test('has room for a thousand, of which the least used of the namespace with most go first', () => {
    const many = Array.from({ length: 3000 }, (_, index) =>
      left(`evil-${index}`, 10 + (index % 400), { namespace: 'evil' }),
    );
    const few = [left('own', 1), left('second', 2)];
    const kept = fitting(few, many, NOW);
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(200_000);
    expect(kept.length).toBeGreaterThan(1000);
    expect(kept.slice(0, 2)).toEqual(few);
    const used = kept.slice(2).map(({ budget }) => budget?.used ?? 0);
    expect(Math.min(...used)).toBeGreaterThan(200);
  });
});
