import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLimiter, type Limiter } from '../../../../src/cloud/limiter/limiter.ts';
import { allotmentOf, uncounted } from '../../../../src/kinds/cloud-account/allotments.ts';
import type { LeftHour } from '../../../../src/kinds/cloud-account/left-hours.ts';
import { type Budget, closingOf, signatureOf } from '../../../../src/kinds/cloud-account/record.ts';
import { createRecords, type Records } from '../../../../src/kinds/cloud-account/records.ts';
import type { OpenSession } from '../../../../src/kinds/cloud-account/registry.ts';
import { type Account, cloudAccountResource } from '../../../../src/kinds/cloud-account/schema.ts';
import type { Informer } from '../../../../src/kubernetes/informer.ts';
import { parseJson } from '../../../../src/kubernetes/json.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { partial } from '../../../support/partial.ts';
import { memoryClient } from '../../kubernetes/memory-client.ts';

const limits = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5 };
const recordedAt = '2026-01-01T00:00:00Z';
const keyOf = (name: string) => `CloudAccount/fleet/${name}`;

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** A record that was made for the account. */
function signed(name: string, record: Partial<Budget>, identity = 'token'): Budget {
  const whole = { used: 0, limit: 500, recordedAt, ...record };
  return { ...whole, identity: signatureOf(keyOf(name), { identity, digest }, whole) };
}

let clock: ManualClock;
let store: ReturnType<typeof memoryClient>;
let seen: Map<string, Account>;
let sessions: Map<string, OpenSession>;
let others: Set<string>;
let left: LeftHour[];
let records: Records;
beforeEach(() => {
  clock = new ManualClock();
  store = memoryClient();
  seen = new Map();
  sessions = new Map();
  others = new Set();
  left = [];
  const informer = partial<Informer<Account>>({
    list: () => [...seen.values()],
    put: (account: Account) => void seen.set(account.metadata.name, account),
  });
  records = createRecords({
    kinds: [{ kind: 'CloudAccount', resource: cloudAccountResource, informer }],
    client: store.client,
    registry: { get: (key) => sessions.get(key) },
    time: { latest: () => clock.now(), toOwn: (at) => at },
    left: {
      keep: async (one) => void left.push(one),
      of: async (hint) => left.filter(({ budget }) => budget?.identity?.startsWith(hint)),
    },
    isOthers: (_, { metadata }) => others.has(metadata.name),
  });
});

function limiter(): Limiter {
  return createLimiter({ clock, limits, onRecordWanted() {} });
}

/** An account that this process has open. */
function open(name: string, identity: string, hour: Limiter, verified = true): OpenSession {
  const session = partial<OpenSession>({ identity, limiter: hour, verified, digest });
  sessions.set(keyOf(name), session);
  return session;
}

/** What an account has in the cluster, which is seen here, too. */
function put(name: string, budget: Budget | undefined): Account {
  const object = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { namespace: 'fleet', name, uid: name, resourceVersion: '1' },
    status: budget && { budget },
  };
  store.objects.set(`cloudaccounts/fleet/${name}`, structuredClone(object));
  const account = partial<Account>(structuredClone(object));
  seen.set(name, account);
  return account;
}

/** The same with what commands ask for. */
function ask(name: string, requests: number, { of = name, at = recordedAt, id = 'a' } = {}): Account {
  const signer = { identity: 'token', digest };
  const allotment = allotmentOf(keyOf(of), signer, { id, requests, at: Date.parse(at) });
  const account = put(name, undefined);
  const asking = { ...account, status: { allotments: [allotment] } };
  seen.set(name, asking);
  store.objects.set(`cloudaccounts/fleet/${name}`, structuredClone(asking));
  return asking;
}

const stored = (name: string) =>
  parseJson<Account>(JSON.stringify(store.objects.get(`cloudaccounts/fleet/${name}`))).status?.budget;

