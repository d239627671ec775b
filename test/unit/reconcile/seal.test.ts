import { beforeEach, describe, expect, test } from 'vitest';
import { createClaims } from '../../../src/reconcile/claims.ts';
import type { CommonStatus, ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { type Sealer, sealOf } from '../../../src/reconcile/seal.ts';
import { accountsOf, ownAccount, type PlayedAccount, sealerOf, sharedAccount } from '../../support/accounts.ts';

const RECORD = { id: '113300000101', createdAt: '2026-01-01T12:34:56+09:00' };
const shared = sealerOf('shared');
/** When whoever gets something now gets it. */
const NOW = Date.parse('2027-06-01T00:00:00Z');

let accounts: Map<string, PlayedAccount | undefined>;
beforeEach(() => {
  accounts = new Map();
});

const resolver = accountsOf((namespace) => accounts.get(namespace) ?? sharedAccount(shared));
/** What is remembered by a process that has just started. */
const started = () =>
  createClaims<ManagedObject>(
    'MobileGateway',
    resolver,
    () => NOW,
    () => new Map(),
  );

function object(namespace: string, born: string, status: CommonStatus): ManagedObject {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'g', namespace, uid: `uid-${namespace}`, resourceVersion: '1', creationTimestamp: born },
    spec: {},
    status,
  };
}

function sealed(uid: string, sealer = shared, kind = 'MobileGateway', since = 0): CommonStatus {
  const record = { uid, ...RECORD };
  return { ...record, ownership: 'Created', seal: sealOf(kind, sealer, record, since) };
}

const maker = (status: CommonStatus = sealed('uid-victim')) => object('victim', '2026-01-01T00:00:00Z', status);
/** As good as the maker's, as far as the patched status tells, and of an older resource. */
const forger = (status: CommonStatus = {}) =>
  object('evil', '2025-01-01T00:00:00Z', { uid: 'uid-evil', ...RECORD, ownership: 'Created', ...status });

/** Who gets what all of them claim, in the order in which they do. */
function winners(claims: ReturnType<typeof started>, all: readonly ManagedObject[], order = all): string[] {
  const granted = order.filter((one) => {
    const { namespace = '' } = one.metadata;
    return !claims.claim(one, RECORD, accounts.get(namespace)?.session ?? shared, all);
  });
  return granted.map(({ metadata }) => metadata.namespace ?? '').sort();
}

/** The same of processes that have just started, whoever comes first. */
function winnersAfterStart(...all: ManagedObject[]): string[][] {
  return [winners(started(), all), winners(started(), all, all.toReversed())];
}

describe('a status that a tenant wrote into an older resource takes nothing from the one that has a sealed record', () => {
  test.each([
    ['without a seal', {}],
    ['with one that was made up', { seal: 'x'.repeat(22) }],
    ['with the seal of the other', { seal: sealed('uid-victim').seal }],
    ['with all that the other has, its UID included', sealed('uid-victim')],
    ['with one that another account made', { seal: sealed('uid-evil', sealerOf('shared', 'a wrong secret')).seal }],
    ['with one of its own of another kind', { seal: sealed('uid-evil', shared, 'SiteCertificate').seal }],
  ])('%s', (_, status) => {
    expect(winnersAfterStart(maker(), forger(status))).toEqual([['victim'], ['victim']]);
  });

  test('also where it is in an account of its own, whose service shows whatever it likes', () => {
    const hostile = sealerOf('hostile');
    accounts.set('evil', ownAccount(hostile));
    expect(winnersAfterStart(maker(), forger(sealed('uid-evil', hostile)))).toEqual([['victim'], ['victim']]);
    accounts.set('evil', undefined);
    expect(winnersAfterStart(maker(), forger())).toEqual([['victim'], ['victim']]);
  });
});

