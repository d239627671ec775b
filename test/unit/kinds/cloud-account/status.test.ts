import { describe, expect, it } from 'vitest';
import { budgetOf, closingOf, signatureOf } from '../../../../src/kinds/cloud-account/record.ts';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import { type AccountFacts, accountStatus } from '../../../../src/kinds/cloud-account/status.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const account: Account = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'CloudAccount',
  metadata: { name: 'default', namespace: 'fleet', uid: 'u', resourceVersion: '1', generation: 1 },
  spec: { baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'service-credentials' } },
};

const KEY = 'CloudAccount/fleet/default';
const signer = { identity: 'here', digest: (text: string) => `digest of ${text}` };
/** A record of this account. */
const recordOf = (used: number) => budgetOf(KEY, signer, { used, limit: 500, reserved: 0, at: now });

function factsWith(used: number): AccountFacts {
  const budget = { used, limit: 500, changes: 480, reserved: 0, key: KEY, signer, at: now, wanted: false };
  return {
    hold: undefined,
    generation: 1,
    budget,
    identity: undefined,
    users: { sims: 0, gateways: 0, sites: 1, certificates: 2 },
    now,
  };
}

function messageWith(used: number, before: Account = account, refreshedAt?: number, kept = 0): string | undefined {
  const { budget, ...facts } = factsWith(used);
  return accountStatus(before, { ...facts, budget: budget && { ...budget, kept } }, refreshedAt).conditions?.[0]
    ?.message;
}

describe('an account that holds deletions', () => {
  const braked = { type: 'Braked', status: 'True', reason: 'DeletionsHeld', message: '12 of the 40' } as const;
  const holding = accountStatus(account, { ...factsWith(0), braked }, undefined);

  it('is Ready, and says so beside it', () => {
    expect(holding.conditions?.map(({ type, status, reason }) => `${type}=${status} ${reason}`)).toEqual([
      'Ready=True Verified',
      'Braked=True DeletionsHeld',
    ]);
  });

  it('says no more of it once nothing is held', () => {
    const after = accountStatus({ ...account, status: holding }, factsWith(0), undefined);
    expect(after.conditions?.map(({ type }) => type)).toEqual(['Ready']);
  });

  it('keeps on record what was let through', () => {
    const brakes = [{ action: 'Deletion' as const, namespace: 'fleet', key: 'u', at: '2026-01-01T00:00:00Z' }];
    expect(accountStatus({ ...account, status: { brakes } }, factsWith(0), undefined).brakes).toEqual(brakes);
  });
});

