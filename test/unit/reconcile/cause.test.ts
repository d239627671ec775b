import { describe, expect, it } from 'vitest';
import { type Circumstances, causesOf, settledGenerationOf } from '../../../src/reconcile/cause.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';

const step = (more: Partial<Step> & { readonly do: string }): Step => ({ changes: [], ...more });
const setName = step({ do: 'rename', fields: ['name'] });
const setIP = step({ do: 'setIP', fields: ['ip'] });
const config = step({ do: 'config', follows: true });

/** Of a resource of generation 3, whose generation 3 was carried out. */
const settled: Circumstances = {
  deleting: false,
  generation: 3,
  settledGeneration: 3,
  isInterrupted: false,
  isLost: false,
  progress: { applied: { name: 'a', ip: '1' }, pending: [], ownership: 'Created' },
  outside: { gateway: 'ReferenceChanged' },
};
const fresh: Circumstances = {
  ...settled,
  settledGeneration: undefined,
  progress: { applied: {}, pending: [], ownership: 'Created' },
};

function causes(steps: readonly Step[], applied: object, circumstances: Partial<Circumstances>): string[] {
  const plan: Plan<Step> = { steps, drift: [], applied: { ...applied } };
  return steps.map(causesOf(plan, { ...settled, ...circumstances }));
}

describe('why something is written', () => {
  it.each<[string, readonly Step[], object, Partial<Circumstances>, readonly string[]]>([
    ['the spec changed', [setName], { name: 'b' }, { generation: 4 }, ['SpecChanged']],
    [
      'a field was added to the spec',
      [setName],
      { name: 'b' },
      { generation: 4, progress: fresh.progress },
      ['SpecChanged'],
    ],
    ['somebody changed it at the service', [setName], { name: 'a' }, {}, ['DriftRepaired']],
    [
      'the same, and the spec changed elsewhere',
      [setName, setIP],
      { name: 'a', ip: '2' },
      { generation: 4 },
      ['DriftRepaired', 'SpecChanged'],
    ],
    [
      'the same, or a process ended while it carried out a spec that is no more',
      [setName, setIP],
      { name: 'a', ip: '2' },
      { generation: 5, isInterrupted: true },
      ['Resumed', 'SpecChanged'],
    ],
    ['somebody changed it, after all', [setName], { name: 'a' }, { isInterrupted: true }, ['DriftRepaired']],
    ['a field left the spec', [setName], {}, { generation: 4 }, ['FieldUnset']],
    [
      'it is new',
      [step({ do: 'create', fields: ['name'] }), setIP],
      { name: 'a', ip: '1' },
      { ...fresh, progress: { applied: {}, pending: [], ownership: undefined } },
      ['Creation', 'Creation'],
    ],
    ['it is new, and was created before', [setIP], { name: 'a', ip: '1' }, fresh, ['Creation']],
    [
      'it was taken over',
      [setIP],
      { ip: '1' },
      { ...fresh, progress: { ...fresh.progress, ownership: 'Adopted' } },
      ['Adoption'],
    ],
    [
      'it had vanished',
      [step({ do: 'create' }), setIP],
      { ip: '1' },
      { ...fresh, isLost: true },
      ['Recreation', 'Recreation'],
    ],
    [
      'something outside of the spec changed',
      [step({ do: 'register', fields: ['gateway'] })],
      { gateway: '2' },
      { progress: { ...settled.progress, applied: { gateway: '1' } } },
      ['ReferenceChanged'],
    ],
    [
      'an earlier write may have been made',
      [setIP],
      { ip: '1' },
      { progress: { ...settled.progress, pending: ['ip'] } },
      ['Resumed'],
    ],
    ['what was sent takes effect only now', [config], {}, {}, ['Resumed']],
    ['it follows from another', [setName, config], { name: 'b' }, { generation: 4 }, ['SpecChanged', 'SpecChanged']],
    [
      'it is done for the sake of another field',
      [step({ do: 'clearIP', fields: ['ip'], because: ['gateway'] }), step({ do: 'register', fields: ['gateway'] })],
      { ip: '1', gateway: '2' },
      { generation: 4, progress: { ...settled.progress, applied: { ip: '1', gateway: '1' } } },
      ['SpecChanged', 'SpecChanged'],
    ],
    ['the kind says so', [step({ do: 'reconnect', cause: 'Annotation' })], {}, {}, ['Annotation']],
    ['it is being deleted', [setIP, step({ do: 'delete' })], {}, { deleting: true }, ['Deletion', 'Deletion']],
  ])('is that %s', (_, steps, applied, circumstances, expected) => {
    expect(causes(steps, applied, circumstances)).toEqual(expected);
  });
});

describe('which generation was carried out, as a status says', () => {
  const condition = (type: string, status: 'True' | 'False', observedGeneration: number) => ({
    type,
    status,
    observedGeneration,
    reason: 'R',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  it.each<[string, ManagedObject['status'], number | undefined]>([
    ['none', undefined, undefined],
    ['none while it is being carried out', { uid: 'u', conditions: [condition('Synced', 'False', 2)] }, undefined],
    ['that of Synced', { uid: 'u', conditions: [condition('Synced', 'True', 2)] }, 2],
    [
      'that of Ready, of what waits for a change',
      { uid: 'u', conditions: [condition('Ready', 'True', 1), condition('Synced', 'False', 2)] },
      1,
    ],
    ['none of what was Ready in a backup', { uid: 'u', conditions: [condition('Ready', 'True', 0)] }, undefined],
    ['none of another object', { uid: 'other', conditions: [condition('Synced', 'True', 2)] }, undefined],
  ])('%s', (_, status, expected) => {
    const object = {
      apiVersion: 'v',
      kind: 'Sim',
      metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
      spec: {},
      ...(status && { status }),
    };
    expect(settledGenerationOf(object)).toBe(expected);
  });
});
