import { expect, it } from 'vitest';
import { createSharedSite, GROUP, WWW } from './site-uploads.ts';

/** An upload is carried out late: whoever gets the site, or has it, waits for that, for the same one sent twice costs the previous one. */

const MINUTE = 60;
const ACCOUNT = `${GROUP}/fleet/cloudaccounts/default`;
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/fleet/leases/edgeline-holder';

/** The site has a-1, by fleet/www, and the operator has run for a while. */
async function createServed() {
  const site = createSharedSite();
  site.make('fleet/www');
  const operator = site.world.start('operator');
  await site.letPass(7 * MINUTE);
  return { ...site, operator };
}

it.each([
  { to: 'fleet/another', waited: false, killed: true },
  { to: 'fleet/www', waited: false, killed: true },
  { to: 'other/www', waited: false, killed: true },
  { to: 'other/www', waited: false, killed: false },
  { to: 'other/www', waited: true, killed: true },
  { to: 'other/www', waited: true, killed: false },
])('the site goes to another resource meanwhile: %o', async ({ to, waited, killed }) => {
  const { operator, make, remove, renew, hold, letPass, waiting, generations } = await createServed();
  if (waited) make(to);
  await letPass(2 * MINUTE);
  await hold(25, () => renew('a-2'));
  if (killed) operator.kill(1000);
  await letPass(1);
  remove('fleet/www');
  await letPass(4);
  if (!waited) make(to);
  await letPass(15 * MINUTE);
  expect(generations()).toEqual(['a-2', 'a-1']);
  expect([...waiting(to.split('/')[0] ?? '', 'sitecertificates')]).toEqual([]);
});

it.each([{ anew: true }, { anew: false }])(
  'the resource is only to observe meanwhile, and read what was there before: %o',
  async ({ anew }) => {
    const { operator, make, remove, renew, hold, letPass, patch, generations } = await createServed();
    await hold(2 * MINUTE, () => renew('a-2'));
    operator.kill(1000);
    if (anew) {
      remove('fleet/www');
      await letPass(15);
      make('fleet/www', { managementPolicy: 'Observe' });
    } else {
      const annotations = { 'edgeline.dev/reconcile-at': 'now' };
      patch(WWW, { spec: { managementPolicy: 'Observe' }, metadata: { annotations } });
    }
    await letPass(20);
    patch(WWW, { spec: { managementPolicy: 'Manage' } });
    await letPass(15 * MINUTE);
    expect(generations()).toEqual(['a-2', 'a-1']);
  },
);

it('the Secret has the one of before again, once it was told that another may have got there', async () => {
  const { operator, patch, read, renew, hold, letPass, generations } = await createServed();
  const synced = () => {
    const { conditions } = read(WWW).status;
    const found = conditions.find(({ type }) => type === 'Synced');
    return `${found?.status} ${found?.reason}`;
  };
  patch(WWW, { spec: { allowRollback: true } });
  // Valid for the same time, so that the list of sites does not tell one from the other.
  renew('a-and-b-1');
  await letPass(10 * MINUTE);
  await hold(2, () => renew('a-2'));
  operator.kill(1000);
  await letPass(MINUTE);
  renew('a-and-b-1');
  await letPass(MINUTE);
  expect([generations(), synced()]).toEqual([['a-2', 'a-and-b-1'], 'False OutcomeUnknown']);
  await letPass(10 * MINUTE);
  expect([generations(), synced()]).toEqual([['a-and-b-1', 'a-2'], 'True Available']);
});

it('the site had no certificate when it was listed, and a person put one there meanwhile', async () => {
  const { world, make, remove, hold, letPass, uploadByHand, generations } = createSharedSite({ secret: 'a-2' });
  make('fleet/www');
  let operator: ReturnType<typeof world.start> | undefined;
  await hold(2 * MINUTE, () => (operator = world.start('operator')));
  remove('fleet/www');
  operator?.kill(1000);
  await letPass(15);
  uploadByHand('POST', 'a-1');
  await letPass(1);
  make('fleet/www');
  await letPass(15 * MINUTE);
  expect(generations()).toEqual(['a-2', 'a-1']);
});

it.each([{ killed: true }, { killed: false }])(
  'the account reaches the service under another name meanwhile: %o',
  async ({ killed }) => {
    const { operator, renew, hold, letPass, patch, generations } = await createServed();
    await hold(150, () => renew('a-2'));
    if (killed) operator.kill(1000);
    patch(ACCOUNT, { spec: { baseURL: 'https://alias.example' } });
    await letPass(25 * MINUTE);
    expect(generations()).toEqual(['a-2', 'a-1']);
  },
);

