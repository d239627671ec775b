import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { atFirst } from './at-first.ts';
import { createTenants, type Tenants } from './tenants.ts';

/** What somebody tries who says of a MobileGateway of theirs that it may have made a gateway of another's name. */

const GATEWAYS = 'mobilegateways';
const pathOf = (tenant: string, name = '') => `/apis/edgeline.dev/v1alpha1/namespaces/${tenant}/${GATEWAYS}${name}`;
const spec = { zone: 'is1b', planID: 2, deletionPolicy: 'Delete' };
const NOWHERE = { accountRef: { kind: 'CloudAccount', name: 'none' } };

/** With the finalizer of one that was being made: anybody may set that. */
function pretend({ fleet }: Tenants, more: object = {}, annotations: object = {}): void {
  fleet.create(pathOf('evil'), {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name: 'one', finalizers: ['edgeline.dev/create'], annotations },
    spec: { ...spec, displayName: 'depot', ...more },
  });
}

const ids = ({ fleet }: Tenants) => [...fleet.world.service.world('edge').gateways.keys()];

/** The victim's creation of `depot` is interrupted when it has arrived. */
async function interrupted(prepare: (tenants: Tenants) => Promise<void>): Promise<Tenants> {
  const tenants = createTenants();
  const { fleet, create, letPass } = tenants;
  const operator = fleet.world.start('operator');
  await letPass(60);
  await prepare(tenants);
  const isKilled = atFirst(
    fleet.world,
    'arrived',
    ({ to, verb }) => to === 'service' && verb === 'POST',
    () => operator.kill(5000),
  );
  create('victim', GATEWAYS, 'depot', spec);
  await letPass(300);
  expect(isKilled()).toBe(true);
  return tenants;
}

describe('a finalizer set by hand', () => {
  it.each(['stays', 'is deleted'])('does not keep an interrupted creation from its gateway, which %s', async (what) => {
    const tenants = await interrupted(async (one) => pretend(one, NOWHERE));
    expect([ids(tenants).length, [...tenants.fleet.waiting('victim', GATEWAYS)]]).toEqual([1, []]);
    if (what === 'stays') return;
    tenants.remove('victim', GATEWAYS, 'depot');
    await tenants.letPass(900);
    expect(ids(tenants)).toEqual([]);
  });

  it('keeps nobody from a gateway that was there before', async () => {
    const tenants = createTenants({ edge: { gateways: [{ id: '113300002001', name: 'depot', zone: 'is1b' }] } });
    tenants.fleet.world.start('operator');
    pretend(tenants, NOWHERE);
    tenants.create('victim', GATEWAYS, 'mine', { zone: 'is1b', resourceID: '113300002001' });
    await tenants.letPass(300);
    expect([...tenants.fleet.waiting('victim', GATEWAYS)]).toEqual([]);
  });

  it('stops no gateway whose record nobody can tell for a while, and loses none that is deleted', async () => {
    const tenants = createTenants();
    const { fleet, create, letPass } = tenants;
    const first = fleet.world.start('first');
    create('victim', GATEWAYS, 'depot', spec);
    await letPass(600);
    first.stop('never');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const data = { accessToken: base64('token-edge-2'), accessTokenSecret: base64('secret-edge-2') };
    fleet.patch('/api/v1/namespaces/edge/secrets/credentials', { data });
    pretend(tenants, NOWHERE);
    fleet.world.start('second');
    await letPass(600);
    expect([...fleet.waiting('victim', GATEWAYS)]).toEqual([]);
    tenants.remove('victim', GATEWAYS, 'depot');
    await letPass(900);
    expect(ids(tenants)).toEqual([]);
  });
});

it('an intent that the operator did not put on record loses to who names the ID as the message advises', async () => {
  const tenants = await interrupted(async (one) => {
    pretend(one, {}, { 'edgeline.dev/paused': 'true' });
    await one.letPass(5);
    const { uid } = one.fleet.read(pathOf('evil', '/one')).metadata;
    const requestedAt = '2026-01-01T00:00:00Z';
    one.putStatus('evil', GATEWAYS, 'one', { uid, creation: { name: 'depot', requestedAt } });
  });
  const [made] = ids(tenants);
  tenants.annotate('evil', GATEWAYS, 'one', { 'edgeline.dev/paused': null });
  await tenants.letPass(120);
  tenants.fleet.patch(pathOf('victim', '/depot'), { spec: { resourceID: made } });
  await tenants.letPass(900);
  tenants.remove('evil', GATEWAYS, 'one');
  await tenants.letPass(900);
  expect([ids(tenants).includes(made ?? ''), [...tenants.fleet.waiting('victim', GATEWAYS)]]).toEqual([true, []]);
});

