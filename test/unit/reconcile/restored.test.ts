import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ManagedObject, Progress } from '../../../src/reconcile/managed-object.ts';
import { progressOf } from '../../../src/reconcile/progress.ts';
import {
  afterSight,
  isMadeBetween,
  isStatusOfAnother,
  pendingOn,
  unfinishedSince,
  unfinishedUntil,
} from '../../../src/reconcile/restored.ts';

const second = 1000;
const minute = 60 * second;
const BORN = Date.parse('2026-01-01T00:00:00Z');
const at = (offset: number) => new Date(BORN + offset).toISOString().replace('.000Z', 'Z');

function object(status?: ManagedObject['status'], finalizer = 'edgeline.dev/create'): ManagedObject {
  const metadata = {
    name: 'truck-17',
    namespace: 'fleet',
    uid: 'own',
    resourceVersion: '1',
    creationTimestamp: at(0),
    finalizers: [finalizer],
  };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: {}, ...(status && { status }) };
}

const ready = (offset: number) => [
  { type: 'Ready', status: 'True' as const, reason: 'Available', message: '', lastTransitionTime: at(offset) },
];

describe('a status', () => {
  it('is of another object when it names one, whatever else it says', () => {
    expect(isStatusOfAnother(object({ uid: 'other', conditions: ready(minute) }))).toBe(true);
    expect(isStatusOfAnother(object({ uid: 'own', conditions: ready(-60 * minute) }))).toBe(false);
  });

  it('that names none is of another object when it tells of a time before the object, clocks aside', () => {
    expect(isStatusOfAnother(object({ conditions: ready(-6 * minute) }))).toBe(true);
    expect(isStatusOfAnother(object({ conditions: ready(-4 * minute) }))).toBe(false);
    expect(isStatusOfAnother(object({ observedGeneration: -1 }))).toBe(false);
    expect(isStatusOfAnother(object())).toBe(false);
  });

  it('of another object says what to look for, and of nothing that it is this one’s work', () => {
    const status = {
      uid: 'other',
      id: '1',
      ownership: 'Created' as const,
      applied: { activated: true },
      pending: ['imeiLock'],
      creation: { name: 'depot' },
    };
    expect(progressOf(object(status), ['activated', 'imeiLock'], ['creation'])).toEqual({
      id: '1',
      ownership: 'Adopted',
      applied: {},
      restoredFrom: 'other',
      found: [],
      pending: [],
      marks: {},
    });
  });
});

describe('an unfinished creation of which only the finalizer tells', () => {
  const isOwn = (madeAt: number, lookedAt: number) =>
    isMadeBetween(
      at(madeAt),
      unfinishedSince(object(), BORN + lookedAt),
      unfinishedUntil(object(), BORN + lookedAt, 5000),
    );

  it('is not what is older than the object, by however little', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3 * second, max: 10 ** 9 }), fc.nat(10 ** 9), (older, later) => {
        expect(isOwn(-older, later)).toBe(false);
      }),
    );
  });

  it('is not what was made long ago, also for an object that is older still', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.integer({ min: 20 * minute + second, max: 10 ** 9 }), (madeAt, later) => {
        expect(isOwn(madeAt, madeAt + later)).toBe(false);
      }),
    );
  });

  it('is what was made after the object and a while ago at most', () => {
    fc.assert(
      fc.property(fc.nat(10 ** 9), fc.nat(20 * minute - second), (madeAt, later) => {
        expect(isOwn(madeAt, madeAt + later)).toBe(true);
      }),
    );
  });

  it('is not what does not say when it was made', () => {
    expect(isMadeBetween(undefined, 0, 1)).toBe(false);
  });
});

describe('what is found at the service', () => {
  const pending: Progress = { applied: {}, pending: ['activated'], marks: { booted: true } };

  it('and turns out to be taken over has nothing pending', () => {
    expect(afterSight(pending, { id: '1', ownership: 'Adopted' }, undefined)).toEqual({
      ...pending,
      id: '1',
      ownership: 'Adopted',
      pending: [],
    });
    expect(pendingOn(pending, 'Adopted')).toEqual([]);
  });

  it('and turns out to be an unfinished creation has everything pending that was', () => {
    expect(afterSight(pending, { id: '1', ownership: 'Created' }, undefined).pending).toEqual(['activated']);
    expect(pendingOn(pending, 'Created')).toEqual(['activated']);
  });

  it.each(['Created', 'Adopted'] as const)('again under its old ID is what it was: %s', (ownership) => {
    const lost: Progress = { ...pending, id: '1', ownership };
    const other = ownership === 'Created' ? 'Adopted' : 'Created';
    expect(afterSight(pending, { id: '1', ownership: other }, lost).ownership).toBe(ownership);
    expect(afterSight(pending, { id: '2', ownership: other }, lost).ownership).toBe(other);
  });

  it('under another ID than recorded starts with nothing known', () => {
    const known: Progress = { id: '1', ownership: 'Created', applied: { activated: true }, pending: ['x'], marks: {} };
    expect(afterSight(known, { id: '2', ownership: 'Adopted' }, undefined)).toEqual({
      id: '2',
      ownership: 'Adopted',
      applied: {},
      found: [],
      pending: [],
      marks: {},
    });
  });
});