it.each(['fleet/www', 'fleet/another', undefined])(
  'another installation takes the namespace over meanwhile, and the site is of a resource that is made anew: %s',
  async (anew) => {
    const { world, make, remove, renew, hold, letPass, generations } = createSharedSite();
    make('fleet/www');
    const one = world.start('one', { leaseNamespace: 'edgeline-system' });
    await letPass(200);
    world.start('two', { leaseNamespace: 'two-system' });
    await letPass(7 * MINUTE);
    await hold(150, () => renew('a-2'));
    one.kill('never');
    world.apiserver.handle({ method: 'DELETE', path: LEASE, user: 'user' });
    await letPass(30);
    if (anew) {
      remove('fleet/www');
      await letPass(3);
      make(anew);
    }
    await letPass(25 * MINUTE);
    expect(generations()).toEqual(['a-2', 'a-1']);
  },
);

it.each([60, 170])('the namespace comes back from another installation, held %d s', async (seconds) => {
  const { world, make, renew, hold, letPass, patch, read, generations } = createSharedSite();
  make('fleet/www');
  world.start('one', { leaseNamespace: 'edgeline-system' });
  await letPass(7 * MINUTE);
  const two = world.start('two', { leaseNamespace: 'two-system' });
  await letPass(MINUTE);
  const { spec } = read(LEASE);
  const holderIdentity = 'two-system/without-leader-election';
  patch(LEASE, { spec: { holderIdentity, leaseDurationSeconds: 900 } });
  await letPass(25 * MINUTE);
  await hold(seconds, () => renew('a-2'));
  two.kill('never');
  patch(LEASE, { spec });
  await letPass(25 * MINUTE);
  expect(generations()).toEqual(['a-2', 'a-1']);
});

it.each([30, 170])('the Secret has the whole chain again meanwhile, held %d s: so has the site', async (seconds) => {
  const { renew, renewWithoutChain, hold, letPass, chainLength, generations, read } = await createServed();
  await hold(seconds, () => renewWithoutChain('a-1'));
  await letPass(10);
  renew('a-1');
  await letPass(10);
  expect(JSON.stringify(read(WWW).status.conditions)).toContain('may still reach a.example.jp');
  await letPass(15 * MINUTE);
  expect([chainLength(), generations()]).toEqual([2, ['a-1', 'a-1']]);
});

const MAY_STILL_REACH = 'may still reach a.example.jp, which has the certificate of the Secret for now';

it.each([
  { to: 'fleet/www', isAnew: false, killed: true },
  { to: 'fleet/www', isAnew: true, killed: false },
  { to: 'other/www', isAnew: true, killed: false },
])('a leaf alone arrives after its Secret has the whole chain again: so has the site in the end: %o', async (how) => {
  const { to, isAnew, killed } = how;
  const { operator, make, remove, renew, renewWithoutChain, hold, letPass, chainLength, read } = await createServed();
  await hold(170, () => renewWithoutChain('a-1'));
  if (killed) operator.kill(1000);
  else await letPass(MINUTE);
  if (isAnew) remove('fleet/www');
  await letPass(1);
  renew('a-1');
  if (isAnew) make(to);
  await letPass(MINUTE);
  const [namespace, name] = to.split('/');
  const { conditions } = read(`${GROUP}/${namespace}/sitecertificates/${name}`).status;
  expect(JSON.stringify(conditions)).toContain(MAY_STILL_REACH);
  await letPass(15 * MINUTE);
  expect(chainLength()).toBe(2);
});

it('a leaf alone arrives at a site that a new resource gave the whole chain since: so it has in the end', async () => {
  const site = createSharedSite();
  const { world, make, remove, renew, renewWithoutChain, hold, letPass, chainLength, read } = site;
  renewWithoutChain('a-1');
  make('fleet/www');
  let operator: ReturnType<typeof world.start> | undefined;
  await hold(170, () => (operator = world.start('operator')));
  operator?.kill(1000);
  await letPass(10);
  remove('fleet/www');
  renew('a-1');
  await letPass(2);
  make('other/www');
  await letPass(MINUTE);
  const { conditions } = read(`${GROUP}/other/sitecertificates/www`).status;
  expect([chainLength(), JSON.stringify(conditions).includes(MAY_STILL_REACH)]).toEqual([2, true]);
  await letPass(15 * MINUTE);
  expect(chainLength()).toBe(2);
});

it('what is held is not said to be over while the Secret has the certificate before it', async () => {
  const { patch, renew, hold, letPass, generations, read } = await createServed();
  patch(WWW, { spec: { allowRollback: true } });
  await hold(170, () => renew('a-2'));
  renew('a-1');
  await letPass(MINUTE);
  expect(JSON.stringify(read(WWW).status.conditions)).toContain(MAY_STILL_REACH);
  await letPass(15 * MINUTE);
  expect(generations()).toEqual(['a-1', 'a-2']);
});