it('of two that may both have made a gateway, in two namespaces, who is told to name it and does has it', async () => {
  const tenants = createTenants();
  const { fleet, create, letPass } = tenants;
  const { world } = fleet;
  const operator = world.start('operator');
  await letPass(60);
  let posts = 0;
  world.onMessage((moment, { to, verb }) => {
    if (to !== 'service' || verb !== 'POST') return;
    if (moment === 'begun') posts++;
    if (moment === 'arrived' && posts === 2) operator.kill(5000);
  });
  const fits = ({ verb }: { readonly verb: string }) => verb === 'POST';
  world.arm({ to: 'service', count: 1, fault: 'lost-request', fits });
  create('evil', GATEWAYS, 'depot', spec);
  await letPass(2);
  create('victim', GATEWAYS, 'depot', spec);
  await letPass(60);
  const [made] = ids(tenants);
  fleet.patch(pathOf('victim', '/depot'), { spec: { resourceID: made } });
  await letPass(900);
  expect([fleet.read(pathOf('victim', '/depot')).status.id, [...fleet.waiting('victim', GATEWAYS)]]).toEqual([
    made,
    [],
  ]);
});

it('an ID written by hand into a status is no more than a name, beside an intent that the operator put on record', async () => {
  const id = '113300000001';
  const tenants = await interrupted(async ({ fleet, create, letPass, putStatus }) => {
    create('evil', GATEWAYS, 'one', { ...spec, resourceID: id }, { 'edgeline.dev/paused': 'true' });
    await letPass(5);
    const { uid } = fleet.read(pathOf('evil', '/one')).metadata;
    const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
    putStatus('evil', GATEWAYS, 'one', { uid, id, ownership: 'Created', accountRef });
  });
  tenants.annotate('evil', GATEWAYS, 'one', { 'edgeline.dev/paused': null });
  await tenants.letPass(900);
  expect(tenants.fleet.read(pathOf('victim', '/depot')).status.id).toBe(id);
  expect([...tenants.fleet.waiting('victim', GATEWAYS)]).toEqual([]);
});

const keptSchema = z.looseObject({
  uid: z.string(),
  creation: z.looseObject({ seal: z.string() }),
  accountRef: z.unknown(),
});

it('an intent from before, put back, neither holds up who names a later gateway nor robs it', async () => {
  const tenants = createTenants();
  const { fleet, create, letPass, putStatus, annotate, remove } = tenants;
  const { world } = fleet;
  const first = world.start('first');
  await letPass(60);
  const kept: unknown[] = [];
  world.apiserver.onChange(({ resource, new: object }) => {
    const isEvils = resource === GATEWAYS && object?.metadata.namespace === 'evil';
    if (isEvils && kept.length === 0 && keptSchema.safeParse(object['status']).success) kept.push(object['status']);
  });
  const fits = ({ verb }: { readonly verb: string }) => verb === 'POST';
  world.arm({ to: 'service', count: 5, fault: { service: 'forbidden' }, fits });
  create('evil', GATEWAYS, 'one', { ...spec, displayName: 'depot' });
  await letPass(2);
  annotate('evil', GATEWAYS, 'one', { 'edgeline.dev/paused': 'true' });
  await letPass(3 * 3600);
  const { uid, creation, accountRef } = keptSchema.parse(kept[0]);
  const creationUnclear = { since: '2026-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
  putStatus('evil', GATEWAYS, 'one', { uid, creation, accountRef, creationUnclear });
  const before = new Set(ids(tenants));
  world.service.add('edge', 'gateways', { name: 'depot', zone: 'is1b' });
  const [made = ''] = ids(tenants).filter((id) => !before.has(id));
  first.stop('never');
  world.start('second');
  create('victim', GATEWAYS, 'mine', { zone: 'is1b', resourceID: made });
  await letPass(120);
  expect([...fleet.waiting('victim', GATEWAYS)]).toEqual([]);
  annotate('evil', GATEWAYS, 'one', { 'edgeline.dev/paused': null });
  await letPass(600);
  remove('evil', GATEWAYS, 'one');
  await letPass(600);
  expect([ids(tenants).includes(made), [...fleet.waiting('victim', GATEWAYS)]]).toEqual([true, []]);
});
