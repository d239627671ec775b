import { expect, test } from 'vitest';
import { recordOf } from '../../../../src/kinds/cloud-account/record.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';

const recordedAt = '2026-01-01T00:00:00Z';
const record = { used: 490, reserved: 10, at: Date.parse(recordedAt) + 1000 };
const session = { verified: true, identity: 'here', digest: (value: string) => `digest of ${value}` };

function account(identity?: string, ofBudget?: string): Account {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the apiserver adds as defaults does not matter here
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
    status: {
      budget: {
        used: 490,
        limit: 500,
        reserved: 10,
        recordedAt,
        ...(ofBudget !== undefined && { identity: ofBudget }),
      },
      ...(identity !== undefined && { identity }),
    },
  } as unknown as Account;
}

test('a record counts for the account it was written of, and where an older version did not say of which', () => {
  expect(recordOf(account('digest of here'), session, false)).toEqual(record);
  expect(recordOf(account(), session, false)).toEqual(record);
});

test('a record of another service counts nothing here', () => {
  expect(recordOf(account('digest of elsewhere'), session, false)).toBeUndefined();
  expect(recordOf(account('digest of elsewhere'), session, true)).toEqual(record);
});

test('a record is of the token that it says, though the account was last proven to be that of another', () => {
  expect(recordOf(account('digest of elsewhere', 'digest of here'), session, false)).toEqual(record);
  expect(recordOf(account('digest of here', 'digest of elsewhere'), session, false)).toBeUndefined();
});

test('a record counts nothing while the service has not taken the credentials', () => {
  expect(recordOf(account('digest of here'), { ...session, verified: false }, true)).toBeUndefined();
});
