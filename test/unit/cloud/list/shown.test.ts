import { expect, it } from 'vitest';
import { createShown } from '../../../../src/cloud/list/shown.ts';

const MINUTE = 60_000;

it.each([
  { what: 'none was whole', lists: [{ at: 0, complete: false }], since: undefined },
  {
    what: 'each came minutes after the one before',
    lists: [
      { at: 0, complete: true },
      { at: 5 * MINUTE, complete: true },
      { at: 10 * MINUTE, complete: true },
    ],
    since: 0,
  },
  {
    what: 'none was whole for long',
    lists: [
      { at: 0, complete: true },
      { at: 4 * MINUTE, complete: false },
      { at: 6 * MINUTE, complete: true },
      { at: 7 * MINUTE, complete: true },
    ],
    since: 6 * MINUTE,
  },
])('lists are steady since the last gap: $what', ({ lists, since }) => {
  const shown = createShown<string>((a, b) => a === b);
  for (const { at, complete } of lists) shown.take({ startedAt: at, items: new Map(), complete }, at);
  expect(shown.steadySince()).toBe(since);
});