describe('an hour that this process has come to know of', () => {
  test('has what any account of the token has on record, also one whose credentials were not taken again', async () => {
    const hour = limiter();
    const own = put('own', signed('own', { used: 5 }));
    put('other', signed('other', { used: 18, reserved: 2 }));
    open('other', 'token', hour, false);
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    expect(hour.budget().used).toBe(20);
  });

  test('has what was stored there last, though it was not seen yet', async () => {
    const hour = limiter();
    const own = put('own', signed('own', { used: 5 }));
    const before = put('other', signed('other', { used: 6 }));
    put('other', signed('other', { used: 18 }));
    seen.set('other', before);
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    expect(hour.budget().used).toBe(18);
  });

  test('has what was on record of one that has gone by the time it is read: that may be kept elsewhere only now', async () => {
    const hour = limiter();
    const own = put('own', signed('own', { used: 5 }));
    put('gone', signed('gone', { used: 18 }));
    store.objects.delete('cloudaccounts/fleet/gone');
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    expect(hour.budget().used).toBe(18);
  });

  test('is closed as long as an account of the token has on record that the service wants nothing, if it was told there', async () => {
    const until = clock.now() + 1_800_000;
    const closed = async (name: string, of: string, at: number) => {
      seen.clear();
      store.objects.clear();
      const hour = limiter();
      const own = put('own', signed('own', { used: 5 }));
      const other = put(name, signed(name, { used: 18 }));
      const status = { ...other.status, closed: closingOf(keyOf(of), { identity: 'token', digest }, at) };
      store.objects.set(`cloudaccounts/fleet/${name}`, structuredClone({ ...other, status }));
      const session = open('own', 'token', hour);
      await records.takeIn(keyOf('own'), own, session);
      await clock.advance(1000);
      // It is asked for once, when the hour begins: what this process hears of the service is newer.
      await records.takeIn(keyOf('own'), own, session);
      return hour.closedUntil('webaccel');
    };
    expect(await closed('own', 'own', until)).toBe(until);
    expect(await closed('other', 'other', until)).toBe(until);
    expect(await closed('copy', 'other', until)).toBeUndefined();
    expect(await closed('other', 'other', clock.now() - 1000)).toBeUndefined();
    expect(await closed('other', 'other', clock.now() + 24 * 3_600_000)).toBe(clock.now() + 3_599_000);
  });

  test('costs no digest of what others have on record of a closing, neither when it begins nor with each report', async () => {
    const own = put('own', signed('own', { used: 5 }));
    let digests = 0;
    const session = { ...open('own', 'token', limiter()), digest: (text: string) => (digests++, digest(text)) };
    const takeIn = async (hour: Limiter) => {
      digests = 0;
      await records.takeIn(keyOf('own'), own, { ...session, limiter: hour });
      return digests;
    };
    const [empty, crowded] = [limiter(), limiter()];
    const alone = [await takeIn(empty), await takeIn(empty)];
    const closed = { until: '2026-01-01T00:30:00Z', identity: 'x'.repeat(43) };
    for (let other = 0; other < 1000; other++) {
      seen.set(`other-${other}`, { ...put(`other-${other}`, undefined), status: { closed } });
    }
    expect([await takeIn(crowded), await takeIn(crowded)]).toEqual(alone);
  });

  test('has nothing of another token, of one that is not told, nor of what another installation looks after', async () => {
    const hour = limiter();
    const own = put('own', undefined);
    put('stranger', signed('stranger', { used: 100 }, 'another'));
    put('unsigned', { used: 200, limit: 500, recordedAt });
    put('elsewhere', signed('elsewhere', { used: 300 }));
    others.add('elsewhere');
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    expect(hour.budget().used).toBe(0);
  });

  test('has nothing of a record that was copied from another account, nor asks for that one', async () => {
    const hour = limiter();
    const own = put('own', signed('own', { used: 5 }));
    put('copy', signed('own', { used: 500, recordedAt: '2099-01-01T00:00:00Z' }));
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), own, session);
    await records.takeIn(keyOf('own'), own, session);
    expect(hour.budget().used).toBe(5);
    expect(store.calls).toEqual(['get cloudaccounts/fleet/own']);
  });

  test('has nothing of a record that somebody changed who may write the status and no more', async () => {
    const hour = limiter();
    const own = put('own', signed('own', { used: 5 }));
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), own, session);
    const { identity, ...unsigned } = signed('own', { used: 500 });
    const written = [
      { ...signed('own', { used: 5 }), used: 500 },
      { ...signed('own', { used: 5 }), reserved: 500 },
      { ...signed('own', { used: 400, recordedAt: '2025-12-31T22:00:00Z' }), recordedAt },
      unsigned,
    ];
    for (const budget of written) await records.takeIn(keyOf('own'), put('own', budget), session);
    expect([hour.budget().used, identity]).toEqual([5, expect.any(String)]);
  });

  test('has nothing new of a record that is put back, which is as old as it says', async () => {
    const hour = limiter();
    const old = signed('own', { used: 400 });
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), put('own', old), session);
    await clock.advance(3_590_000);
    records.wrote(keyOf('own'), session, signed('own', { used: 400, recordedAt: '2026-01-01T00:59:00Z' }));
    await records.takeIn(keyOf('own'), put('own', old), session);
    await clock.advance(12_000);
    expect(hour.budget().used).toBe(0);
  });

  test('does not begin where what is on record cannot be read', async () => {
    const hour = limiter();
    const own = put('own', undefined);
    put('other', signed('other', { used: 18 }));
    store.fail(() => new Error('no answer'));
    await expect(records.takeIn(keyOf('own'), own, open('own', 'token', hour))).rejects.toThrow('no answer');
    store.fail(undefined);
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    expect(hour.budget().used).toBe(18);
  });

  test('reads each record once, however many accounts begin with it, and none of them goes before all are read', async () => {
    const hour = limiter();
    const names = ['one', 'two', 'three'];
    const accounts = names.map((name, index) => put(name, signed(name, { used: index })));
    const release = store.hold();
    let over = 0;
    const taken = accounts.map(async (account) => {
      const { name } = account.metadata;
      await records.takeIn(keyOf(name), account, open(name, 'token', hour));
      over++;
    });
    await clock.advance(1000);
    expect([over, hour.budget().used]).toEqual([0, 0]);
    release();
    await Promise.all(taken);
    expect(hour.budget().used).toBe(2);
    expect(store.calls).toEqual(names.map((name) => `get cloudaccounts/fleet/${name}`));
  });

  test('does not count what is its own twice, seen before its answer or after', async () => {
    const hour = limiter();
    const own = put('own', undefined);
    const session = open('own', 'token', hour);
    const other = open('other', 'token', hour);
    put('other', undefined);
    await records.takeIn(keyOf('own'), own, session);
    const budget = signed('other', { used: 1, reserved: 3 });
    records.writes(keyOf('other'), other, budget);
    put('other', budget);
    await records.takeIn(keyOf('own'), own, session);
    records.wrote(keyOf('other'), other, budget);
    await records.takeIn(keyOf('own'), own, session);
    expect(hour.budget().used).toBe(0);
    // Another process has led meanwhile.
    put('other', signed('other', { used: 30, reserved: 3 }));
    await records.takeIn(keyOf('own'), own, session);
    expect(hour.budget().used).toBe(33);
  });
});

