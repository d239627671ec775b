import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Dispatcher } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { httpsDispatcher, type WireDispatcher } from '../../../../src/cloud/http/dispatcher.ts';
import { createAccountRegistry } from '../../../../src/kinds/cloud-account/registry.ts';
import type { AccountSettings } from '../../../../src/kinds/cloud-account/settings.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';
import {
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { partial } from '../../../support/partial.ts';

const right = 'right-secret';
/** A wrong one, of which the service has had enough. */
const tooOften = 'tried-too-often';
const page = { from: 0, count: 1 };
const call = { lane: 'verify' } as const;

const options: Parameters<typeof createAccountRegistry>[0] = {
  clock: systemClock,
  random: () => 0.5,
  nonce: () => 'nonce',
  dispatcher: httpsDispatcher,
  userAgent: 'edgeline-test',
  fence() {},
  pausedBy: () => undefined,
  onRequest() {},
  simPollSeconds: 0.02,
  sitePollSeconds: 3600,
  listBytes: 1024 * 1024,
  onHealth() {},
  onRecordWanted() {},
  onUntold() {},
};

let certificates: TestCertificates;
let server: HTTPSServer;
let registry: ReturnType<typeof createAccountRegistry>;
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
  const basic = (secret: string) => `Basic ${Buffer.from(`token:${secret}`).toString('base64')}`;
  server.answer(({ headers: { authorization } }) => {
    if (authorization === basic(right))
      return { json: { is_ok: true, From: 0, Count: 0, Total: 0, CommonServiceItems: [] } };
    return authorization === basic(tooOften)
      ? { status: 429, headers: { 'retry-after': '3600' }, json: { error_code: 'too_many_request', error_msg: 'wait' } }
      : { status: 401, json: { error_code: 'unauthorized', error_msg: 'wrong' } };
  });
});
afterAll(() => server.close());
beforeEach(() => {
  registry = createAccountRegistry(options);
  return () => registry.stop();
});

function settingsOf(
  change: { secret?: string; hour?: number; second?: number; baseURL?: string } = {},
): AccountSettings {
  return {
    baseURL: change.baseURL ?? server.baseURL,
    accessToken: new SecretValue('token'),
    accessTokenSecret: new SecretValue(change.secret ?? right),
    authentication: 'Basic',
    ca: certificates.ca,
    dialect: 'Documented',
    limits: { webAccelRequestsPerHour: change.hour ?? 500, cloudRequestsPerSecond: change.second ?? 100 },
  };
}

const open = (account: string, change: Parameters<typeof settingsOf>[0] = {}) =>
  registry.open(account, settingsOf(change));

/** Opens an account and verifies it, as its reconciler does. */
async function verified(account: string, change: Parameters<typeof settingsOf>[0] = {}) {
  const session = open(account, change);
  await session.client.sims.list(page, call);
  registry.accept(account);
  return session;
}
const refused = async (account: string, change: Parameters<typeof settingsOf>[0] = {}) => {
  const session = open(account, { secret: 'wrong', ...change });
  await expect(session.client.sims.list(page, call)).rejects.toMatchObject({ class: 'CredentialsRejected' });
  return session;
};

describe('an account with the same access token and a wrong secret', () => {
  test('is refused alone: the other one goes on, whichever came first', async () => {
    const first = await refused('first');
    const good = await verified('good');
    const last = await refused('last');
    expect([first, good, last].map(({ circuit }) => circuit.isOpen())).toEqual([true, false, true]);
    expect(first.identity).toBe(good.identity);
    await good.client.sims.list(page, call);
  });

  test('does not take the lists of all', async () => {
    const bad = await refused('bad');
    const good = await verified('good');
    good.sims.start();
    await good.sims.observeAfter(systemClock.monotonic());
    registry.close('good');
    await refused('another');
    expect([bad.sims.lastError(), bad.sims === good.sims]).toEqual([undefined, true]);
  });

  test('does not take the list by which the right one is compared, though it came first and nobody is verified yet', async () => {
    await refused('refused');
    open('untried', { secret: 'untried' });
    const good = open('good');
    await good.client.sims.list(page, call);
    good.answered = true;
    await expect(good.sims.observeAfter(systemClock.monotonic())).resolves.toMatchObject({ complete: true });
  });

  test('may be tried a few times a minute, and no more once somebody has the right one', async () => {
    const waits = (accounts: readonly string[]) =>
      accounts.map((account) => {
        open(account, { secret: account });
        const wait = registry.tryWait(account);
        if (wait === 0) registry.tryRefused(account);
        return wait > 0;
      });
    const six = ['1', '2', '3', '4', '5', '6'];
    expect(waits([...six, '7'])).not.toContain(true);
    await verified('good');
    expect(waits([...six, '7'])).toEqual([...six.map(() => false), true]);
  });

  test('limits nobody: one an hour stays its own wish', async () => {
    const good = await verified('good', { hour: 100 });
    await refused('bad', { hour: 1, second: 0.001 });
    expect(good.limiter.budget().limit).toBe(100);
    await good.client.sims.list(page, call);
  });

  test('is tried at once with another secret, and probes no more with the same', async () => {
    await refused('bad');
    await expect(open('twin', { secret: 'wrong' }).client.sims.list(page, call)).rejects.toMatchObject({
      code: 'CircuitOpen',
    });
    await verified('bad');
  });
});