describe('an account that works', () => {
  const works = 'The service at https://api.example.jp accepts the credentials.';

  it.each([
    [0, works],
    [449, works],
    [
      450,
      `${works} 450 of the 500 web acceleration requests of an hour are used: the rest is kept for certificates and changes.`,
    ],
    [480, `${works} 480 of the 500 web acceleration requests of an hour are used: the rest is kept for certificates.`],
    [500, `${works} All 500 web acceleration requests of an hour are used: all wait until the first is an hour old.`],
  ])('with %i of 500 requests used says of them what matters', (used, message) => {
    expect(messageWith(used)).toBe(message);
  });

  it('that may ask once an hour says so', () => {
    const { budget, ...facts } = factsWith(1);
    const told = accountStatus(account, { ...facts, budget: budget && { ...budget, limit: 1 } }, undefined);
    expect(told.conditions?.[0]?.message).toBe(
      `${works} The one web acceleration request of an hour is used: all wait until it is an hour old.`,
    );
  });

  it('says of what is left of an hour that several share whose it is', () => {
    const kept = 'requests of an hour are used: the rest is kept for certificates';
    expect([454, 455, 475, 480].map((used) => messageWith(used, account, undefined, 25))).toEqual([
      `${works} 454 of the 500 web acceleration ${kept} and changes.`,
      `${works} 455 of the 500 web acceleration ${kept}, and changes of namespaces that had fewer than are left.`,
      `${works} 475 of the 500 web acceleration ${kept} and changes of namespaces that had fewer than are left.`,
      `${works} 480 of the 500 web acceleration ${kept} of namespaces that had fewer than are left.`,
    ]);
  });

  it.each(['2099-01-01T00:00:00Z', 'no time'])(
    'does not leave a record of %s, which each start would count as of now',
    (recordedAt) => {
      const record = { used: 5, limit: 500, recordedAt };
      const budget = { ...record, identity: signatureOf(KEY, signer, record) };
      expect(accountStatus({ ...account, status: { budget } }, factsWith(5), undefined).budget).toEqual(recordOf(5));
    },
  );

  it('leaves a record that says the same, and none that somebody else wrote', () => {
    const budget = budgetOf(KEY, signer, { used: 5, limit: 500, reserved: 0, at: now - 100_000 });
    const shown = (before: object) =>
      accountStatus({ ...account, status: { budget: { ...budget, ...before } } }, factsWith(5), undefined);
    expect([shown({}).budget, shown({ reserved: 400 }).budget]).toEqual([budget, recordOf(5)]);
  });

  it('says so of the budget its status shows, which changes once a minute at most', () => {
    const shown = { ...account, status: accountStatus(account, factsWith(500), undefined) };
    expect(messageWith(449, shown, now - 1000)).toContain('All 500 web acceleration requests');
    expect(messageWith(449, shown, now - 60_000)).toBe(works);
  });

  it('keeps what commands ask for until the budget has it', () => {
    const asked = { id: 'a', requests: 5, at: '2026-01-01T00:00:00Z', identity: 'signed' };
    const before = { ...account, status: { ...accountStatus(account, factsWith(3), undefined), allotments: [asked] } };
    const kept = accountStatus(before, { ...factsWith(3), allotments: [asked] }, now - 1000);
    const { budget, ...facts } = factsWith(8);
    const counted = accountStatus(before, { ...facts, budget: budget && { ...budget, wanted: true } }, now - 1000);
    expect([kept.allotments, kept.budget?.used, counted.allotments, counted.budget?.used]).toEqual([
      [asked],
      3,
      undefined,
      8,
    ]);
  });

  it('shows its budget as soon as the credentials are accepted, however lately it was counted without', () => {
    const unverified = accountStatus(account, { ...factsWith(0), budget: undefined }, undefined);
    const verified = accountStatus({ ...account, status: unverified }, factsWith(3), now - 1000);
    expect([unverified.budget, verified.budget]).toEqual([undefined, recordOf(3)]);
  });
});

describe('an account of which the service wants no requests', () => {
  const works = 'The service at https://api.example.jp accepts the credentials.';
  const mobile = 'It wants no requests for SIMs and gateways until 2026-01-01T00:01:00Z.';
  const sites = 'It wants no web acceleration requests until 2026-01-01T01:00:00Z.';
  const closing = closingOf(KEY, signer, now + 3_600_000);
  const statusWith = (closed: AccountFacts['closed'], before = account) =>
    accountStatus(before, { ...factsWith(0), closed }, undefined);

  it.each([
    [{ cloud: now + 59_500, webaccel: undefined }, `${works} ${mobile}`],
    [{ cloud: undefined, webaccel: closing }, `${works} ${sites}`],
    [{ cloud: now + 60_000, webaccel: closing }, `${works} ${mobile} ${sites}`],
    [{ cloud: undefined, webaccel: undefined }, works],
    [undefined, works],
  ])('says so, and until when: %o', (closed, message) => {
    const { conditions = [] } = statusWith(closed);
    expect(conditions.map((condition) => [condition.type, condition.status, condition.message])).toEqual([
      ['Ready', 'True', message],
    ]);
  });

  it('has web acceleration on record as long as that is so, and while nobody may tell', () => {
    const before = { ...account, status: statusWith({ cloud: now + 60_000, webaccel: closing }) };
    expect([
      before.status.closed,
      statusWith(undefined, before).closed,
      statusWith({ cloud: undefined, webaccel: undefined }, before).closed,
    ]).toEqual([closing, closing, undefined]);
  });

  it('has a record of its budget as versions before know it', () => {
    expect(statusWith({ cloud: undefined, webaccel: closing }).budget).toEqual(recordOf(0));
  });
});