describe('what an account has on record of the token that it had before', () => {
  const before = signed('own', { used: 30 }, 'before');

  test('counts in the hour of its new token, where nobody else has that hour', async () => {
    const hour = limiter();
    await records.takeIn(keyOf('own'), put('own', before), open('own', 'token', hour));
    expect(hour.budget().used).toBe(30);
  });

  test('counts there where this process knows of it, whoever has that hour', async () => {
    const hour = limiter();
    await records.takeIn(keyOf('own'), put('own', before), open('own', 'before', limiter()));
    open('other', 'token', hour);
    put('other', undefined);
    await records.takeIn(keyOf('own'), put('own', before), open('own', 'token', hour));
    expect(hour.budget().used).toBe(30);
  });

  test.each([
    ['is open here', () => void open('other', 'token', limiter()), undefined],
    ['has a record of it', () => undefined, signed('other', {})],
  ])('does not count there where another account %s: anybody may have written it', async (_, prepare, record) => {
    prepare();
    put('other', record);
    const hour = sessions.get(keyOf('other'))?.limiter ?? limiter();
    await records.takeIn(keyOf('own'), put('own', before), open('own', 'token', hour));
    expect(hour.budget().used).toBe(0);
  });

  test('does not count where the token is the one that is on record', async () => {
    const hour = limiter();
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), put('own', undefined), session);
    await records.takeIn(keyOf('own'), put('own', before), session);
    expect(hour.budget().used).toBe(0);
  });
});

