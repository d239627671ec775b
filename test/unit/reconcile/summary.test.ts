import { describe, expect, it } from 'vitest';
import type { ChangeCause } from '../../../src/reconcile/change.ts';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';
import { summaryOf } from '../../../src/reconcile/summary.ts';

const describeStep = ({ do: name }: Step) => `did ${name}`;
const plan = (steps: readonly Step[]): Plan<Step> => ({
  steps,
  drift: [{ field: 'imei', desired: 'a', observed: 'b' }],
  applied: { imei: 'a', name: 'n' },
});

const lock: Step = {
  do: 'lock',
  fields: ['imei'],
  changes: [{ field: 'imei', before: 'b', after: 'a' }],
  cause: 'DriftRepaired',
};
const name: Step = {
  do: 'name',
  fields: ['name'],
  changes: [{ field: 'displayName', before: 'm', after: 'n' }],
  cause: 'SpecChanged',
};
const config: Step = { do: 'config', follows: true, changes: [], cause: 'DriftRepaired' };
const resend: Step = { do: 'resend', repeats: true, fields: ['imei'], changes: [], cause: 'Repetition' };
const create: Step = { do: 'create', fields: ['name'], changes: [], cause: 'Creation' };
const clear: Step = {
  do: 'clear',
  fields: ['ip'],
  changes: [{ field: 'ipAddress', before: '10.0.0.5', after: 'none' }],
  cause: 'SpecChanged',
};
const set: Step = { ...clear, do: 'set', changes: [{ field: 'ipAddress', before: 'none', after: '10.0.0.5' }] };

const causeOf = ({ cause }: Step): ChangeCause => cause ?? 'Resumed';

describe('what is said of the steps of a pass', () => {
  it.each<[string, readonly Step[], unknown]>([
    ['nothing was done', [], undefined],
    ['something was only sent once more', [resend], undefined],
    [
      'a field was put right',
      [lock],
      {
        reason: 'DriftCorrected',
        message: 'Found imei b instead of a. Did lock.',
        cause: 'DriftRepaired',
        drifted: ['imei'],
        isRoutine: false,
      },
    ],
    [
      'a field was put right and another follows the spec',
      [lock, name],
      {
        reason: 'Updated',
        message: 'Did lock; did name. Because the spec changed: imei, displayName.',
        cause: 'SpecChanged',
        drifted: ['imei'],
        isRoutine: false,
      },
    ],
    [
      'what was put right had to be put into effect',
      [lock, config],
      {
        reason: 'DriftCorrected',
        message: 'Found imei b instead of a. Did lock; did config.',
        cause: 'DriftRepaired',
        drifted: ['imei'],
        isRoutine: false,
      },
    ],
    [
      'an address was taken off for a while, for the sake of another change: nobody changed it',
      [clear, set],
      {
        reason: 'Updated',
        message: 'Did clear; did set. Because the spec changed: ipAddress.',
        cause: 'SpecChanged',
        drifted: undefined,
        isRoutine: true,
      },
    ],
    [
      'it was created',
      [create],
      { reason: 'Created', message: 'Did create.', cause: 'Creation', drifted: undefined, isRoutine: true },
    ],
    [
      'it was created again, for what there was had vanished',
      [{ ...create, cause: 'Recreation' }],
      { reason: 'Created', message: 'Did create.', cause: 'Recreation', drifted: undefined, isRoutine: false },
    ],
    [
      'the rest of a creation was done',
      [{ ...name, cause: 'Creation' }],
      { reason: 'Updated', message: 'Did name.', cause: 'Creation', drifted: undefined, isRoutine: true },
    ],
  ])('when %s', (_, steps, expected) => {
    expect(summaryOf(steps, plan(steps), { describe: describeStep, causeOf })).toEqual(expected);
  });
});
