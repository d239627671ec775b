import { describe, expect, it } from 'vitest';
import { createRecordSeals } from '../../../src/operator/record-seals.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { type Sealer, sealOf } from '../../../src/reconcile/seal.ts';
import { sealerOf } from '../../support/accounts.ts';

const ACCOUNT = 'CloudAccount/fleet/default';

/** As an account that is opened has it: each time another function. */
const opened = (secret: string, identity = 'token') => sealerOf(identity, secret);

function sim(by: Sealer): ManagedObject {
  const record = { uid: 'uid-1', id: '113300000001' };
  const metadata = { name: 'truck', namespace: 'fleet', uid: record.uid, resourceVersion: '1' };
  const status = { ...record, seal: sealOf('Sim', by, record, 0) };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: {}, status };
}

describe('what an account sealed with a secret of before', () => {
  it('is known as that however often the account was opened with the new one', () => {
    const seals = createRecordSeals();
    seals.remember(ACCOUNT, opened('old'));
    for (let edit = 0; edit < 5; edit++) seals.remember(ACCOUNT, opened('new'));
    expect(['old', 'new', 'other'].map((secret) => seals.wasSealed(ACCOUNT, sim(opened(secret))))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is known as that when the access token is another and the secret the same', () => {
    const seals = createRecordSeals();
    seals.remember(ACCOUNT, opened('same', 'old token'));
    seals.remember(ACCOUNT, opened('same', 'new token'));
    expect(seals.wasSealed(ACCOUNT, sim(opened('same', 'old token')))).toBe(true);
  });

  it('is known for four secrets, and for none of an account that is forgotten', () => {
    const seals = createRecordSeals();
    const secrets = ['1', '2', '3', '4', '5'];
    const known = () => secrets.map((secret) => seals.wasSealed(ACCOUNT, sim(opened(secret))));
    for (const secret of secrets) seals.remember(ACCOUNT, opened(secret));
    expect(known()).toEqual([false, true, true, true, true]);
    seals.forget(ACCOUNT);
    expect(known()).toEqual([false, false, false, false, false]);
  });
});
