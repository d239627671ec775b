import { describe, expect, it } from 'vitest';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';
import { summaryOf } from '../../../src/reconcile/summary.ts';

const describeStep = ({ do: name }: Step) => `did ${name}`;
const plan = (steps: readonly Step[]): Plan<Step> => ({
  steps,
  drift: [{ field: 'imei', desired: 'a', observed: 'b' }],
  applied: { imei: 'a', name: 'n' },
});

describe('what is said of the steps of a pass', () => {
  it.each<[string, readonly Step[], Readonly<Record<string, unknown>>, unknown]>([
    ['nothing was done', [], {}, undefined],
    ['something was only sent once more', [{ do: 'resend', repeats: true, fields: ['imei'] }], {}, undefined],
    [
      'a field was put right',
      [{ do: 'lock', fields: ['imei'] }],
      { imei: 'a' },
      { reason: 'DriftCorrected', message: 'Found imei b instead of a. Did lock.', drifted: ['imei'] },
    ],
    [
      'a field was put right and another follows the spec',
      [
        { do: 'lock', fields: ['imei'] },
        { do: 'name', fields: ['name'] },
      ],
      { imei: 'a' },
      { reason: 'Updated', message: 'Did lock; did name.', drifted: ['imei'] },
    ],
    [
      'what was put right had to be put into effect',
      [
        { do: 'lock', fields: ['imei'] },
        { do: 'config', follows: true },
      ],
      { imei: 'a' },
      { reason: 'DriftCorrected', message: 'Found imei b instead of a. Did lock; did config.', drifted: ['imei'] },
    ],
    [
      'it was created',
      [{ do: 'create', fields: ['name'] }],
      {},
      { reason: 'Created', message: 'Did create.', drifted: undefined },
    ],
  ])('when %s', (_, steps, before, expected) => {
    expect(summaryOf(steps, before, plan(steps), describeStep)).toEqual(expected);
  });
});
