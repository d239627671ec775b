import { expect, test } from 'vitest';
import type { Gateway } from '../../../../src/cloud/gateway/types.ts';
import { claimedIDs, rivalsFor } from '../../../../src/kinds/mobile-gateway/others.ts';
import type { MobileGateway } from '../../../../src/kinds/mobile-gateway/schema.ts';
import type { AccountResolver } from '../../../../src/reconcile/account.ts';
import { sealOf } from '../../../../src/reconcile/seal.ts';
import type { AccountSession } from '../../../../src/reconcile/session.ts';
import { partial } from '../../../support/partial.ts';

const EARLY = '2025-01-01T00:00:00Z';

function gateway(uid: string, status: MobileGateway['status']): MobileGateway {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: uid, namespace: 'fleet', uid, resourceVersion: '1' },
    spec: { zone: 'is1a' },
    ...(status && { status }),
  };
}

const digest = (value: string) => `digest of ${value}`;

test.each([
  ['its own', 'other', true, { claimed: ['1'], doubtful: [] }],
  ['a copy of one', 'mine', true, { claimed: [], doubtful: ['1'] }],
  ['one that anybody may have written', 'other', false, { claimed: [], doubtful: ['1'] }],
])('what the status of another names is that one’s where the status is %s', (_, uid, isSealed, expected) => {
  const mine = gateway('mine', undefined);
  const record = { uid, id: '1', createdAt: EARLY };
  const seal = sealOf('MobileGateway', { identity: 'token', digest }, record, 0);
  const other = gateway('other', { ...record, ...(isSealed && { seal }) });
  const item = partial<Gateway>({ id: '1', name: 'mine', createdAt: EARLY });
  const { claimed, doubtful } = claimedIDs(
    mine,
    { sealer: { identity: 'token', digest }, now: 0 },
    new Map([['1', item]]),
    {
      accounts: partial<AccountResolver>({
        resolve: () => ({
          session: partial<AccountSession>({ identity: 'token', digest }),
          accountRef: { kind: 'CloudAccount', name: 'default' },
        }),
      }),
      made: { note() {}, isOfSome: () => false, lately: () => [], of: () => undefined, drop() {} },
      gateways: () => [mine, other],
    },
  );
  expect({ claimed: [...claimed], doubtful: [...doubtful] }).toEqual(expected);
});

test.each([
  ['of the same account', 'token', ['fleet/other']],
  ['of another account', 'another', []],
  ['of an account that cannot be told', undefined, ['fleet/other']],
])('who asked for a gateway of the same name, and is %s, may have made it', (_, identity, expected) => {
  const creation = { requestedAt: EARLY, name: 'edge' };
  const mine = gateway('mine', { uid: 'mine', creation });
  const other = gateway('other', { uid: 'other', creation });
  const hold = { state: 'Waiting', reason: 'AccountNotReady', message: 'it is not open' } as const;
  const rivals = rivalsFor(mine, creation, 'token', {
    accounts: partial<AccountResolver>({
      resolve: () =>
        identity === undefined
          ? { hold }
          : {
              session: partial<AccountSession>({ identity }),
              accountRef: { kind: 'CloudAccount', name: 'default' },
            },
    }),
    made: { note() {}, isOfSome: () => false, lately: () => [], of: () => undefined, drop() {} },
    gateways: () => [mine, other],
  });
  expect(rivals.map(({ name }) => name)).toEqual(expected);
});