describe('a record that is about to be lost', () => {
  test('is handed over to another account of the same hour', async () => {
    const hour = limiter();
    put('heir', signed('heir', { used: 2, reserved: 1 }));
    open('heir', 'token', hour);
    put('stranger', undefined);
    open('stranger', 'another', limiter());
    const own = put('own', signed('own', { used: 18 }));
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    await records.handOver(keyOf('own'), seen.get('own'));
    expect(stored('heir')).toEqual(signed('heir', { used: 17, reserved: 1, resetsAt: '2026-01-01T01:00:00Z' }));
    expect(stored('stranger')).toBeUndefined();
    expect(records.isKnown(keyOf('heir'), stored('heir'))).toBe(true);
  });

  test('is handed over though the heir was changed meanwhile', async () => {
    const hour = limiter();
    open('heir', 'token', hour);
    put('heir', undefined);
    const own = put('own', signed('own', { used: 18 }));
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    const heir = store.objects.get('cloudaccounts/fleet/heir');
    if (heir) heir.metadata.resourceVersion = '7';
    await records.handOver(keyOf('own'), seen.get('own'));
    expect(stored('heir')).toEqual(signed('heir', { used: 18, resetsAt: '2026-01-01T01:00:00Z' }));
  });

  test('is handed over to one that cannot be used now, where no other has a record of the hour', async () => {
    const hour = limiter();
    put('unverified', signed('unverified', { used: 2 }));
    open('unverified', 'token', hour, false);
    const own = put('own', signed('own', { used: 18 }));
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    await records.handOver(keyOf('own'), seen.get('own'));
    expect(stored('unverified')).toEqual(signed('unverified', { used: 18, resetsAt: '2026-01-01T01:00:00Z' }));
  });

  test('is handed over to the next where one is gone, and to nobody where all are', async () => {
    const hour = limiter();
    for (const name of ['first', 'second']) {
      put(name, undefined);
      open(name, 'token', hour);
    }
    const own = put('own', signed('own', { used: 18 }));
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    store.objects.delete('cloudaccounts/fleet/first');
    await records.handOver(keyOf('own'), seen.get('own'));
    expect(stored('second')).toEqual(signed('second', { used: 18, resetsAt: '2026-01-01T01:00:00Z' }));
    store.objects.delete('cloudaccounts/fleet/second');
    await expect(records.handOver(keyOf('own'), seen.get('own'))).resolves.toBeUndefined();
  });

  test('is handed over to one that stays, also where several go at once and each is the other’s heir', async () => {
    const hour = limiter();
    for (const name of ['first', 'second', 'stays']) {
      const account = put(name, name === 'stays' ? undefined : signed(name, { used: 18 }));
      const session = open(name, 'token', hour);
      await records.takeIn(keyOf(name), account, session);
    }
    for (const name of ['first', 'second']) {
      const account = seen.get(name);
      if (account) account.metadata.deletionTimestamp = recordedAt;
    }
    await Promise.all(['first', 'second'].map((name) => records.handOver(keyOf(name), seen.get(name))));
    expect(stored('stays')).toMatchObject({ used: 18 });
  });

  test('is not handed over to one that another installation looks after', async () => {
    const hour = limiter();
    put('elsewhere', undefined);
    open('elsewhere', 'token', hour);
    others.add('elsewhere');
    const own = put('own', signed('own', { used: 18 }));
    await records.takeIn(keyOf('own'), own, open('own', 'token', hour));
    await records.handOver(keyOf('own'), seen.get('own'));
    expect(stored('elsewhere')).toBeUndefined();
  });

  test('stays where it is while the account goes on with the same hour, and where nobody shares it', async () => {
    const hour = limiter();
    put('unverified', undefined);
    open('unverified', 'token', hour, false);
    const own = put('own', signed('own', { used: 18 }));
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), own, session);
    await records.handOver(keyOf('own'), seen.get('own'));
    put('heir', undefined);
    open('heir', 'token', hour);
    await records.handOver(keyOf('own'), seen.get('own'), session);
    expect(stored('unverified')).toBeUndefined();
    expect(stored('heir')).toBeUndefined();
  });
});

