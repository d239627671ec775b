import { expect, test } from 'vitest';
import { createUnansweredWrites, isHidden } from '../../../src/reconcile/unanswered.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('what may still arrive is waited for until the last of it, by what it is of, and then forgotten', async () => {
  const clock = new ManualClock();
  const writes = createUnansweredWrites(clock);
  writes.note('one', 3000);
  writes.note('one', 2000);
  writes.note('other', 1000);
  const before = ['one', 'other', 'third'].map(writes.until);
  await clock.advance(2500);
  writes.note('third', 9000);
  expect([before, ['one', 'other', 'third'].map(writes.until)]).toEqual([
    [3000, 1000, undefined],
    [3000, undefined, 9000],
  ]);
});

test.each([
  [['secret'], ['secret', 'name'], true],
  [['secret'], ['name'], false],
  [undefined, ['secret'], false],
])('of the hidden fields %j a step about %j changes one: %j', (hidden, fields, expected) => {
  expect(isHidden({ hidden }, { do: 'set', fields, changes: [] })).toBe(expected);
});
