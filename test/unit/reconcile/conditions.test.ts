import { describe, expect, it } from 'vitest';
import { mergeConditions, type Verdict } from '../../../src/reconcile/conditions.ts';

const early = Date.UTC(2026, 0, 1);
const late = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const ready = (more: Partial<Verdict>): Verdict => ({
  type: 'Ready',
  status: 'True',
  reason: 'Available',
  message: 'It is.',
  ...more,
});

describe('conditions over time', () => {
  it('carry whole seconds, the generation, and when their status last changed', () => {
    expect(mergeConditions([], [ready({})], 3, late)).toEqual([
      {
        type: 'Ready',
        status: 'True',
        reason: 'Available',
        message: 'It is.',
        observedGeneration: 3,
        lastTransitionTime: '2026-01-02T03:04:05Z',
      },
    ]);
  });

  it.each([
    ['moves with the status', ready({ status: 'False', reason: 'Gone' }), '2026-01-02T03:04:05Z'],
    [
      'stays when only reason and message change',
      ready({ reason: 'Observed', message: 'Seen.' }),
      '2026-01-01T00:00:00Z',
    ],
  ])('lastTransitionTime %s', (_, verdict, expected) => {
    const before = mergeConditions([], [ready({})], 1, early);
    expect(mergeConditions(before, [verdict], 2, late)[0]?.lastTransitionTime).toBe(expected);
  });

  it('that no longer hold are gone', () => {
    const before = mergeConditions([], [ready({}), ready({ type: 'Stalled' })], 1, early);
    expect(mergeConditions(before, [ready({})], 1, late).map(({ type }) => type)).toEqual(['Ready']);
  });

  it('keep their message while only the serial number of the service changes', () => {
    const complaint = (serial: string) =>
      ready({ status: 'False', reason: 'Rejected', message: `No (serial ${serial}).` });
    const before = mergeConditions([], [complaint('1')], 1, early);
    expect(mergeConditions(before, [complaint('2')], 1, late)).toEqual(before);
  });
});