describe('what the last account of an hour used', () => {
  test('is kept when it goes, and counts where one with its token begins', async () => {
    const own = put('own', signed('own', { used: 18, reserved: 2 }));
    await records.takeIn(keyOf('own'), own, open('own', 'token', limiter()));
    await records.handOver(keyOf('own'), seen.get('own'));
    expect(left).toEqual([
      { account: keyOf('own'), budget: signed('own', { used: 18, reserved: 2, resetsAt: '2026-01-01T01:00:00Z' }) },
    ]);
    const later = limiter();
    await records.takeIn(keyOf('anew'), put('anew', undefined), open('anew', 'token', later));
    const another = limiter();
    await records.takeIn(keyOf('other'), put('other', undefined), open('other', 'another', another));
    expect([later, another].map((hour) => hour.budget().used)).toEqual([20, 0]);
  });

  test('is kept as it was on record, with what may have been sent since, where as much has left the hour', async () => {
    const own = put('own', signed('own', { used: 18 }));
    const session = open('own', 'token', limiter());
    await records.takeIn(keyOf('own'), own, session);
    await clock.advance(60_000);
    const recordedNow = { used: 18, reserved: 5, resetsAt: '2026-01-01T01:00:00Z' };
    records.wrote(keyOf('own'), session, signed('own', recordedNow));
    await clock.advance(60_000);
    await records.handOver(keyOf('own'), own);
    expect(left).toEqual([{ account: keyOf('own'), budget: signed('own', recordedNow) }]);
  });

  test('is not kept where another has its hour, where it used nothing, and while it goes on with it', async () => {
    const hour = limiter();
    const own = put('own', signed('own', { used: 18 }));
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), own, session);
    await records.handOver(keyOf('own'), seen.get('own'), session);
    put('heir', undefined);
    open('heir', 'token', hour);
    await records.handOver(keyOf('own'), seen.get('own'));
    const idle = put('idle', signed('idle', {}, 'another'));
    await records.takeIn(keyOf('idle'), idle, open('idle', 'another', limiter()));
    await records.handOver(keyOf('idle'), seen.get('idle'));
    expect(left).toEqual([]);
  });

  test.each([
    ['who has no secret of the token', () => ({ ...signed('own', { used: 18 }), used: 400 })],
    ['who copied it from another account', () => signed('copied', { used: 400 })],
  ])('does not count as written by %s', async (_, forged) => {
    left.push({ account: keyOf('own'), budget: forged() });
    const hour = limiter();
    await records.takeIn(keyOf('anew'), put('anew', undefined), open('anew', 'token', hour));
    expect(hour.budget().used).toBe(0);
  });
});

describe('what a command asks for of an hour', () => {
  const minute = 60_000;
  const signer = { identity: 'token', digest };

  test('counts once in the hour, in whatever account of the token it was asked for', async () => {
    const hour = limiter();
    const own = put('own', undefined);
    const other = ask('other', 50);
    const session = open('own', 'token', hour);
    await records.takeIn(keyOf('own'), own, session);
    await records.takeIn(keyOf('own'), own, session);
    await records.takeIn(keyOf('other'), other, open('other', 'token', hour));
    expect(hour.budget().used).toBe(50);
  });

  test('counts in the hour of a process that begins later, until an hour after it may be sent last', async () => {
    const asked = ask('own', 50);
    await clock.advance(60 * minute);
    const hour = limiter();
    await records.takeIn(keyOf('own'), asked, open('own', 'token', hour));
    const used = [hour.budget().used];
    await clock.advance(7 * minute);
    used.push(hour.budget().used);
    expect(used).toEqual([50, 0]);
  });

  test('does not count where it was copied from another account, or changed', async () => {
    const hour = limiter();
    const copied = ask('stranger', 500, { of: 'own' });
    const own = ask('own', 5);
    const [allotment] = own.status?.allotments ?? [];
    const changed = partial<Account>({ ...own, status: { allotments: [{ ...allotment, requests: 500 }] } });
    const session = open('own', 'token', hour);
    seen.set('own', changed);
    await records.takeIn(keyOf('own'), changed, session);
    await records.takeIn(keyOf('stranger'), copied, open('stranger', 'token', hour));
    expect(hour.budget().used).toBe(0);
  });

  test('counts no more where somebody puts it back after a restart, when the record has it already', async () => {
    const asking = ask('own', 50);
    const counted = (recorded: string, hour = limiter()) => {
      const account = partial<Account>({
        ...asking,
        status: { ...asking.status, budget: signed('own', { used: 50, recordedAt: recorded }) },
      });
      seen.set('own', account);
      store.objects.set('cloudaccounts/fleet/own', structuredClone({ ...account }));
      return records.takeIn(keyOf('own'), account, open('own', 'token', hour)).then(() => hour.budget().used);
    };
    expect(await counted('2026-01-01T00:02:00Z')).toBe(50);
    // Clocks may be this far apart: then it may not be on record, and counts beside it.
    expect(await counted('2026-01-01T00:00:30Z')).toBe(100);
  });

  test('is no more to be asked for once it counts; what cannot be read is kept for some minutes', () => {
    const at = clock.now();
    const left = (account: Account, now: number) => uncounted(keyOf('own'), signer, account, now)?.length;
    const strange = ask('own', 5, { of: 'another' });
    expect([
      left(ask('own', 5), at),
      left(strange, at + minute),
      left(strange, at + 11 * minute),
      left(ask('own', 5, { of: 'another', at: '2099-01-01T00:00:00Z' }), at),
    ]).toEqual([undefined, 1, undefined, undefined]);
  });
});