describe('of several with a sealed record of their own', () => {
  const [before, after] = [NOW - 2000, NOW - 1000];
  const since = (uid: string, at: number) => sealed(uid, shared, 'MobileGateway', at);

  test.each([
    ['the one that got it last has it, however old the other is', before],
    ['so it is where an earlier version sealed the other', 0],
  ])('%s', (_, at) => {
    expect(winnersAfterStart(maker(since('uid-victim', after)), forger(since('uid-evil', at)))).toEqual([
      ['victim'],
      ['victim'],
    ]);
  });

  test('a time that was changed is no seal', () => {
    const [digest] = (since('uid-evil', before).seal ?? '').split('.');
    const later = { ...since('uid-evil', before), seal: `${digest}.${NOW.toString(36)}` };
    expect(winnersAfterStart(maker(since('uid-victim', after)), forger(later))).toEqual([['victim'], ['victim']]);
  });

  test('who goes on to have it keeps the time, and who takes it over has a later one', () => {
    const claims = started();
    winners(claims, [maker(since('uid-victim', before))]);
    expect(claims.seal({ uid: 'uid-victim', ...RECORD })).toBe(since('uid-victim', before).seal);
    claims.drop('uid-victim');
    winners(claims, [forger()]);
    winners(claims, [object('third', '2026-01-01T00:00:00Z', {})]);
    expect(claims.seal({ uid: 'uid-evil', ...RECORD })).toBe(since('uid-evil', NOW).seal);
    expect(claims.seal({ uid: 'uid-third', ...RECORD })).toBe(since('uid-third', NOW + 1).seal);
  });
});

describe('who this process knows to have the object', () => {
  const unsealed = () => maker({ uid: 'uid-victim', ...RECORD, ownership: 'Created' });

  test('keeps it, however old the rival that names it is, also before its record is sealed', () => {
    const claims = started();
    expect(winners(claims, [unsealed()])).toEqual(['victim']);
    expect(winners(claims, [unsealed(), forger()])).toEqual(['victim']);
    expect(winners(claims, [unsealed(), forger()], [forger(), unsealed()])).toEqual(['victim']);
  });

  test('keeps it while the secret of the account is exchanged, when no seal can be verified', () => {
    const claims = started();
    winners(claims, [maker()]);
    const exchanged = sealerOf('shared again');
    accounts.set('victim', sharedAccount(exchanged)).set('evil', sharedAccount(exchanged));
    expect(winners(claims, [maker(), forger()], [forger(), maker()])).toEqual(['victim']);
    expect(claims.seal({ uid: 'uid-victim', ...RECORD })).toBe(sealed('uid-victim', exchanged).seal);
  });

  test('is not who found one of the same ID and time in another account, and names the shared one since', () => {
    const claims = started();
    const younger = object('evil', '2027-01-01T00:00:00Z', { uid: 'uid-evil', ...RECORD });
    accounts.set('evil', ownAccount(sealerOf('hostile')));
    expect(winners(claims, [younger])).toEqual(['evil']);
    accounts.delete('evil');
    expect(winners(claims, [unsealed(), younger])).toEqual(['victim']);
  });
});

describe('records that no seal tells apart', () => {
  test('rank as they did before there were seals: the older of two has the object', () => {
    const before = maker({ uid: 'uid-victim', ...RECORD, ownership: 'Created' });
    expect(winnersAfterStart(before, forger())).toEqual([['evil'], ['evil']]);
    const exchanged = maker(sealed('uid-victim', sealerOf('shared', 'the secret before')));
    expect(winnersAfterStart(exchanged, forger())).toEqual([['evil'], ['evil']]);
  });
});

describe('what the operator has sealed in an account of a namespace', () => {
  const [one, other] = [sealerOf('one'), sealerOf('other')];
  const both = [maker(sealed('uid-victim', one)), forger(sealed('uid-evil', other))] as const;
  beforeEach(() => void accounts.set('victim', ownAccount(one)).set('evil', ownAccount(other)));

  test('is not taken from it by another account, which may show whatever it likes: each has what its own shows', () => {
    expect(winnersAfterStart(...both)).toEqual([
      ['evil', 'victim'],
      ['evil', 'victim'],
    ]);
    expect(winners(started(), [both[0], forger()], [forger(), both[0]])).toContain('victim');
  });

  test('nor by one that can’t be told', () => {
    accounts.set('evil', undefined);
    expect(started().claim(both[0], RECORD, one, both)).toBeUndefined();
  });

  test('nor by who was the only one to show it for a while', () => {
    const claims = started();
    accounts.set('victim', undefined);
    expect(claims.claim(both[1], RECORD, other, both)).toBeUndefined();
    accounts.set('victim', ownAccount(one));
    expect(claims.claim(both[0], RECORD, one, both)).toBeUndefined();
  });

  test('gives way to what one of the cluster’s accounts has, for no tenant can have made that up', () => {
    accounts.set('evil', sharedAccount(other));
    expect(winnersAfterStart(...both)).toEqual([['evil'], ['evil']]);
    expect(started().claim(both[0], RECORD, one, [both[0], forger()])).toBeUndefined();
  });
});

