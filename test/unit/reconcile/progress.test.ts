import { describe, expect, it } from 'vitest';
import { type ManagedObject, type Progress, wasApplied } from '../../../src/reconcile/managed-object.ts';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';
import {
  afterFailure,
  afterPlan,
  afterStep,
  aheadOf,
  intendedToTell,
  mustBeStored,
  pendingToTell,
  progressOf,
} from '../../../src/reconcile/progress.ts';

const fields = ['activated', 'imeiLock'];
const none: Progress = { applied: {}, pending: [], marks: {} };

function object(finalizers: string[], status?: ManagedObject['status']): ManagedObject {
  const metadata = { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1', finalizers };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: {}, ...(status && { status }) };
}

function plan(steps: Step[], applied: Record<string, unknown>): Plan<Step> {
  return { steps, drift: [], applied };
}

describe('what a status says of the work so far', () => {
  it('is what was written, and its marks', () => {
    const status = {
      id: '1',
      ownership: 'Adopted' as const,
      applied: { activated: true },
      lastHandledReconcileAt: 'now',
    };
    expect(progressOf(object(['edgeline.dev/adopt'], status), fields, [])).toEqual({
      id: '1',
      ownership: 'Adopted',
      applied: { activated: true },
      found: [],
      pending: [],
      marks: { lastHandledReconcileAt: 'now' },
    });
  });

  it('is that anything may have been written, when a creation was interrupted', () => {
    expect(progressOf(object(['edgeline.dev/create']), fields, []).pending).toEqual(fields);
  });

  it('is that nothing was written, before anything was to be created', () => {
    expect(progressOf(object([]), fields, []).pending).toEqual([]);
  });
});

describe('before the first call', () => {
  const activate: Step = { do: 'activate', fields: ['activated'], changes: [] };

  it('a field never written before is put on record', () => {
    const ahead = aheadOf(none, plan([activate], { activated: true }));
    expect([ahead.pending, mustBeStored(none, ahead, false)]).toEqual([['activated'], true]);
  });

  it('nothing needs to be while the resource is being created: all on it is its own', () => {
    expect(mustBeStored(none, aheadOf(none, plan([activate], { activated: true })), true)).toBe(false);
  });

  it('a value never written before is put on record', () => {
    const before: Progress = { ...none, applied: { activated: false } };
    const ahead = aheadOf(before, plan([activate], { activated: true }));
    expect([ahead.pending, ahead.intended, mustBeStored(before, ahead, false)]).toEqual([
      ['activated'],
      { activated: true },
      true,
    ]);
  });

  it('nothing needs to be for a field that is put back as it is on record', () => {
    const before: Progress = { ...none, applied: { activated: true } };
    expect(mustBeStored(before, aheadOf(before, plan([activate], { activated: true })), false)).toBe(false);
  });

  it('a mark is put on record, also while the resource is being created', () => {
    const ahead = aheadOf(none, plan([{ do: 'create', changes: [], marks: { creation: { name: 'a' } } }], {}));
    expect([ahead.marks, mustBeStored(none, ahead, true)]).toEqual([{ creation: { name: 'a' } }, true]);
  });
});

describe('after a call', () => {
  it('its fields are as planned, and on nobody’s list any more', () => {
    const before: Progress = { ...none, applied: { imeiLock: '1' }, pending: ['activated', 'imeiLock'] };
    const done = afterStep(
      before,
      plan([], { activated: true }),
      { do: 'x', fields: fields, changes: [] },
      { id: '7', marks: { booted: true } },
    );
    expect(done).toEqual({
      id: '7',
      ownership: undefined,
      applied: { activated: true },
      found: [],
      pending: [],
      marks: { booted: true },
    });
  });

  it('and when none is left, all is as planned', () => {
    const before: Progress = { ...none, applied: { imeiLock: '1' }, pending: ['activated'] };
    expect(afterPlan(before, plan([], { activated: true }))).toEqual({
      ...none,
      applied: { activated: true },
      found: [],
    });
  });
});

describe('after a plan that failed', () => {
  const step = (field: string): Step => ({ do: `set ${field}`, fields: [field], changes: [] });
  const [rename, carriers, lock] = [
    step('displayName'),
    { ...step('carriers'), pending: ['carriers/KDDI'] },
    step('imeiLock'),
  ] as const;
  const all = plan([rename, carriers, lock], { displayName: 'a', carriers: [], imeiLock: '1' });
  const intended = { displayName: 'a', carriers: [], imeiLock: '1' };
  const ahead: Progress = { ...none, pending: ['displayName', 'carriers/KDDI', 'imeiLock', 'dataLimit'], intended };

  it.each<[string, Step[], string[], boolean, Partial<Progress>]>([
    [
      'nothing of it was written',
      [],
      [],
      false,
      { pending: ['dataLimit'], unwritten: ['displayName', 'carriers/KDDI', 'imeiLock'] },
    ],
    [
      'it is not tried again',
      [],
      [],
      true,
      {
        pending: ['dataLimit'],
        unwritten: ['displayName', 'carriers/KDDI', 'imeiLock'],
        refused: ['displayName', 'carriers/KDDI', 'imeiLock'],
      },
    ],
    [
      'its second step may have been carried out',
      [rename, carriers],
      [],
      false,
      { pending: ['displayName', 'carriers/KDDI', 'dataLimit'], unwritten: ['imeiLock'] },
    ],
    [
      'something of it was pending before',
      [],
      ['imeiLock'],
      false,
      { pending: ['imeiLock', 'dataLimit'], unwritten: ['displayName', 'carriers/KDDI'] },
    ],
  ])('where %s', (_, reached, before, isFinal, expected) => {
    expect(afterFailure(ahead, { plan: all, reached, before, isFinal })).toEqual({ ...none, intended, ...expected });
  });

  it('what was not written stays on record in its order, and trying it again needs no word', () => {
    const failed = afterFailure(ahead, { plan: all, reached: [rename], before: [], isFinal: false });
    const again = aheadOf(failed, all);
    expect([pendingToTell(failed, ahead.pending), mustBeStored(failed, again, false), again.unwritten]).toEqual([
      ahead.pending,
      false,
      [],
    ]);
  });

  it.each<[string, Partial<Progress>, Readonly<Record<string, unknown>>, boolean]>([
    ['it has not been sent before', {}, { imeiLock: '1' }, true],
    ['just that was', { pending: ['imeiLock'], intended: { imeiLock: '1' } }, { imeiLock: '1' }, false],
    ['another was refused', { unwritten: ['imeiLock'], intended: { imeiLock: '2' } }, { imeiLock: '1' }, true],
    ['another may have been', { pending: ['imeiLock'], intended: { imeiLock: '2' } }, {}, true],
    ['nobody knows what may have been', { pending: ['imeiLock'] }, {}, false],
  ])('the value that is about to be written is on record where it is the only one: %s', (_, before, told, isStored) => {
    const progress = { ...none, ...before };
    const next = aheadOf(progress, plan([lock], { imeiLock: '1' }));
    expect([intendedToTell(next), mustBeStored(progress, next, false)]).toEqual([told, isStored]);
  });

  it('that is forgotten once there is nothing left to do', () => {
    const failed = afterFailure(ahead, { plan: all, reached: [], before: [], isFinal: false });
    expect(afterPlan(failed, plan([], {}))).toEqual({ ...none, found: [] });
  });
});

describe('a field of something taken over', () => {
  const adopted: Progress = { ...none, id: '1', ownership: 'Adopted' };
  const wanted = plan([], { activated: true, imeiLock: '1' });
  const activate: Step = { do: 'activate', fields: ['activated'], changes: [] };

  it('that was as the spec says is enforced, and does not count as written', () => {
    const known = afterPlan(adopted, wanted);
    expect(known).toMatchObject({ applied: { activated: true, imeiLock: '1' }, found: ['activated', 'imeiLock'] });
    expect(fields.map((field) => wasApplied(known, field))).toEqual([false, false]);
    expect(afterPlan(known, plan([], { imeiLock: '1' })).found).toEqual(['imeiLock']);
  });

  it('counts as written from when it was put right, over a restart too', () => {
    const found = afterPlan(adopted, wanted);
    const ahead = aheadOf(found, plan([activate], { activated: true, imeiLock: '1' }));
    expect([ahead.pending, mustBeStored(found, ahead, false)]).toEqual([['activated'], true]);
    expect(wasApplied(ahead, 'activated')).toBe(true);
    const done = afterPlan(afterStep(ahead, wanted, activate, {}), wanted);
    expect(done.found).toEqual(['imeiLock']);
    expect(wasApplied(done, 'activated')).toBe(true);
  });

  it('counts as written when it was about to be, and nobody knows whether it was', () => {
    expect(afterPlan({ ...adopted, pending: ['activated'] }, wanted).found).toEqual(['imeiLock']);
  });

  it('counts as written when it was before', () => {
    expect(afterPlan({ ...adopted, applied: { activated: true } }, wanted).found).toEqual(['imeiLock']);
  });

  it('of something created always counts as written', () => {
    expect(afterPlan({ ...adopted, ownership: 'Created' }, wanted).found).toEqual([]);
  });
});
