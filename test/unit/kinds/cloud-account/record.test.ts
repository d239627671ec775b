import { expect, test } from 'vitest';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { recordOf, restoredFrom, signatureOf } from '../../../../src/kinds/cloud-account/record.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const recordedAt = '2026-01-01T00:00:00Z';
const record = { used: 490, reserved: 10, at: Date.parse(recordedAt) + 1000 };
const KEY = 'CloudAccount/fleet/default';
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

const here = signatureOf(KEY, session);
const elsewhere = signatureOf(KEY, { ...session, identity: 'elsewhere' });

test('a record counts for the account it was written of, and where an older version did not say so, or not of which', () => {
  expect(recordOf(KEY, account(undefined, here), session, false)).toEqual(record);
  expect(recordOf(KEY, account('digest of here'), session, false)).toEqual(record);
  expect(recordOf(KEY, account(), session, false)).toEqual(record);
});

test('a record of another service counts nothing here', () => {
  expect(recordOf(KEY, account('digest of elsewhere'), session, false)).toBeUndefined();
  expect(recordOf(KEY, account('digest of elsewhere'), session, true)).toEqual(record);
});

test('a record is of the token that it says, though the account was last proven to be that of another', () => {
  expect(recordOf(KEY, account('digest of elsewhere', here), session, false)).toEqual(record);
  expect(recordOf(KEY, account('digest of here', elsewhere), session, false)).toBeUndefined();
});

test('a record that was copied from another account counts nothing', () => {
  const copied = signatureOf('CloudAccount/other/default', session);
  expect(recordOf(KEY, account('digest of here', copied), session, false)).toBeUndefined();
});

test('a record counts nothing while the service has not taken the credentials', () => {
  expect(recordOf(KEY, account('digest of here'), { ...session, verified: false }, true)).toBeUndefined();
});

test('a record of no time counts as of now, whatever was used of the hour, and what no hour has is not counted', async () => {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5 } });
  limiter.restore({ used: 400, at: clock.now() });
  limiter.restore(restoredFrom({ used: 1, limit: 500, recordedAt: 'yesterday' }));
  expect(limiter.budget()).toMatchObject({ used: 400, resetsAt: clock.now() + 3_600_000 });
  const { MAX_SAFE_INTEGER: most } = Number;
  limiter.restore(restoredFrom({ used: most, reserved: most, limit: 500, recordedAt: 'tomorrow' }));
  expect(limiter.budget()).toMatchObject({ used: 2000, resetsAt: clock.now() + 3_600_000 });
  await clock.advance(3_600_001);
  // What was reserved may be sent for some minutes more, if it was for a command.
  expect(limiter.budget().used).toBe(1000);
  await clock.advance(360_000);
  expect(limiter.budget().used).toBe(0);
});
