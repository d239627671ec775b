import { expect, it } from 'vitest';
import { type Rule, userRules } from '../../src/rbac.ts';

/** What is on record of the brakes is not signed: who may write it, and not the account, could lift a brake nobody gave them. */
it.each(Object.entries(userRules))(
  'the role %s lets nobody patch a status whose object they may not patch',
  (_, rules) => {
    const mayPatch = (resource: string) =>
      rules.some(({ resources, verbs }: Rule) => resources.includes(resource) && verbs.includes('patch'));
    const statuses = rules.flatMap(({ resources }) => resources.filter((one) => one.endsWith('/status')));
    expect(statuses.filter((one) => !mayPatch(one.replace('/status', '')))).toEqual([]);
  },
);

it('people may write the status of accounts of a namespace, and no other', () => {
  const written = Object.values(userRules).flatMap((rules) =>
    rules.flatMap(({ resources }) => resources.filter((one) => one.endsWith('/status'))),
  );
  expect([...new Set(written)]).toEqual(['cloudaccounts/status']);
});
