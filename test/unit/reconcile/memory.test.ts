import { describe, expect, it, test } from 'vitest';
import { shownFromOf, unclearRecord } from '../../../src/reconcile/creation.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { createMemories } from '../../../src/reconcile/memory.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const minute = 60_000;

function memoriesOf(clock: ManualClock) {
  return createMemories({
    engine: { clock, time: { latest: () => clock.now(), earliest: () => clock.now() } },
    fields: [],
    marks: [],
    isHalfWay: () => false,
    times: { settleMilliseconds: 5000, shownMilliseconds: 3 * minute },
  });
}

/** Recalls an object ten minutes after the clock began. */
async function recallLate(status: object, finalizer = 'edgeline.dev/create') {
  const clock = new ManualClock();
  await clock.advance(10 * minute);
  const memories = memoriesOf(clock);
  const metadata = { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1', finalizers: [finalizer] };
  const object: ManagedObject = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: {}, status };
  return memories.recall('Sim/b/a', object);
}

const at = (milliseconds: number) => new Date(new ManualClock().now() + milliseconds).toISOString();
const condition = (status: 'True' | 'False', since: number) => ({
  type: 'Ready',
  status,
  reason: 'Migrating',
  message: '',
  lastTransitionTime: at(since),
});

describe('what a new process believes of something that its predecessor created', () => {
  it('is that it was created when the status says, however late the process looks', async () => {
    const status = {
      id: '1',
      ownership: 'Created',
      creationAnsweredAt: at(4 * minute),
      conditions: [condition('False', 0)],
    };
    expect((await recallLate(status)).creation).toEqual({ state: 'just-created', at: 4 * minute });
  });

  it('is that it was created at the last change of a condition at most, when an older status doesn’t say', async () => {
    const status = { id: '1', ownership: 'Created', conditions: [condition('False', 2 * minute)] };
    expect((await recallLate(status)).creation).toEqual({ state: 'just-created', at: 2 * minute });
  });

  it('is that the service may still hide it, though it was Ready', async () => {
    const conditions = [condition('True', 9 * minute)];
    const status = { id: '1', ownership: 'Created', creationAnsweredAt: at(9 * minute), conditions };
    expect((await recallLate(status)).creation).toEqual({ state: 'just-created', at: 9 * minute });
  });

  it('is that its absence means that it is gone, when it was taken over or an older status calls it Ready', async () => {
    const ready = { id: '1', ownership: 'Created', conditions: [condition('True', 0)] };
    const adopted = { id: '1', ownership: 'Adopted', conditions: [condition('False', 0)] };
    expect([(await recallLate(ready)).creation, (await recallLate(adopted)).creation]).toEqual([
      { state: 'none' },
      { state: 'none' },
    ]);
  });

  it('is that it is never created in the future, whatever the clocks of the two machines say', async () => {
    const status = { id: '1', ownership: 'Created', creationAnsweredAt: at(60 * minute) };
    expect((await recallLate(status)).creation).toEqual({ state: 'just-created', at: 10 * minute });
  });
});

describe('what a new process believes of a creation that may have been sent', () => {
  it('is that requests under way arrive first, and that the service then takes its time to show what was made', async () => {
    const { creation, freshness } = await recallLate({});
    const shownFrom = 10 * minute + 5000 + 3 * minute;
    expect([creation.state, freshness.absentNotBefore, shownFromOf(creation)]).toEqual([
      'unclear',
      10 * minute + 5000,
      { monotonic: shownFrom, wall: new ManualClock().now() + shownFrom },
    ]);
  });

  it('is the same of what was abandoned meanwhile, of which only the status tells', async () => {
    const creationUnclear = { since: at(2 * minute), until: at(3 * minute) };
    const { creation, freshness } = await recallLate({ uid: 'c', creationUnclear }, 'example.com/other');
    const start = new ManualClock().now();
    expect([creation, freshness.absentNotBefore]).toMatchObject([
      { state: 'unclear', since: start + 2 * minute, until: start + 3 * minute },
      10 * minute + 5000,
    ]);
    expect(unclearRecord(creation)).toEqual(creationUnclear);
    const restored = await recallLate({ uid: 'of another', creationUnclear }, 'example.com/other');
    expect([restored.creation, unclearRecord(restored.creation)]).toEqual([{ state: 'none' }, undefined]);
  });

  it('is nothing where the resource was to take something over', async () => {
    const { creation, freshness } = await recallLate({}, 'edgeline.dev/adopt');
    expect([creation, freshness.absentNotBefore]).toEqual([{ state: 'none' }, 10 * minute]);
  });
});

test('nothing counts that was read of a resource before it was in other hands, until it is gone', async () => {
  const clock = new ManualClock();
  const memories = memoriesOf(clock);
  const metadata = { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1' };
  const object: ManagedObject = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: {} };
  const notBefore = () => memories.recall('Sim/b/a', object).freshness.notBefore;
  const first = notBefore();
  await clock.advance(minute);
  memories.distrust('Sim/b/a');
  await clock.advance(minute);
  const second = notBefore();
  memories.distrust('Sim/b/a');
  memories.forget('Sim/b/a');
  expect([first, second, notBefore()]).toEqual([Number.NEGATIVE_INFINITY, minute, Number.NEGATIVE_INFINITY]);
});
