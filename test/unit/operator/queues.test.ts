import { expect, test } from 'vitest';
import { createQueues } from '../../../src/operator/queues.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

/** Sims are named after the account they use: `ACCOUNT-NUMBER`. */
function play() {
  const queues = createQueues({
    clock: new ManualClock(),
    random: () => 0.5,
    accountOf: (key) => key.slice(0, key.lastIndexOf('-')),
    priorityOf: (_, asked) => asked,
    lineOf: () => ({ line: 'mobile' }),
    observe: () => ({}),
  });
  const [, managed] = queues.all;
  const underWay: string[] = [];

  return {
    underWay,
    add(namespace: string, accounts: number, sims: number): void {
      for (let sim = 0; sim < sims; sim++) {
        for (let account = 0; account < accounts; account++) queues.add(`Sim/${namespace}/${account}-${sim}`, 'change');
      }
    },
    /** Begins all passes that can be begun, and gives how many these were of each namespace. */
    async begin(): Promise<Record<string, number>> {
      const before = underWay.length;
      for (;;) {
        const asking = new AbortController();
        const waiting = managed?.get(asking.signal);
        await settle();
        asking.abort();
        const key = await waiting;
        if (key === undefined) break;
        underWay.push(key);
      }
      return counted(underWay.slice(before));
    },
    end(namespace: string, passes: number): void {
      for (let pass = 0; pass < passes; pass++) {
        const index = underWay.findIndex((key) => key.startsWith(`Sim/${namespace}/`));
        const [key] = underWay.splice(index, 1);
        if (key !== undefined) managed?.done(key);
      }
    },
  };
}

function counted(keys: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(keys, (key) => key.split('/')[1] ?? '')].map(([namespace, all]) => [namespace, all.length]),
  );
}

test('a namespace whose accounts all stall leaves the passes of others as many as one account may have', async () => {
  const on = play();
  on.add('stalling', 64, 40);
  expect(await on.begin()).toEqual({ stalling: 2048 });
  on.add('other', 1, 40);
  on.add('another', 1, 3);
  expect(await on.begin()).toEqual({ other: 32, another: 3 });
});

test('what a namespace gives back beyond its part of all goes to the others first', async () => {
  const on = play();
  on.add('large', 100, 40);
  expect(await on.begin()).toEqual({ large: 2048 });
  on.add('other', 20, 40);
  expect(await on.begin()).toEqual({ other: 256 });
  on.end('large', 300);
  expect(await on.begin()).toEqual({ other: 300 });
});

test('within a namespace, the accounts that do not stall have a pass each', async () => {
  const on = play();
  on.add('mixed', 64, 40);
  await on.begin();
  on.add('mixed', 100, 1);
  expect(await on.begin()).toEqual({ mixed: 36 });
});