describe('the limits of accounts that are one at the service', () => {
  const limit = () => registry.get('one')?.limiter.budget().limit;

  test('are the lowest of those that are verified, and follow at once when one goes or changes', async () => {
    await verified('one', { hour: 300 });
    open('two', { hour: 50 });
    expect(limit()).toBe(300);
    await verified('two', { hour: 50 });
    expect(limit()).toBe(50);
    await verified('three', { hour: 20 });
    expect(limit()).toBe(20);
    registry.close('three');
    expect(limit()).toBe(50);
    await verified('two', { hour: 400 });
    expect(limit()).toBe(300);
    await verified('one', { hour: 500 });
    expect(limit()).toBe(400);
    registry.close('two');
    expect(limit()).toBe(500);
  });

  test('keep a part of the hour for others where several namespaces may use it, and no stranger makes it so', async () => {
    const kept = (account: string) => registry.get(account)?.limiter.budget().kept;
    await verified('CloudAccount/a/default');
    await verified('CloudAccount/a/other');
    open('ClusterCloudAccount//named');
    const alone = kept('CloudAccount/a/default');
    await verified('CloudAccount/b/default');
    const two = kept('CloudAccount/a/default');
    registry.close('CloudAccount/b/default');
    expect([alone, two, kept('CloudAccount/a/default')]).toEqual([undefined, 25, undefined]);
    await verified('ClusterCloudAccount//shared');
    expect(kept('CloudAccount/a/default')).toBe(25);
  });

  test('are its own while none is verified', () => {
    open('one', { hour: 7 });
    expect(limit()).toBe(7);
  });
});

test('an account that is deleted and made anew goes on with its hour', async () => {
  const first = await verified('one');
  first.limiter.restore({ used: 300, at: systemClock.now() });
  registry.close('one');
  expect((await verified('one', { hour: 400 })).limiter.budget()).toMatchObject({ used: 300, limit: 400 });
});

test('an account goes on with its hour though a thousand with fuller ones were made and deleted in another namespace', async () => {
  const closeWith = (account: string, used: number, change: Parameters<typeof settingsOf>[0] = {}) => {
    open(account, change).limiter.restore({ used, at: systemClock.now() });
    registry.close(account);
  };
  closeWith('CloudAccount/fleet/one', 300);
  for (let junk = 0; junk < 1000; junk++) {
    closeWith('CloudAccount/junk/one', 500, { baseURL: `${server.baseURL}/${junk}` });
  }
  expect(open('CloudAccount/fleet/one').limiter.budget().used).toBe(300);
});

