import { expect, test } from 'vitest';
import { createUnseenWrites, isHidden } from '../../../src/reconcile/unseen.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('what may arrive unseen is waited for until the last of it, by what it is of, and then forgotten', async () => {
  const clock = new ManualClock();
  const unseen = createUnseenWrites(clock);
  const here = { service: 'service.example' };
  const untilAll = () => ['one', 'other', 'third'].map((id) => unseen.until(here, id));
  unseen.note(here, 'one', 3000);
  unseen.note(here, 'one', 2000);
  unseen.note(here, 'other', 1000);
  const before = untilAll();
  await clock.advance(2500);
  unseen.note(here, 'third', 9000);
  expect([before, untilAll()]).toEqual([
    [3000, 1000, undefined],
    [3000, undefined, 9000],
  ]);
});

test('what has the ID at another service waits for nothing', () => {
  const unseen = createUnseenWrites(new ManualClock());
  unseen.note({ service: 'other.example' }, 'one', 3000);
  expect(['service.example', 'other.example'].map((service) => unseen.until({ service }, 'one'))).toEqual([
    undefined,
    3000,
  ]);
});

test.each([
  [['secret'], ['secret', 'name'], true],
  [['secret'], ['name'], false],
  [undefined, ['secret'], false],
])('of the hidden fields %j a step about %j changes one: %j', (hidden, fields, expected) => {
  expect(isHidden({ hidden }, { do: 'set', fields, changes: [] })).toBe(expected);
});
