import { describe, expect, it } from 'vitest';
import type { Hold } from '../../../src/reconcile/plan.ts';
import { judge, type Situation } from '../../../src/reconcile/verdict.ts';

const calm: Situation = {
  mode: 'Manage',
  unsettled: false,
  drift: [],
  readyMessage: 'SIM 1 is at the service.',
  deleting: false,
};
const drift = [
  { field: 'activated', desired: 'true', observed: 'false' },
  { field: 'ipAddress', desired: '10.0.0.1', observed: 'none' },
];
const hold = (more: Partial<Hold<string>>): Hold<string> => ({
  state: 'Waiting',
  reason: 'Why',
  message: 'Because.',
  ...more,
});

/** The conditions in short: `Ready=True Available`. */
function conditionsOf(situation: Partial<Situation>): string[] {
  return judge({ ...calm, ...situation }).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
}

describe('the conditions of a resource', () => {
  it.each<[string, Partial<Situation>, string[]]>([
    ['that is as its spec says', {}, ['Ready=True Available', 'Synced=True Available']],
    ['that is only observed', { mode: 'Observe' }, ['Ready=True Observed', 'Synced=True Observed']],
    ['that is observed to differ', { mode: 'Observe', drift }, ['Ready=True Observed', 'Synced=False DriftObserved']],
    [
      'with a wish that cannot be granted',
      { unsynced: { reason: 'NotChangeable', message: 'It is so.' } },
      ['Ready=True Available', 'Synced=False NotChangeable'],
    ],
    [
      'that is being worked on',
      { unsettled: true },
      ['Ready=False Applying', 'Synced=False Applying', 'Reconciling=True Applying'],
    ],
    [
      'that is being deleted',
      { unsettled: true, deleting: true },
      ['Ready=False Deleting', 'Synced=False Deleting', 'Reconciling=True Deleting'],
    ],
    ['that waits', { hold: hold({}) }, ['Ready=False Why', 'Synced=False Why', 'Reconciling=True Why']],
    [
      'that needs a person',
      { hold: hold({ state: 'Stalled' }) },
      ['Ready=False Why', 'Synced=False Why', 'Stalled=True Why'],
    ],
    ['that a person has paused', { hold: hold({ state: 'Suspended' }) }, ['Ready=False Why', 'Synced=False Why']],
    [
      'that was Ready when the service went away',
      {
        hold: hold({ keepsReady: true }),
        stillReady: { reason: 'Available', message: 'SIM 1 is at the service.', generation: 1 },
      },
      ['Ready=True Available', 'Synced=False Why', 'Reconciling=True Why'],
    ],
    [
      'that works while a change of it waits for its turn',
      {
        unsettled: true,
        queued: true,
        stillReady: { reason: 'Available', message: 'SIM 1 is at the service.', generation: 1 },
      },
      ['Ready=True Available', 'Synced=False Queued', 'Reconciling=True Queued'],
    ],
    [
      'that is as its spec says, and does not do what it is for',
      { impairment: { reason: 'Stopped', message: 'It was stopped.' } },
      ['Ready=False Stopped', 'Synced=True Available', 'Stalled=True Stopped'],
    ],
    [
      'that is observed to differ in what it is for',
      { mode: 'Observe', drift, impairment: { reason: 'DriftObserved', message: 'SIM 1 is not active.' } },
      ['Ready=False DriftObserved', 'Synced=False DriftObserved', 'Stalled=True DriftObserved'],
    ],
    [
      'that was not Ready when the service went away',
      { hold: hold({ keepsReady: true }) },
      ['Ready=False Why', 'Synced=False Why', 'Reconciling=True Why'],
    ],
  ])('%s', (_, situation, expected) => {
    expect(conditionsOf(situation)).toEqual(expected);
  });

  it('say that it is Ready for the spec that was carried out, and what is in the way of the one that was not', () => {
    const stillReady = { reason: 'Available', message: 'SIM 1 is at the service.', generation: 3 };
    const verdicts = judge({ ...calm, hold: hold({}), stillReady });
    expect(verdicts.map(({ type, generation }) => [type, generation])).toEqual([
      ['Ready', 3],
      ['Synced', undefined],
      ['Reconciling', undefined],
    ]);
  });

  it('say beside what is in the way what does not work', () => {
    const impairment = { reason: 'DriftObserved', message: 'SIM 1 has no IP address.' };
    const messages = judge({ ...calm, hold: hold({}), impairment }).map(({ message }) => message);
    expect(messages).toEqual(['SIM 1 has no IP address. Because.', 'Because.', 'Because.']);
  });

  it('name the first field that differs, and count the others', () => {
    const synced = judge({ ...calm, mode: 'Observe', drift }).find(({ type }) => type === 'Synced');
    expect(synced?.message).toBe('activated is false, the spec says true and 1 more, see status.drift.');
  });
});
