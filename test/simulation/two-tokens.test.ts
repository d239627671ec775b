import { expect, it } from 'vitest';
import { tlsSecret } from './certificates.ts';
import { createSharedSite } from './site-uploads.ts';

/** Two namespaces with a token each of one account at the service: `fleet` has the WebAccelSite, `other` knows its ID. */

const HOUR = 3600;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
const WEB_ACCEL_SITE = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'WebAccelSite',
  metadata: { name: 'site' },
  spec: { domain: 'a.example.jp', enabled: true },
};

function createTwo() {
  const shared = createSharedSite();
  shared.patch('/api/v1/namespaces/other/secrets/www-tls', { data: tlsSecret('www-tls', 'a-2').data });
  return {
    ...shared,
    site: () => shared.create(`${GROUP}/fleet/webaccelsites`, WEB_ACCEL_SITE),
    ofSite: () => shared.make('fleet/www', { siteID: undefined, siteRef: { name: 'site' } }),
    byID: () => shared.make('other/www'),
    /** Of both, what Ready says; and whose certificate the site has. */
    state() {
      const reasonOf = (namespace: string) =>
        shared.read(`${GROUP}/${namespace}/sitecertificates/www`).status.conditions.find(({ type }) => type === 'Ready')
          ?.reason;
      const served = shared.generations()[0] === 'a-1' ? 'fleet' : 'other';
      return { fleet: reasonOf('fleet'), other: reasonOf('other'), served };
    },
  };
}

const FLEET = { fleet: 'Available', other: 'AlreadyManaged', served: 'fleet' };
const OTHER = { fleet: 'AlreadyManaged', other: 'Available', served: 'other' };
const table = [
  { order: ['site', 'ofSite', 'byID'], has: FLEET },
  { order: ['site', 'byID', 'ofSite'], has: FLEET },
  { order: ['ofSite', 'site', 'byID'], has: FLEET },
  { order: ['ofSite', 'byID', 'site'], has: OTHER },
  { order: ['byID', 'site', 'ofSite'], has: OTHER },
  { order: ['byID', 'ofSite', 'site'], has: OTHER },
] as const;

it.each(
  table.flatMap((row) =>
    [2, 300].flatMap((apart) => ['goes on', 'restarts', 'fails over'].map((fate) => ({ ...row, apart, fate }))),
  ),
)(
  'both tell whose the certificate is, for good: made in the order $order, $apart s apart, and the operator $fate',
  async ({ order, has, apart, fate }) => {
    const two = createTwo();
    const { world, letPass, uploads, state } = two;
    const options = { leaderElect: true };
    const operator = world.start('operator', options);
    for (const step of order) {
      two[step]();
      await letPass(apart);
    }
    await letPass(HOUR);
    const before = state();
    const count = uploads.length;
    if (fate !== 'goes on') operator.kill(fate === 'restarts' ? 1000 : 'never');
    if (fate === 'fails over') world.start('standby', options);
    await letPass(2 * HOUR);
    expect({ before, after: state(), uploads: uploads.length - count }).toEqual({
      before: has,
      after: has,
      uploads: 0,
    });
  },
);