describe('a sealed record that came back from a backup, on an object with another UID', () => {
  const restored = () => maker(sealed('uid-before'));

  test('is a copy, and gives way, where its original is there', () => {
    const original = { ...forger(), metadata: { ...forger().metadata, uid: 'uid-before' } };
    expect(winnersAfterStart(restored(), { ...original, status: sealed('uid-before') })).toEqual([['evil'], ['evil']]);
    const lost = { uid: 'uid-before', ...RECORD };
    expect(winnersAfterStart(restored(), { ...original, status: lost })).toEqual([['evil'], ['evil']]);
  });

  test('gives way to the one that has a sealed record of its own', () => {
    const copy = object('evil', '2025-01-01T00:00:00Z', sealed('uid-before'));
    expect(winnersAfterStart(maker(), copy)).toEqual([['victim'], ['victim']]);
  });
});

describe('a seal', () => {
  const counting = () => {
    let digests = 0;
    const sealer: Sealer = { ...shared, digest: (text) => (digests++, shared.digest(text)) };
    accounts.set('victim', sharedAccount(sealer)).set('evil', sharedAccount(sealer));
    return () => digests;
  };

  test('is made of what was claimed alone, and once', () => {
    const digests = counting();
    const claims = started();
    const record = { uid: 'uid-victim', ...RECORD };
    expect(claims.seal(record)).toBeUndefined();
    winners(claims, [maker()]);
    expect([claims.seal(record), claims.seal(record)]).toEqual([sealed('uid-victim').seal, sealed('uid-victim').seal]);
    expect(digests()).toBe(1);
    expect([
      claims.seal({ ...record, id: '113300000102' }),
      claims.seal({ ...record, createdAt: '2020-01-01T00:00:00Z' }),
      claims.seal({ ...record, uid: 'uid-evil' }),
    ]).toEqual([undefined, undefined, undefined]);
  });

  test('is not made for who was refused', () => {
    const claims = started();
    expect(winners(claims, [maker(), forger()])).toEqual(['victim']);
    expect(claims.seal({ uid: 'uid-evil', ...RECORD })).toBeUndefined();
  });

  test('of each of many rivals is looked at once, however often each of them claims', () => {
    const digests = counting();
    const claims = started();
    const rivals = Array.from({ length: 100 }, (_, at) => {
      const rival = forger({ uid: `uid-${at}`, seal: 'x'.repeat(22) });
      return { ...rival, metadata: { ...rival.metadata, uid: `uid-${at}` } };
    });
    expect(winners(claims, [maker(), ...rivals])).toEqual(['victim']);
    expect(winners(claims, [maker(), ...rivals])).toEqual(['victim']);
    expect(digests()).toBeLessThanOrEqual(103);
  });

  test('is of a text of two lines, which no value of a Secret is that is digested, too', () => {
    const texts: string[] = [];
    sealOf('Sim', { identity: 'a', digest: (text) => (texts.push(text), '') }, { uid: 'u', ...RECORD }, NOW);
    expect(texts).toEqual([`record\n["a","Sim","u","${RECORD.id}","${RECORD.createdAt}",${NOW}]`]);
  });
});

describe('what a status names', () => {
  const isOfAnother = (one: ManagedObject, ...all: ManagedObject[]) => started().isOfAnother(one, RECORD.id, all);

  test('is of another whose record is sealed, whatever time is named with it', () => {
    const times = [RECORD.createdAt, '2020-01-01T00:00:00Z', undefined];
    const forged = times.map((createdAt) => forger({ createdAt }));
    expect(forged.map((one) => isOfAnother(one, maker(), one))).toEqual([true, true, true]);
    expect(forged.map((one) => isOfAnother(maker(), maker(), one))).toEqual([false, false, false]);
  });

  test('is nobody else’s where no other names it, and nothing is claimed by that question', () => {
    const claims = started();
    expect(claims.isOfAnother(maker(), RECORD.id, [maker()])).toBe(false);
    expect(claims.of('uid-victim')).toBeUndefined();
  });
});
