import { expect, it } from 'vitest';
import { iccidOf } from './fleet.ts';
import { createTenants, PASS_CODE, SHARED_ACCOUNT } from './tenants.ts';

/** What somebody tries with copies of statuses that the operator wrote for other resources of theirs, and with made-up ones. */

const PAUSED = { 'edgeline.dev/paused': 'true' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

it('copies of one sealed status on Sims of other ICCIDs keep nobody from anything', async () => {
  const { fleet, create, createOld, recordOf, putStatus, letPass } = createTenants({ sims: 20 });
  createOld();
  fleet.world.start('operator');
  create('evil', 'sims', 'mine', { iccid: iccidOf(900), ...PASS_CODE });
  await letPass(300);
  const record = recordOf('evil', 'sims', 'mine');
  for (const number of [910, 911, 912, 913]) create('evil', 'sims', `x-${number}`, { iccid: iccidOf(number) }, PAUSED);
  await letPass(30);
  for (const number of [910, 911, 912, 913]) putStatus('evil', 'sims', `x-${number}`, record);
  await letPass(400);
  create('victim', 'sims', 'new', { iccid: iccidOf(50), ...PASS_CODE });
  await letPass(60);
  expect([...fleet.waiting('victim')]).toEqual([]);
  expect(fleet.read(SHARED_ACCOUNT).status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
});

it('a copied seal keeps no older Sim from registering its SIM', async () => {
  const { fleet, create, recordOf, putStatus, letPass } = createTenants();
  fleet.world.start('operator');
  create('evil', 'sims', 'mine', { iccid: iccidOf(900), ...PASS_CODE });
  await letPass(60);
  create('victim', 'sims', 'one', { iccid: iccidOf(1), passCodeSecretRef: { name: 'later', key: 'code' } });
  await letPass(300);
  create('evil', 'sims', 'one', { iccid: iccidOf(1) }, PAUSED);
  putStatus('evil', 'sims', 'one', recordOf('evil', 'sims', 'mine'));
  await letPass(60);
  const data = { code: base64('virtual-pass-code') };
  fleet.create('/api/v1/namespaces/victim/secrets', { metadata: { name: 'later' }, data });
  await letPass(300);
  expect([...fleet.waiting('victim')]).toEqual([]);
});

it('a copied seal does not keep the shared token from being exchanged', async () => {
  const { fleet, create, createOld, recordOf, putStatus, letPass } = createTenants({ sims: 20 });
  createOld();
  create('evil', 'sims', 'mine', { iccid: iccidOf(900), ...PASS_CODE });
  fleet.world.start('operator');
  await letPass(300);
  create('evil', 'sims', 'x', { iccid: iccidOf(950) }, PAUSED);
  await letPass(30);
  putStatus('evil', 'sims', 'x', recordOf('evil', 'sims', 'mine'));
  await letPass(60);
  const data = { accessToken: base64('token-edge-2'), accessTokenSecret: base64('secret-edge-2') };
  fleet.patch('/api/v1/namespaces/edge/secrets/credentials', { data });
  await letPass(120);
  const imeiLock = '356938035643809';
  fleet.patch('/apis/edgeline.dev/v1alpha1/namespaces/victim/sims/old-7', { spec: { imeiLock } });
  await letPass(120);
  expect([...fleet.waiting('victim')]).toEqual([]);
});

it('IDs that never were are not counted as losses, however many are named one after another', async () => {
  const { fleet, create, createOld, putStatus, letPass } = createTenants({ sims: 20 });
  createOld();
  fleet.world.start('operator');
  await letPass(300);
  for (let number = 900; number < 1000; number++) {
    const id = `99900000${number}`;
    const name = `x-${number}`;
    create('evil', 'sims', name, { iccid: iccidOf(number) });
    const { uid } = fleet.read(`/apis/edgeline.dev/v1alpha1/namespaces/evil/sims/${name}`).metadata;
    const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
    const record = { uid, id, iccid: iccidOf(number), createdAt: '2020-01-01T00:00:00Z', accountRef };
    putStatus('evil', 'sims', name, { ...record, ownership: 'Created' });
    if (number % 4 === 3) await letPass(10);
  }
  create('victim', 'sims', 'new', { iccid: iccidOf(50), ...PASS_CODE });
  await letPass(60);
  expect([...fleet.waiting('victim')]).toEqual([]);
});
