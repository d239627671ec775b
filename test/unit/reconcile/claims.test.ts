import { describe, expect, it } from 'vitest';
import { createClaims, learntCreation } from '../../../src/reconcile/claims.ts';
import { competes } from '../../../src/reconcile/counterpart.ts';
import type { CommonStatus, ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { accountsOf, ownAccount, sealerOf } from '../../support/accounts.ts';

const EARLY = '2026-01-01T00:00:00+09:00';
const LATE = '2026-06-01T00:00:00+09:00';
const now = () => Date.parse(LATE);

describe('a rival', () => {
  const ours = { id: '1', createdAt: EARLY };
  it.each([
    ['without anything, in the same account', undefined, 'a', true],
    ['without anything, in another', undefined, 'b', false],
    ['without anything, in one that can’t be told', undefined, undefined, false],
    ['with another ID', { id: '2', createdAt: EARLY }, 'a', false],
    ['with the ID and time, in another account', { id: '1', createdAt: '2025-12-31T15:00:00Z' }, 'b', true],
    ['with the ID and time, in one that can’t be told', { id: '1', createdAt: EARLY }, undefined, true],
    ['with the ID and another time', { id: '1', createdAt: LATE }, 'a', false],
    ['with the ID alone, in the same account', { id: '1' }, 'a', true],
    ['with the ID alone, in another', { id: '1' }, 'b', false],
    ['with the ID alone, in one that can’t be told', { id: '1' }, undefined, false],
  ] as const)('%s', (_, has, identity, expected) => {
    expect(competes({ has, identity }, ours, 'a')).toBe(expected);
  });

  it('with the ID alone, in an account that can’t be told, counts where the service never tells the time', () => {
    expect(competes({ has: { id: '1' }, identity: undefined }, { id: '1' }, 'a')).toBe(true);
  });
});

/** Accounts have shown lists without anything. */
const showsNothing = () => new Map();

describe('a claim', () => {
  const a = sealerOf('a');
  const accounts = accountsOf(() => ownAccount(a));
  const object = (name: string, status: CommonStatus, annotations: Record<string, string> = {}): ManagedObject => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name, namespace: 'n', uid: name, resourceVersion: '1', creationTimestamp: name, annotations },
    spec: {},
    status,
  });
  const winner = (...all: ManagedObject[]) => {
    const claims = createClaims<ManagedObject>('Sim', accounts, now, showsNothing);
    const winners = all.filter((one) => !claims.claim(one, { id: '1', createdAt: EARLY }, a, all));
    return winners.map(({ metadata }) => metadata.name);
  };

  it.each([
    ['the oldest, where none has it on record', [object('1', {}), object('2', {})], ['1']],
    ['who has it on record, however young', [object('1', {}), object('2', { id: '1' })], ['2']],
    [
      'who has it with its time, before one that only names the ID',
      [object('1', { id: '1' }), object('2', { id: '1', createdAt: EARLY })],
      ['2'],
    ],
    [
      'whose status was written for it, before an older one with a copy of that',
      [object('1', { id: '1', createdAt: EARLY, uid: '2' }), object('2', { id: '1', createdAt: EARLY, uid: '2' })],
      ['2'],
    ],
    [
      'not one that let go of it',
      [object('1', { id: '1', createdAt: EARLY }, { 'edgeline.dev/abandon': 'true' }), object('2', {})],
      ['1', '2'],
    ],
  ] as const)('is won by %s', (_, all, expected) => {
    expect(winner(...all)).toEqual(expected);
  });

  describe('of what two accounts show, made at the same time', () => {
    const byNamespace = accountsOf((namespace) => (namespace === 'gone' ? undefined : ownAccount(sealerOf(namespace))));
    const RECORD = { id: '1', createdAt: EARLY };
    const isGranted = (claimant: ManagedObject, rival: ManagedObject, account: string) => {
      const other = { ...rival, metadata: { ...rival.metadata, namespace: account } };
      return !createClaims<ManagedObject>('Sim', byNamespace, now, showsNothing).claim(
        claimant,
        RECORD,
        sealerOf('n'),
        [claimant, other],
      );
    };
    const own = (name: string) => object(name, { ...RECORD, uid: name });
    const copy = (name: string) => object(name, { ...RECORD, uid: 'before' });

    it.each([
      ['the owner’s after a restore, before a younger record of another account', copy('1'), own('2'), true],
      ['the older record, where both are of their own', own('2'), own('1'), false],
      ['a record of its own, before an older copy', own('2'), copy('1'), true],
      ['the older, where both are copies', copy('2'), copy('1'), false],
      ['a copy, before who has nothing on record', object('1', {}), copy('2'), false],
    ])('is won by %s', (_, claimant, rival, expected) => {
      expect([isGranted(claimant, rival, 'elsewhere'), isGranted(claimant, rival, 'gone')]).toEqual([
        expected,
        expected,
      ]);
    });
  });

  it('holds for what was just made, though its status does not tell the time yet, also against another account', () => {
    const claims = createClaims<ManagedObject>(
      'Sim',
      accountsOf((namespace) => ownAccount(sealerOf(namespace))),
      now,
      showsNothing,
    );
    const maker = object('2', { id: '1' });
    const other = { ...object('1', {}), metadata: { ...object('1', {}).metadata, namespace: 'o' } };
    const made = { id: '1', createdAt: EARLY };
    claims.claim(maker, made, sealerOf('n'), []);
    expect(claims.claim(other, made, sealerOf('o'), [maker, other])).toBe(maker);
    expect(claims.claim(maker, made, sealerOf('n'), [maker, other])).toBeUndefined();
  });

  it('of what is gone keeps nobody from what its resource makes in its place', () => {
    const claims = createClaims<ManagedObject>('Sim', accounts, now, showsNothing);
    const [older, younger] = [object('1', {}), object('2', {})];
    const all = [older, younger];
    claims.claim(older, { id: '1', createdAt: EARLY }, a, all);
    expect(claims.holder(older, a, all)).toBeUndefined();
    expect(claims.claim(younger, { id: '2', createdAt: LATE }, a, all)).toBe(older);
  });

  it('tells when what was just made was made, of that alone', () => {
    const claims = createClaims<ManagedObject>('Sim', accounts, now, showsNothing);
    const [made, other] = [object('1', {}), object('2', {})];
    claims.claim(made, { id: '1', createdAt: EARLY }, a, []);
    claims.claim(other, { id: '3' }, a, []);
    expect([
      learntCreation(claims, made, '1'),
      learntCreation(claims, made, '2'),
      learntCreation(claims, other, '3'),
    ]).toEqual([{ createdAt: EARLY }, undefined, undefined]);
  });
});
