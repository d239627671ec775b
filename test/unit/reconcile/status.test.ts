import { describe, expect, it } from 'vitest';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import type { SealedRecord } from '../../../src/reconcile/seal.ts';
import { composeStatus, type StatusParts } from '../../../src/reconcile/status.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');

/** A resource whose status shows these fields, beside what every status has. */
function showing(fields: object): ManagedObject {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-1', namespace: 'fleet', uid: 'uid-1', resourceVersion: '1', generation: 2 },
    spec: {},
    status: { observedGeneration: 1, id: '113300000017', ...fields },
  };
}

const parts: StatusParts = {
  progress: { id: '113300000017', applied: {}, pending: [], marks: {} },
  verdicts: [],
  observed: undefined,
  marks: ['configPending'],
  drift: [],
  accountRef: undefined,
  now: NOW,
};

describe('what a status shows of the service', () => {
  const recorded = { carriers: ['a'], ip: '10.0.0.1', configPending: true };

  it.each<[string, Pick<StatusParts, 'observed' | 'learnt'>, object]>([
    ['is kept where nothing was observed', { observed: undefined }, { carriers: ['a'], ip: '10.0.0.1' }],
    ['is what was observed, and nothing older', { observed: { ip: '10.0.0.2' } }, { ip: '10.0.0.2' }],
    [
      'is newer in what the answers to writes said, though a pass failed before it observed anything',
      { observed: undefined, learnt: { carriers: ['b'] } },
      { carriers: ['b'], ip: '10.0.0.1' },
    ],
    [
      'is what the answers to writes said, also beside what was observed',
      { observed: { carriers: ['a'], ip: '10.0.0.2' }, learnt: { carriers: ['b'] } },
      { carriers: ['b'], ip: '10.0.0.2' },
    ],
    [
      'is not taken away by what is not known',
      { observed: undefined, learnt: { carriers: undefined } },
      { carriers: ['a'], ip: '10.0.0.1' },
    ],
  ])('%s', (_, known, shown) => {
    expect(composeStatus(showing(recorded), { ...parts, ...known })).toEqual({
      uid: 'uid-1',
      id: '113300000017',
      observedGeneration: 2,
      conditions: [],
      ...shown,
    });
  });
});

describe('the seal of what a status has on record', () => {
  const sealOf = ({ uid, id, createdAt }: SealedRecord) => `${uid} ${id} ${createdAt}`;
  const other = { ...parts.progress, id: '113300000018' };
  const restored = { ...parts.progress, restoredFrom: 'uid-0' };

  it.each<[string, object, Partial<StatusParts>, string | undefined]>([
    ['is of what is written with it', {}, { observed: { createdAt: 'now' }, seal: sealOf }, 'uid-1 113300000017 now'],
    ['stays where this process has claimed nothing yet', { uid: 'uid-1', seal: 'before' }, {}, 'before'],
    [
      'stays with what was restored, until that was found',
      { uid: 'uid-0', seal: 'old' },
      { progress: restored },
      'old',
    ],
    ['does not stay with another ID', { uid: 'uid-1', seal: 'before' }, { progress: other }, undefined],
    ['does not stay once what was restored is its own', { uid: 'uid-0', seal: 'old' }, {}, undefined],
    ['is none where nothing is on record', { seal: 'before' }, { progress: { ...other, id: undefined } }, undefined],
  ])('%s', (_, before, changed, expected) => {
    expect(composeStatus(showing(before), { ...parts, ...changed }).seal).toBe(expected);
  });
});
