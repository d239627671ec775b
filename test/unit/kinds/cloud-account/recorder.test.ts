import { beforeEach, describe, expect, test } from 'vitest';
import { createRecorder, type Recorder } from '../../../../src/kinds/cloud-account/recorder.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const SECOND = 1000;

let clock: ManualClock;
let accounts: string[];
let isWanted: boolean;
let told: string[];
let recorder: Recorder;
beforeEach(() => {
  clock = new ManualClock();
  accounts = ['a', 'b', 'c'];
  isWanted = false;
  told = [];
  recorder = createRecorder({
    clock,
    limiter: { wantsRecord: () => isWanted },
    accounts: () => accounts,
    onRecordWanted: (of) => told.push(`record ${of.join(' ')}`),
    onUntold: (of) => told.push(`show ${of.join(' ')}`),
  });
});

function want(): void {
  isWanted = true;
  recorder.wanted();
}

function recorded(account: string): void {
  isWanted = false;
  recorder.recorded(account);
}

/** What is told within so many milliseconds. */
async function toldWithin(milliseconds: number): Promise<string[]> {
  told = [];
  await clock.advance(milliseconds);
  return told;
}

describe('a record of an hour that three accounts share', () => {
  test('is asked of all at first, and then of the one that made one', async () => {
    want();
    recorded('b');
    want();
    expect(told).toEqual(['record a b c', 'record b']);
    recorded('b');
    expect(await toldWithin(2 * SECOND)).toEqual([]);
  });

  test('that the one does not make within a second is asked of all, and next time of the one that made it', async () => {
    recorded('b');
    want();
    expect(await toldWithin(SECOND)).toEqual(['record a b c']);
    recorded('c');
    told = [];
    want();
    expect(told).toEqual(['record c']);
  });

  test.each([
    ['has gone', ['a', 'c']],
    ['is the only one left', ['b']],
  ])('where the one that made the last %s', async (_what, left) => {
    recorded('b');
    accounts = left;
    want();
    expect(told).toEqual([`record ${left.join(' ')}`]);
    expect(await toldWithin(2 * SECOND)).toEqual([]);
  });

  test('is shown by all a minute later, once for all that were made meanwhile', async () => {
    recorded('b');
    await clock.advance(30 * SECOND);
    recorded('b');
    expect(await toldWithin(30 * SECOND)).toEqual(['show a b c']);
    expect(await toldWithin(120 * SECOND)).toEqual([]);
    recorded('b');
    expect(await toldWithin(60 * SECOND)).toEqual(['show a b c']);
  });
});

test('an account alone need not be told what it has on record', async () => {
  accounts = ['a'];
  recorded('a');
  expect(await toldWithin(120 * SECOND)).toEqual([]);
});
