import { expect, test } from 'vitest';
import { type Member, partyOf } from '../../../../src/kinds/cloud-account/members.ts';
import { partial } from '../../../support/partial.ts';

const member = (verified: boolean) => partial<Member>({ session: { verified } });

test.each<{ what: string; accounts: Record<string, boolean>; party: string }>([
  { what: 'a CloudAccount are of its namespace', accounts: { 'CloudAccount/a/default': true }, party: 'a' },
  {
    what: 'a ClusterCloudAccount are its own',
    accounts: { 'ClusterCloudAccount//default': true },
    party: 'ClusterCloudAccount//default',
  },
  {
    what: 'a token that a stranger names, too, are of who has its secret',
    accounts: { 'CloudAccount/evil/named': false, 'CloudAccount/b/default': true },
    party: 'b',
  },
  {
    what: 'a token that nobody was verified with are of who came first',
    accounts: { 'CloudAccount/c/new': false },
    party: 'c',
  },
])('the lists of $what', ({ accounts, party }) => {
  expect(partyOf(new Map(Object.entries(accounts).map(([key, verified]) => [key, member(verified)])))).toBe(party);
});
