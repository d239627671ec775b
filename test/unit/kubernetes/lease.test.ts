import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { KubeError, NotLeaderError } from '../../../src/kubernetes/errors.ts';
import { createLeaseElector, type LeaseElector } from '../../../src/kubernetes/lease.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { memoryClient, type StoredObject } from './memory-client.ts';

const PATH = 'leases/ns/edgeline';
const log = createLogger({ level: 'silent', format: 'json' });
const unreachable = () => new KubeError({ status: 0, reason: 'ConnectionFailed', message: 'unreachable' });

let clock: ManualClock;
let objects: Map<string, StoredObject>;

beforeEach(() => {
  clock = new ManualClock();
  objects = new Map();
});

function candidate(identity: string, its: Clock = clock) {
  const memory = memoryClient(objects);
  const lost: number[] = [];
  const elector: LeaseElector = createLeaseElector({
    client: memory.client,
    namespace: 'ns',
    name: 'edgeline',
    identity,
    clock: its,
    random: () => 0,
    log,
    onLost: () => lost.push(its.monotonic()),
  });
  return { ...memory, elector, lost };
}

const spec = () => objects.get(PATH)?.spec;

/** Somebody else writes the Lease. */
function touch(changed: unknown): void {
  const lease = objects.get(PATH);
  if (!lease) throw new Error('no Lease');
  objects.set(PATH, { ...lease, metadata: { ...lease.metadata, resourceVersion: '9' }, spec: changed });
}