describe('one service, however its base URL is spelled, is one identity', () => {
  test.each([
    ['https://API.Example.JP', 'https://api.example.jp'],
    ['https://api.example.jp:443', 'https://api.example.jp'],
    ['https://api.example.jp.', 'https://api.example.jp'],
    ['https://api.example.jp//', 'https://api.example.jp'],
    ['https://api.example.jp.:8443/', 'https://api.example.jp:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('%s is %s', (one, other) => {
    expect(open('one', { baseURL: one }).identity).toBe(open('two', { baseURL: other }).identity);
  });

  test.each([
    ['https://api.example.jp:8443', 'https://api.example.jp'],
    ['https://api.example.jp', 'https://api.example.com'],
    ['https://api.example.jp/a', 'https://api.example.jp/b'],
  ])('%s is not %s', (one, other) => {
    expect(open('one', { baseURL: one }).identity).not.toBe(open('two', { baseURL: other }).identity);
  });
});

test('settings that cannot be used leave what was open as it is', async () => {
  const session = await verified('one');
  expect(() => open('one', { baseURL: 'https://user@localhost' })).toThrow('user name');
  expect(registry.get('one')).toBe(session);
});

describe('a record of the hour that no later process would believe covers nothing more:', () => {
  /** Two accounts of one token, the first of which has put on record what may follow. */
  async function recorded() {
    const first = await verified('first');
    await verified('second');
    const { limiter } = first;
    void limiter.acquire('webaccel', 'upload').then((permit) => permit.release());
    const record = limiter.record();
    expect(record).toMatchObject({ wanted: true, reserved: 3 });
    record.confirm();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(limiter.record()).toMatchObject({ wanted: false, reserved: 3 });
    return limiter;
  }

  test.each([
    ['the account it is of goes', () => registry.close('first')],
    ['the account it is of gets another secret', () => void open('first', { secret: 'wrong' })],
  ])('%s', async (_what, change) => {
    const limiter = await recorded();
    change();
    expect(limiter.record()).toMatchObject({ reserved: 0 });
  });
});

test('what waits for its turn in an account that is closed ends, and so does what asks for one later, until it is opened again', async () => {
  const { client } = registry.open('CloudAccount/a/one', settingsOf());
  const { limiter } = registry.open('CloudAccount/a/one', settingsOf());
  limiter.restore({ used: 1, at: Date.now() });
  // Nothing puts a record on file here, so it would wait for ever.
  const waiting = client.sites.read('1', call);
  registry.close('CloudAccount/a/one');
  const outdated = { code: 'DecisionOutdated' };
  await expect(waiting).rejects.toMatchObject(outdated);
  await expect(client.sites.read('1', call)).rejects.toMatchObject(outdated);
  const again = registry.open('CloudAccount/a/one', settingsOf());
  expect(again.limiter).toBe(limiter);
  expect((await again.client.sims.list(page, call)).items).toEqual([]);
});

test('whoever only names a token, and is answered that it is too much, has those who have its secret wait for nothing', async () => {
  const { client, limiter } = await verified('CloudAccount/mine/default');
  const stranger = open('CloudAccount/stranger/default', { secret: tooOften });
  await expect(stranger.client.sims.list(page, call)).rejects.toMatchObject({ class: 'Throttled' });
  expect(limiter.rate()).toBe(100);
  await client.sims.list(page, call);
});

test('what was let go, and is not sent before its account is given up, is not sent', async () => {
  const handlers: Dispatcher.DispatchHandler[] = [];
  await registry.stop();
  registry = createAccountRegistry({
    ...options,
    onRecordWanted(accounts) {
      for (const one of accounts) registry.get(one)?.limiter.record().confirm();
    },
    dispatcher: () =>
      partial<WireDispatcher>({
        dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
          handlers.push(handler);
          return true;
        },
        destroy: async () => {},
      }),
  });
  const session = open('one');
  registry.accept('one');
  const list = session.client.sites.list({ lane: 'list' });
  await expect.poll(() => handlers.length).toBe(1);
  registry.close('one');
  // The connection stands a moment later.
  const controller = partial<Dispatcher.DispatchController>({ abort() {} });
  expect(() => handlers[0]?.onRequestStart?.(controller, {})).toThrow('the account was given up');
  void list.catch(() => {});
});

describe('of an account that is closed', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  const clock = new ManualClock();

  /** Whether the lists and the limiter of an account that used some of its hour are still there, so long after it was closed. */
  async function left(minutes: number) {
    const short = createAccountRegistry({ ...options, clock });
    const pass = () =>
      short.open('CloudAccount/fleet/other', { ...settingsOf(), accessToken: new SecretValue('other') });
    pass();
    const kept = (() => {
      const { sims, limiter } = short.open('CloudAccount/fleet/gone', settingsOf());
      limiter.restore({ used: 300, at: clock.now() });
      return { lists: new WeakRef(sims), hour: new WeakRef(limiter) };
    })();
    short.close('CloudAccount/fleet/gone');
    await clock.advance(minutes * 60_000);
    pass();
    // What a WeakRef showed stays until the event loop goes on.
    await new Promise(setImmediate);
    if (typeof collect === 'function') collect();
    const found = { lists: kept.lists.deref() !== undefined, hour: kept.hour.deref() !== undefined };
    await short.stop();
    return found;
  }

  test('the hour is kept, and nothing else', async () => {
    expect(await left(2)).toEqual({ lists: false, hour: true });
  });

  test('nothing is kept once the hour is over, though no account came or went since', async () => {
    expect(await left(62)).toEqual({ lists: false, hour: false });
  });
});
