import { beforeEach, describe, expect, test } from 'vitest';
import { createRecorder, type Recorder } from '../../../../src/kinds/cloud-account/recorder.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const SECOND = 1000;
/** Accounts by a letter: each is in a namespace of its own. */
const keyOf = (letter: string) => `CloudAccount/${letter}/default`;
const lettersIn = (text: string) => text.split('');
const lettersOf = (keys: readonly string[]) => keys.map((key) => key.split('/')[1]).join('');

let clock: ManualClock;
let accounts: string[];
let told: string[];
let recorder: Recorder;
beforeEach(() => {
  clock = new ManualClock();
  accounts = lettersIn('abcdef');
  told = [];
  recorder = createRecorder({
    clock,
    accounts: () => accounts.map(keyOf),
    onRecordWanted: (of) => told.push(`record ${lettersOf(of)}`),
    onUntold: (of) => told.push(`show ${lettersOf(of)}`),
  });
});

/** Who is asked for a record now. */
function want(): string[] {
  told = [];
  recorder.wanted();
  return told;
}

function recorded(letters: string): void {
  for (const letter of lettersIn(letters)) recorder.recorded(keyOf(letter));
}

/** What is told within so many milliseconds. */
async function toldWithin(milliseconds: number): Promise<string[]> {
  told = [];
  await clock.advance(milliseconds);
  return told;
}

/** Which of them is to have each record. */
const keepers = () => accounts.filter((letter) => recorder.isKeeper(keyOf(letter))).join('');

describe('a record of an hour that six accounts share', () => {
  test('is asked of all at first, and then of the three that made one first', async () => {
    expect(want()).toEqual(['record abcdef']);
    recorded('bcae');
    expect([want(), keepers()]).toEqual([['record bca'], 'abc']);
    recorded('abc');
    expect(await toldWithin(2 * SECOND)).toEqual([]);
  });

  test('that none of the three makes within a second is asked of all', async () => {
    recorded('abc');
    want();
    expect(await toldWithin(SECOND)).toEqual(['record abcdef']);
  });

  test('that one of the three does not make within a second is asked of all, and another takes its place', async () => {
    recorded('abc');
    want();
    recorded('ac');
    expect([await toldWithin(SECOND), keepers()]).toEqual([['record acbdef'], 'abcdef']);
    recorded('d');
    expect([want(), keepers()]).toEqual([['record acd'], 'acd']);
  });

  test('that was asked of one a moment ago is not late', async () => {
    recorded('abc');
    want();
    recorded('abc');
    await clock.advance(0.9 * SECOND);
    want();
    expect(await toldWithin(0.5 * SECOND)).toEqual([]);
    expect(await toldWithin(SECOND)).toEqual(['record abcdef']);
  });

  test('is asked of all where one of the three has gone, and of two where no more are left', async () => {
    recorded('abc');
    accounts = lettersIn('acdef');
    expect(want()).toEqual(['record acdef']);
    recorded('ac');
    accounts = lettersIn('ac');
    expect(want()).toEqual(['record ac']);
    recorded('ac');
    expect(await toldWithin(2 * SECOND)).toEqual([]);
  });

  test('is shown by all a minute later, once for all that were made meanwhile', async () => {
    recorded('abc');
    await clock.advance(30 * SECOND);
    recorded('abc');
    expect(await toldWithin(30 * SECOND)).toEqual(['show abcdef']);
    expect(await toldWithin(120 * SECOND)).toEqual([]);
    recorded('abc');
    expect(await toldWithin(60 * SECOND)).toEqual(['show abcdef']);
  });
});

test('accounts of one namespace need no more than one record: who may put back the one may put back all', () => {
  const two = ['CloudAccount/a/one', 'CloudAccount/a/two'];
  const asked: string[][] = [];
  recorder = createRecorder({
    clock,
    accounts: () => two,
    onRecordWanted: (of) => asked.push(of),
    onUntold: () => {},
  });
  for (const account of two) recorder.recorded(account);
  recorder.wanted();
  expect(asked).toEqual([['CloudAccount/a/one']]);
});

test('an account alone need not be told what it has on record, nor have it there but when that is wanted', async () => {
  accounts = ['a'];
  recorded('a');
  expect([await toldWithin(120 * SECOND), want(), keepers()]).toEqual([[], ['record a'], '']);
});
