import { expect, test } from 'vitest';
import { createQueues } from '../../../src/operator/queues.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

/** Sims are named after the account they use: `ACCOUNT-NUMBER`, which is one of their namespace unless it is `shared`. */
function play(shared?: string) {
  const queues = createQueues({
    clock: new ManualClock(),
    random: () => 0.5,
    accountOf: (key) => shared ?? key.slice(0, key.lastIndexOf('-')),
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

test('of an account that several share, who has no pass under way gets one, however many others wait in theirs', async () => {
  const on = play('shared');
  on.add('stalling', 1, 500);
  expect(await on.begin()).toEqual({ stalling: 32 });
  on.add('other', 1, 3);
  on.add('another', 1, 2);
  expect(await on.begin()).toEqual({ other: 1, another: 1 });
  on.end('other', 1);
  expect(await on.begin()).toEqual({ other: 1 });
  // There is room for one again, and whoever had its turn longest ago has it.
  on.end('stalling', 3);
  expect(await on.begin()).toEqual({ stalling: 1 });
  on.end('stalling', 3);
  expect(await on.begin()).toEqual({ another: 1, other: 1, stalling: 1 });
});

test('namespaces take turns with their accounts, however many one has', async () => {
  const queues = createQueues({
    clock: new ManualClock(),
    random: () => 0.5,
    accountOf: (key) => key,
    priorityOf: (_, asked) => asked,
    lineOf: () => ({ line: 'mobile' }),
    observe: () => ({}),
  });
  for (let number = 0; number < 100; number++) queues.add(`CloudAccount/many/${number}`, 'change');
  queues.add('CloudAccount/few/default', 'change');
  queues.add('ClusterCloudAccount//default', 'change');
  const [accounts] = queues.all;
  expect([await accounts?.get(), await accounts?.get(), await accounts?.get()]).toEqual([
    'CloudAccount/many/0',
    'CloudAccount/few/default',
    'ClusterCloudAccount//default',
  ]);
});
