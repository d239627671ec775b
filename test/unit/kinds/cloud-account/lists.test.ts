import { expect, test } from 'vitest';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { cloudListsOf } from '../../../support/cloud-lists.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

/** The list of sites of an account that several namespaces share, at a service that answers within a tenth of a second. */
function play(limit = 500) {
  const clock = new ManualClock();
  const limits = { webAccelRequestsPerHour: limit, cloudRequestsPerSecond: 10, isShared: true };
  const limiter = createLimiter({ clock, limits });
  const requests: string[] = [];
  async function send({ lane, payer, party, signal, turn }: CallOptions, onSent?: () => void): Promise<void> {
    const permit = await limiter.acquire('webaccel', lane, signal, turn, payer ?? party);
    permit.sent();
    onSent?.();
    requests.push(`${lane} for ${payer ?? party ?? 'the account'}`);
    await clock.sleep(100);
    permit.release();
  }
  async function list(call: CallOptions) {
    await send(call, call.onSent);
    return { from: 0, count: 0, total: 0, items: [] };
  }
  const lists = cloudListsOf(clock, { sites: { list }, sims: { list } }, { hour: limiter, sitePollSeconds: 300 });
  let began = 0;
  return {
    clock,
    limiter,
    requests,
    send,
    /** Waits for a list that begins from now on. */
    look(party: string, lane: 'list' | 'verify' = 'list') {
      const turn = { urgency: 'creation', began: began++ } as const;
      return lists.sites().observeAfter(clock.monotonic() - 1, undefined, turn, party, lane);
    },
  };
}

/** How long it took, in seconds, or NaN where it did not happen in time. */
async function secondsUntil(clock: ManualClock, done: Promise<unknown>, most: number): Promise<number> {
  const began = clock.monotonic();
  let at = Number.NaN;
  void done.then(() => (at = clock.monotonic()));
  while (Number.isNaN(at) && clock.monotonic() < began + most * SECOND) await clock.advance(SECOND / 10);
  return (at - began) / SECOND;
}

test('a namespace that looks for made-up sites without end leaves the hour to others, and has them looked for', async () => {
  const { clock, limiter, look, requests } = play();
  let left = 0;
  for (let seconds = 0; seconds < 3600; seconds += 2) {
    void look('evil').then(() => left--);
    left++;
    await clock.advance(2 * SECOND);
  }
  expect(limiter.budget().used).toBeLessThanOrEqual(130);
  expect(left).toBeLessThanOrEqual(15);
  expect(new Set(requests)).toEqual(new Set(['list for evil']));
});

test.each([500, 40, 10])(
  'and once half of %i are used, has hardly more than a tenth, or the polls, for that',
  async (limit) => {
    const { clock, limiter, look } = play(limit);
    limiter.restore({ used: limit / 2, at: clock.now() });
    for (let seconds = 0; seconds < 3600; seconds += 2) {
      void look('evil');
      await clock.advance(2 * SECOND);
    }
    // Twelve polls are due; of what is new, three lists may be taken at once.
    expect(limiter.budget().used - limit / 2).toBeLessThanOrEqual(Math.max(limit / 10, 12) + 4);
  },
);

test('one new site in a quiet account is looked for at once, and so is one beside a namespace that looks without end', async () => {
  const { clock, look } = play();
  expect(await secondsUntil(clock, look('quiet'), 60)).toBeLessThanOrEqual(0.3);
  await clock.advance(HOUR);
  for (let seconds = 0; seconds < 600; seconds += 2) {
    void look('evil');
    await clock.advance(2 * SECOND);
  }
  expect(await secondsUntil(clock, look('quiet'), 60)).toBeLessThanOrEqual(30);
});

test('a thousand applied at once share a list', async () => {
  const { clock, look, requests } = play();
  const seen = Array.from({ length: 1000 }, () => look('fleet'));
  await clock.advance(10 * SECOND);
  await Promise.all(seen);
  expect(requests).toEqual(['list for fleet']);
});

test('a list that confirms a write goes at once, whoever looks for what, and of the hour that is kept for writes', async () => {
  const { clock, limiter, look, requests } = play();
  limiter.restore({ used: 460, at: clock.now() });
  for (let index = 0; index < 10; index++) void look('evil');
  await clock.advance(60 * SECOND);
  expect(requests).toEqual([]);
  expect(await secondsUntil(clock, look('victim', 'verify'), 60)).toBeLessThanOrEqual(0.3);
  expect(requests).toHaveLength(1);
});

test('of those who wait for a list the one pays that had least, also where another came before', async () => {
  const { clock, look, send, requests } = play();
  for (let index = 0; index < 480; index++) void send({ lane: 'write', party: 'evil' });
  await clock.advance(120 * SECOND);
  requests.splice(0);
  void look('evil', 'verify');
  await clock.advance(60 * SECOND);
  expect(requests).toEqual([]);
  expect(await secondsUntil(clock, look('victim', 'verify'), 60)).toBeLessThanOrEqual(0.3);
  expect(requests).toEqual(['verify for victim']);
});