describe('a lease elector', () => {
  it('creates the Lease and leads', async () => {
    const a = candidate('a');
    expect(() => a.elector.fence()).toThrow(NotLeaderError);
    a.elector.start();
    await clock.advance(0);
    await a.elector.acquired();
    a.elector.fence();
    expect(a.elector.holder()).toBe('a');
    expect(spec()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
  });

  it('renews with one write each two seconds, and reads nothing meanwhile', async () => {
    const a = candidate('a');
    a.elector.start();
    await clock.advance(6000);
    expect(a.calls).toEqual([`get ${PATH}`, `create ${PATH}`, `update ${PATH}`, `update ${PATH}`, `update ${PATH}`]);
    expect(spec()).toMatchObject({
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:06.000000Z',
      leaseTransitions: 0,
    });
  });

  describe('tells whether another may have acted since something was read', () => {
    it('of one that takes the Lease as it was: none', async () => {
      const a = candidate('a');
      a.elector.start();
      await clock.advance(1000);
      a.fail(unreachable);
      const b = candidate('b');
      await b.elector.look();
      b.elector.start();
      await clock.advance(20_000);
      expect([b.elector.isLeader(), b.elector.hasTakenOver()]).toEqual([true, false]);
    });

    it('of one that looked before the last renewal: the holder, until it has been silent for ten seconds', async () => {
      const a = candidate('a');
      const b = candidate('b');
      let silences = 0;
      b.elector.onSilent(() => silences++);
      a.elector.start();
      await clock.advance(1000);
      await b.elector.look();
      b.elector.start();
      await clock.advance(10_000);
      a.fail(unreachable);
      await clock.advance(9000);
      expect([silences, b.elector.isLeader()]).toEqual([0, false]);
      await clock.advance(4000);
      expect([silences, a.elector.isLeader(), b.elector.isLeader()]).toEqual([1, false, false]);
      await clock.advance(6000);
      expect([silences, b.elector.isLeader(), b.elector.hasTakenOver()]).toEqual([1, true, false]);
    });

    it('of one to which the Lease was given back: who gave it', async () => {
      const a = candidate('a');
      const b = candidate('b');
      a.elector.start();
      await clock.advance(1000);
      await b.elector.look();
      b.elector.start();
      await clock.advance(1000);
      await a.elector.stop();
      await clock.advance(3000);
      expect([b.elector.isLeader(), b.elector.hasTakenOver()]).toEqual([true, true]);
    });
  });

  describe('of a Lease that somebody deletes', () => {
    it('makes it anew at once while it holds it, and goes on leading', async () => {
      const a = candidate('a');
      a.elector.start();
      await clock.advance(1000);
      objects.delete(PATH);
      await clock.advance(1000);
      expect([a.elector.isLeader(), spec(), a.lost]).toEqual([
        true,
        expect.objectContaining({ holderIdentity: 'a' }),
        [],
      ]);
    });

    it('waits for the whole term of who held it, whom the network may keep from knowing', async () => {
      const a = candidate('a');
      const b = candidate('b');
      a.elector.start();
      await clock.advance(1000);
      b.elector.start();
      await clock.advance(1000);
      a.fail(unreachable);
      objects.delete(PATH);
      await clock.advance(8000);
      expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([true, false]);
      await clock.advance(9000);
      expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([false, true]);
    });

    it('ends at once when another has made it anew', async () => {
      const a = candidate('a');
      const b = candidate('b');
      a.elector.start();
      await clock.advance(1000);
      objects.delete(PATH);
      b.elector.start();
      await clock.advance(0);
      touch({ holderIdentity: 'b', leaseDurationSeconds: 15 });
      await clock.advance(1000);
      expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([false, true]);
    });
  });

  it('waits while another holds it, and takes over once that one has been silent for its whole term', async () => {
    const a = candidate('a');
    const b = candidate('b');
    a.elector.start();
    await clock.advance(1000);
    b.elector.start();
    await clock.advance(60_000);
    expect([a.elector.isLeader(), b.elector.isLeader(), b.elector.holder()]).toEqual([true, false, 'a']);
    a.fail(unreachable);
    const silentSince = clock.monotonic();
    while (!b.elector.isLeader()) await clock.advance(500);
    expect(clock.monotonic() - silentSince).toBeGreaterThanOrEqual(13_000);
    expect(clock.monotonic() - silentSince).toBeLessThanOrEqual(19_000);
    expect(spec()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('never lets two lead at once, whatever the apiserver answers to whom', async () => {
    const all = ['a', 'b', 'c'].map((identity) => candidate(identity));
    for (const { elector } of all) elector.start();
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    for (let step = 0; step < 400; step++) {
      const unlucky = all[Math.floor(random() * 3)];
      unlucky?.fail(random() < 0.7 ? unreachable : undefined);
      await clock.advance(random() * 1500);
      expect(all.filter(({ elector }) => elector.isLeader()).length).toBeLessThanOrEqual(1);
    }
  }, 20_000);

  it('stops acting ten seconds after its last renewal, before anyone else may begin', async () => {
    const a = candidate('a');
    a.elector.start();
    await clock.advance(0);
    a.fail(unreachable);
    await clock.advance(9999);
    a.elector.fence();
    await clock.advance(1);
    expect(() => a.elector.fence()).toThrow('this process does not hold Lease ns/edgeline');
    await clock.advance(2000);
    expect(a.lost).toEqual([10_000]);
  });

  it('counts the term from when the renewal was sent, not from its answer', async () => {
    const a = candidate('a');
    a.elector.start();
    await clock.advance(0);
    const release = a.hold();
    await clock.advance(9000);
    release();
    await clock.advance(0);
    // No other renewal is answered: this one was sent after two seconds.
    a.fail(unreachable);
    await clock.advance(2999);
    expect(a.elector.isLeader()).toBe(true);
    await clock.advance(1);
    expect(a.elector.isLeader()).toBe(false);
  });

  it('does not lead on after its machine slept, though the monotonic clock did not notice', async () => {
    const a = await leaderAsleep(60_000);
    expect(() => a.elector.fence()).toThrow(NotLeaderError);
  });

  it('is lost once a write was refused, though nobody else took the Lease: what was refused is given up', async () => {
    const a = await leaderAsleep(29_000);
    expect(() => a.elector.fence()).toThrow(NotLeaderError);
    await clock.advance(2000);
    expect([a.elector.isLeader(), a.lost]).toEqual([false, [2000]]);
  });

  it('leads on after it stood still, where nothing was refused meanwhile', async () => {
    const a = await leaderAsleep(29_000);
    await clock.advance(2000);
    expect([a.elector.isLeader(), a.lost]).toEqual([true, []]);
  });

  it('is lost at once when the Lease turns out to be held by another', async () => {
    const a = candidate('a');
    a.elector.start();
    await clock.advance(0);
    touch({ holderIdentity: 'thief', leaseDurationSeconds: 15 });
    await clock.advance(2000);
    expect([a.elector.isLeader(), a.lost, a.elector.holder()]).toEqual([false, [2000], 'thief']);
  });

  it('keeps leading when somebody only touched the Lease', async () => {
    const a = candidate('a');
    a.elector.start();
    await clock.advance(0);
    touch(spec());
    await clock.advance(20_000);
    expect([a.elector.isLeader(), a.lost]).toEqual([true, []]);
  });

  it('gives the Lease back when it stops, so that the next one leads at its next try', async () => {
    const a = candidate('a');
    const b = candidate('b');
    a.elector.start();
    await clock.advance(100);
    b.elector.start();
    await clock.advance(5000);
    await a.elector.stop();
    expect(spec()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 });
    expect([a.elector.isLeader(), a.lost]).toEqual([false, []]);
    await clock.advance(2000);
    expect(b.elector.isLeader()).toBe(true);
    expect(spec()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
  });

  it('does not give back what it does not hold', async () => {
    const a = candidate('a');
    const b = candidate('b');
    a.elector.start();
    await clock.advance(100);
    b.elector.start();
    await clock.advance(100);
    await b.elector.stop();
    expect(spec()).toMatchObject({ holderIdentity: 'a' });
  });

  it('leads again at once when it is started anew under the same name', async () => {
    const first = candidate('a');
    first.elector.start();
    await clock.advance(0);
    const second = candidate('a');
    second.elector.start();
    await clock.advance(0);
    expect(second.elector.isLeader()).toBe(true);
    expect(spec()).toMatchObject({ leaseTransitions: 0 });
  });

  it('stops waiting for leadership when told', async () => {
    const a = candidate('a');
    await expect(a.elector.acquired(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});

/** A leader whose machine has just slept for so long: the monotonic clock did not notice. */
async function leaderAsleep(milliseconds: number): Promise<ReturnType<typeof candidate>> {
  let slept = 0;
  const leader = candidate('a', {
    now: () => clock.now() + slept,
    monotonic: () => clock.monotonic(),
    sleep: (time, signal) => clock.sleep(time, signal),
    after: (time, action) => clock.after(time, action),
  });
  leader.elector.start();
  await clock.advance(0);
  slept = milliseconds;
  return leader;
}
