import { describe, expect, it } from 'vitest';
import { type Creation, type CreationEvent, isJustCreated, nextCreation } from '../../../src/reconcile/creation.ts';

const times = { settleMilliseconds: 5000, shownMilliseconds: 180_000 };
const shownFrom = { monotonic: 190_000, wall: 1_000_190_000 };
const none: Creation = { state: 'none' };
const unclear: Creation = { state: 'unclear', since: 1, until: 2, shownFrom };
const justCreated: Creation = { state: 'just-created', at: 7 };
const confirmed: Creation = { state: 'confirmed', shownFrom };

const answered: CreationEvent = { type: 'answered', at: 42 };
const unanswered: CreationEvent = {
  type: 'unanswered',
  sentAt: 1_000_000_000,
  now: { monotonic: 10_000, wall: 1_000_001_000, earliest: 1_000_000_500 },
};
const askedAgain: CreationEvent = {
  type: 'asked again',
  now: { monotonic: 10_000, wall: 1_000_001_000, earliest: 1_000_000_500 },
};
const unclearNow: Creation = {
  state: 'unclear',
  since: 1_000_000_000 - 60_000,
  until: 1_000_000_500 + 5000 + 60_000,
  shownFrom: { monotonic: 10_000 + 185_000, wall: 1_000_001_000 + 185_000 },
};

describe('the state of a creation', () => {
  it.each<[Creation, CreationEvent, Creation]>([
    [none, answered, { state: 'just-created', at: 42 }],
    [none, unanswered, unclearNow],
    [none, { type: 'withdrawn' }, none],
    [none, { type: 'found' }, none],
    [none, { type: 'gone' }, none],
    [unclear, answered, { state: 'just-created', at: 42 }],
    [unclear, unanswered, unclearNow],
    [none, askedAgain, none],
    [unclear, askedAgain, { ...unclear, since: 1_000_000_500 - 60_000, until: 1_000_001_000 + 24 * 3_600_000 }],
    [unclear, { type: 'withdrawn' }, none],
    [unclear, { type: 'found' }, confirmed],
    [unclear, { type: 'gone' }, unclear],
    [justCreated, answered, { state: 'just-created', at: 42 }],
    [justCreated, unanswered, unclearNow],
    [justCreated, { type: 'withdrawn' }, none],
    [justCreated, { type: 'found' }, justCreated],
    [justCreated, { type: 'gone' }, none],
    [confirmed, answered, { state: 'just-created', at: 42 }],
    [confirmed, unanswered, unclearNow],
    [confirmed, { type: 'withdrawn' }, none],
    [confirmed, { type: 'found' }, confirmed],
    [confirmed, { type: 'gone' }, confirmed],
  ])('$0.state is followed, once it is $1.type, by $2.state', (before, event, after) => {
    expect(nextCreation(before, event, times)).toEqual(after);
  });

  it.each([
    [none, 8, false],
    [justCreated, 7, true],
    [justCreated, 7 + 179_999, true],
    [justCreated, 7 + 180_000, false],
    [confirmed, 8, false],
  ] as const)('$0.state means at $1 ms that the service may not show it yet: $2', (creation, now, expected) => {
    expect(isJustCreated(creation, now, times)).toBe(expected);
  });
});
