import { expect, test } from 'vitest';
import { createHoldings, HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import type { Informer } from '../../../src/kubernetes/informer.ts';
import type { Lease } from '../../../src/kubernetes/lease-object.ts';
import type { Change } from '../../../src/kubernetes/store.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryClient } from './memory-client.ts';

const PATH = `leases/fleet/${HOLDER_LEASE}`;

/** What is told of one namespace that is wanted, as its Lease is written by this installation and by others. */
async function played() {
  const store = memoryClient();
  const clock = new ManualClock();
  const told: string[] = [];
  const wanted = new Set(['fleet']);
  let seen: Lease | undefined;
  let tell: (change: Change<Lease>) => void = () => undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an informer as holdings ask for
  const leases = {
    get: () => seen,
    put: (lease: Lease) => {
      seen = lease;
    },
    onChange: (handler: typeof tell) => {
      tell = handler;
    },
  } as unknown as Informer<Lease>;
  const holdings = createHoldings({
    client: store.client,
    leases,
    namespaces: undefined,
    hasLiving: () => false,
    identity: 'here',
    seconds: 60,
    wanted: () => wanted,
    onTaken: () => told.push('taken'),
    onKept: () => told.push('kept'),
    onLost: () => told.push('lost'),
    onRival: (_, holder) => told.push(`of ${holder}`),
    clock,
    random: () => 0.5,
    log: createLogger({ level: 'silent', format: 'json' }),
  });
  await holdings.start(new AbortController().signal);

  /** The watch brings it. */
  function see(holderIdentity: string | undefined): void {
    const old = seen;
    const metadata = { name: HOLDER_LEASE, namespace: 'fleet', uid: '1', resourceVersion: '9' };
    const kind = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    seen = holderIdentity === undefined ? undefined : { ...kind, metadata, spec: { holderIdentity } };
    tell({ ...(old && { old }), ...(seen && { new: seen }) });
  }
  return { store, told, see, clock, wanted };
}

/** The watch brings that somebody deleted it, and what was asked is answered. */
async function lose({ see, store, clock }: Awaited<ReturnType<typeof played>>): Promise<void> {
  store.objects.delete(PATH);
  see(undefined);
  await clock.advance(0);
}

test('a Lease that somebody deleted is made anew at once, and nothing was anybody else’s', async () => {
  const scene = await played();
  await lose(scene);
  expect([scene.told, scene.store.objects.has(PATH)]).toEqual([['taken', 'kept'], true]);
});

test('a Lease that was deleted, and that another had until it was deleted again, may have been worked with', async () => {
  const scene = await played();
  // The other one's is there already: this installation cannot make it.
  scene.see(undefined);
  scene.see('there');
  await lose(scene);
  await scene.clock.advance(60_000);
  expect(scene.told).toEqual(['taken', 'lost', 'taken']);
});

test('a Lease that is deleted again and again is taken back later each time, and after a while without at once again', async () => {
  const scene = await played();
  const waited: number[] = [];
  for (let times = 0; times < 12; times++) {
    await lose(scene);
    const { length } = scene.told;
    let seconds = 0;
    while (!scene.store.objects.has(PATH)) {
      await scene.clock.advance(1000);
      seconds++;
    }
    waited.push(seconds);
    expect(scene.told.length - length).toBeLessThanOrEqual(1);
  }
  expect(waited).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  await scene.clock.advance(16 * 60_000);
  await lose(scene);
  expect(scene.store.objects.has(PATH)).toBe(true);
});

test.each<[string, readonly (string | undefined)[]]>([
  ['takes it over', ['there']],
  ['is the first to make the Lease that somebody deleted', [undefined, 'there']],
])('a namespace is lost when another %s', async (_, holders) => {
  const { store, told, see } = await played();
  expect([told, store.objects.has(PATH)]).toEqual([['taken'], true]);
  // The other one's is there already: this installation cannot make it.
  for (const holder of holders) see(holder);
  see('there');
  expect(told).toEqual(['taken', 'lost']);
});

test('a namespace in which nothing is wanted any more, and which has no Lease, is forgotten with whoever had it', async () => {
  const { store, told, see, clock, wanted } = await played();
  const round = () => clock.advance(5000);
  see('there');
  await round();
  wanted.clear();
  store.objects.delete(PATH);
  see(undefined);
  await round();
  see('there');
  wanted.add('fleet');
  await round();
  expect(told).toEqual(['taken', 'lost', 'of there', 'of there']);
});
