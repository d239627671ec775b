import { expect, test } from 'vitest';
import { brake } from '../../../src/reconcile/brake.ts';
import type { Braked, Brakes } from '../../../src/reconcile/brakes.ts';
import { DecisionOutdatedError } from '../../../src/reconcile/guard.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';
import type { Work } from '../../../src/reconcile/work.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const hold: Hold<string> = { state: 'Suspended', reason: 'DeletionHeld', message: '' };
const LONG_AGO = '2025-01-01T00:00:00Z';

/** What the brakes answer for a resource with these marks, and what is remembered of it then. */
async function answered(
  answer: Awaited<ReturnType<Brakes['ask']>>,
  marks: Record<string, unknown>,
  action: Braked = 'Deletion',
) {
  const asked: Parameters<Brakes['ask']>[0][] = [];
  const object = { metadata: { name: 'a', uid: 'a' }, spec: {} };
  const memory = { progress: { id: '1', applied: {}, pending: [], marks } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass as is asked
  const work = {
    object,
    memory,
    accountRef: { kind: 'CloudAccount', name: 'a' },
    check: () => undefined,
  } as unknown as Work<ManagedObject>;
  const ask: Brakes['ask'] = (request) => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  const held = await brake({ brakes: { ask }, clock: new ManualClock() }, action, work);
  return { held, marks: memory.progress.marks, work, asked };
}

test('what is held says since when, the first time, and with how many at most', async () => {
  const first = await answered({ hold, among: 20 }, { creationAnsweredAt: LONG_AGO });
  const again = await answered({ hold, among: 12 }, { heldSince: LONG_AGO, heldAmong: 20 });
  expect([first.held, first.marks, again.marks]).toEqual([
    hold,
    { creationAnsweredAt: LONG_AGO, heldSince: '2026-01-01T00:00:00Z', heldAmong: 20 },
    { heldSince: LONG_AGO, heldAmong: 20 },
  ]);
});

test('what is let through is held no more, and leaves only as long as its permit is good', async () => {
  let isGood = true;
  const { held, marks, work } = await answered({ isGood: () => isGood }, { heldSince: LONG_AGO, heldAmong: 20 });
  expect([held, marks]).toEqual([undefined, {}]);
  work.check();
  isGood = false;
  expect(work.check).toThrow(DecisionOutdatedError);
});

test('what is to be created once more is asked for as such by any process, as the status says what vanished', async () => {
  const { asked } = await answered({ hold, among: 12 }, { vanishedID: '7', heldAmong: 20 }, 'Creation');
  expect(asked).toMatchObject([{ action: 'Creation', vanished: '7', heldAmong: 20 }]);
});
