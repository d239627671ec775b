import { describe, expect, it } from 'vitest';
import { simDefinition } from '../../../src/kinds/sim/schema.ts';
import type { CommonStatus, ManagedObject, Progress } from '../../../src/reconcile/managed-object.ts';
import type { Step } from '../../../src/reconcile/plan.ts';
import { type PassOutcome, type Shown, statusAfter } from '../../../src/reconcile/write-outcome.ts';

const NOW = Date.parse('2026-01-02T03:04:05Z');

/** What is at the service does without an address. */
type Facts = Readonly<Record<string, never>>;

const shown: Shown<ManagedObject, Facts> = {
  definition: simDefinition,
  observed: () => ({}),
  marks: [],
  readyMessage: () => 'SIM 1 is at the service.',
  impairment: (_, isDue) =>
    isDue('ipAddress') ? { reason: 'DriftObserved', message: 'It has no address.' } : undefined,
};

/** Somebody else has the address. */
const taken: PassOutcome<Facts, Step> = {
  facts: {},
  hold: { state: 'Waiting', reason: 'Conflict', message: 'Another SIM has the address.' },
};

const unapplied: Progress = { id: '1', applied: {}, pending: [], marks: {} };

/** A Sim of generation 2 whose spec asks for an address, and that was Ready as this generation wants it. */
function readyAs(generation: number, more: Partial<CommonStatus> = {}): ManagedObject {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-1', namespace: 'fleet', uid: 'uid-1', resourceVersion: '1', generation: 2 },
    spec: {},
    status: {
      uid: 'uid-1',
      id: '1',
      observedGeneration: generation,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Available',
          message: 'SIM 1 is at the service.',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          observedGeneration: generation,
        },
      ],
      ...more,
    },
  };
}

function readyAfter(object: ManagedObject, progress: Progress): string {
  const { conditions } = statusAfter(shown, object, progress, taken, NOW);
  const ready = conditions?.find(({ type }) => type === 'Ready');
  return `${ready?.status} of generation ${ready?.observedGeneration}`;
}

describe('a resource without an address it asks for, which somebody else has', () => {
  it.each<[string, ManagedObject, Progress, string]>([
    ['is Ready as before where the address is new in its spec', readyAs(1), unapplied, 'True of generation 1'],
    [
      'is not Ready where it had the address',
      readyAs(1),
      { ...unapplied, applied: { ipAddress: '10.0.0.1' } },
      'False of generation 2',
    ],
    [
      'is not Ready where a backup tells of a time when this spec was carried out, and this process of a later one',
      readyAs(2),
      unapplied,
      'False of generation 2',
    ],
    [
      'is not Ready where a backup tells of a time when it had the address, though its spec was edited since',
      readyAs(1, { applied: { ipAddress: '10.0.0.1' } }),
      unapplied,
      'False of generation 2',
    ],
    [
      'is Ready of no generation where the status was that of another object',
      readyAs(2, { uid: 'uid-0', applied: { ipAddress: '10.0.0.1' } }),
      unapplied,
      'True of generation 0',
    ],
  ])('%s', (_, object, progress, ready) => {
    expect(readyAfter(object, progress)).toBe(ready);
  });
});
