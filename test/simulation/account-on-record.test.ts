import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { createTenants, PASS_CODE, SITE } from './tenants.ts';

/** The namespace has an account of its own, made in the same second as what uses it, beside the one of the cluster. */
it.each([
  ['sims', { iccid: '8981040000000000001', ...PASS_CODE }],
  ['mobilegateways', { zone: 'is1b', planID: 2 }],
  ['webaccelsites', { domain: SITE.domain }],
] as const)(
  'a process that ends after the finalizer, before the first status, leaves no doubt in which account %s are',
  async (plural, spec) => {
    const tenants = createTenants({ edge: { sites: [SITE] } });
    const { fleet, create, letPass } = tenants;
    const operator = fleet.world.start('first');
    await letPass(60);
    const isKilled = atFirst(
      fleet.world,
      'answered',
      ({ verb, target, body = '' }) =>
        verb === 'PATCH' && target.includes(`/${plural}/one?`) && body.includes('finalizers'),
      () => operator.kill(5000),
    );
    create('edge', 'cloudaccounts', 'default', {
      baseURL: 'https://service.example',
      credentialsSecretRef: { name: 'credentials' },
    });
    create('edge', plural, 'one', spec);
    await letPass(600);
    expect([isKilled(), [...fleet.waiting('edge', plural)]]).toEqual([true, []]);
  },
);
