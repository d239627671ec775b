import { expect, test } from 'vitest';
import { createBlame } from '../../../../src/cloud/http/blame.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

function played() {
  const clock = new ManualClock();
  const blame = createBlame(clock);
  const answer = (party: string, count: number) => {
    for (let index = 0; index < count; index++) blame.answered('cloud', `PUT /${party}/${index}`, party);
  };
  return { clock, blame, answer };
}

test('what is refused again tells nothing new, until it is answered', () => {
  const { blame } = played();
  expect([blame.tells('PUT /1'), blame.refused('PUT /1', 'a'), blame.tells('PUT /1')]).toEqual([
    true,
    'service',
    false,
  ]);
  expect([blame.refused('PUT /1', 'a'), blame.refused('PUT /2', 'a')]).toEqual(['object', 'service']);
  blame.answered('cloud', 'PUT /1', 'a');
  expect([blame.tells('PUT /1'), blame.refused('PUT /1', 'a')]).toEqual([true, 'service']);
});

test('a party whose requests are refused while those of others are answered has itself to blame', () => {
  const { blame, answer } = played();
  answer('others', 30);
  const faults = Array.from({ length: 6 }, (_, index) => blame.refused(`PUT /${index}`, 'evil'));
  expect(faults).toEqual(['service', 'party', 'party', 'party', 'party', 'party']);
  // What it has answered in between changes nothing.
  answer('evil', 20);
  expect(blame.refused('PUT /9', 'evil')).toBe('party');
});

test('where others are refused as often, or too few ask to tell, it is the service', () => {
  const { blame, answer } = played();
  const alone = Array.from({ length: 6 }, (_, index) => blame.refused(`PUT /${index}`, 'alone'));
  expect(new Set(alone)).toEqual(new Set(['service']));
  for (let round = 0; round < 40; round++) {
    for (const party of ['a', 'b', 'c']) {
      answer(party, 2);
      expect(blame.refused(`PUT /${party}/${round}`, party)).toBe('service');
    }
  }
});

test('who is always refused takes nothing back of what a service with too much to do refuses others', () => {
  const { blame, answer } = played();
  for (let round = 0; round < 10; round++) {
    answer('others', 8);
    blame.refused(`PUT /others/${round}`, 'others');
  }
  const faults = Array.from({ length: 20 }, (_, index) => blame.refused(`PUT /${index}`, 'evil'));
  expect(new Set(faults)).toEqual(new Set(['service', 'object']));
});

test('what others were answered before says nothing of a service that has too much to do since', async () => {
  const { blame, answer, clock } = played();
  answer('others', 50);
  await clock.advance(60_000);
  const faults = Array.from({ length: 20 }, (_, index) => blame.refused(`PUT /${index}`, 'last'));
  expect(new Set(faults)).toEqual(new Set(['service']));
});

test('reads of others that are answered where writes are not tell nothing of who writes', () => {
  const { blame } = played();
  const faults = Array.from({ length: 40 }, (_, index) => {
    for (let read = 0; read < 5; read++) blame.answered('cloud', `GET /evil/${index}/${read}`, 'evil');
    blame.answered('cloud', `PUT /victim/${index}`, 'victim');
    return blame.refused(`PUT /victim/new/${index}`, 'victim');
  });
  expect(new Set(faults)).toEqual(new Set(['service']));
});

test('lists that are answered where writes are not tell nothing of who writes', () => {
  const { blame } = played();
  for (let list = 0; list < 40; list++) blame.answered('cloud', 'GET /list', undefined);
  const faults = Array.from({ length: 6 }, (_, index) => blame.refused(`PUT /${index}`, 'alone'));
  expect(new Set(faults)).toEqual(new Set(['service']));
});

test('what became of requests long ago says nothing of now', async () => {
  const { clock, blame, answer } = played();
  answer('others', 30);
  await clock.advance(400_000);
  expect(Array.from({ length: 6 }, (_, index) => blame.refused(`PUT /${index}`, 'a'))).not.toContain('party');
});
