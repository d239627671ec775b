import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { secretDigest } from '../../../src/simulator/redact.ts';
import { eventually } from '../../support/kubernetes.ts';
import { PASS_CODE } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const ITEM = '/commonserviceitem/:id';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(spec: object): object {
  const metadata = { name: 'truck-17' };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid: ICCID, ...spec } };
}

/** Exactly these calls change something at the service, and nothing follows. */
async function expectWrites(world: World, calls: readonly string[]): Promise<void> {
  await eventually(async () => expect(await world.writes()).toEqual(calls));
  await world.settle();
  expect(await world.writes()).toEqual(calls);
}

const put = (path: string, body?: object) => `PUT ${ITEM}${path}${body ? ` ${JSON.stringify(body)}` : ''}`;
const carriers = (kddi: boolean, softBank: boolean) =>
  put('/sim/network_operator_config', {
    network_operator_config: [
      { name: 'KDDI', allow: kddi },
      { name: 'SoftBank', allow: softBank },
    ],
  });
const lock = (imei: string) => put('/sim/imeilock', { sim: { imei } });
const rename = (Name: string) => put('', { CommonServiceItem: { Name } });

interface Life {
  readonly field: string;
  readonly dialect: 'Documented' | 'Extended';
  readonly set: readonly [object, string];
  readonly change: readonly [object, string];
  /** What somebody does behind the operator's back, and the call that puts it right. */
  readonly drift: readonly [object, string];
  readonly remove: string;
}

const one = { imeiLock: '356938035643809' };
const other = { imeiLock: '490154203237518' };
const lives: readonly Life[] = (['Documented', 'Extended'] as const).flatMap((dialect) => [
  {
    field: 'activated',
    dialect,
    set: [{ activated: true }, put('/sim/activate')],
    change: [{ activated: false }, put('/sim/deactivate')],
    drift: [{ activated: true }, put('/sim/deactivate')],
    remove: '',
  },
  {
    field: 'activated, true at last',
    dialect,
    set: [{ activated: true }, put('/sim/activate')],
    change: [{ activated: true, deletionPolicy: 'Orphan' }, ''],
    drift: [{ activated: false }, put('/sim/activate')],
    remove: put('/sim/deactivate'),
  },
  {
    field: 'imeiLock',
    dialect,
    set: [one, lock(one.imeiLock)],
    change: [other, lock(other.imeiLock)],
    drift: [{ imeiLock: null }, lock(other.imeiLock)],
    remove: `DELETE ${ITEM}/sim/imeilock`,
  },
  {
    field: 'imeiLock, locked to another device by somebody',
    dialect,
    set: [one, lock(one.imeiLock)],
    change: [other, lock(other.imeiLock)],
    drift: [one, lock(other.imeiLock)],
    remove: `DELETE ${ITEM}/sim/imeilock`,
  },
  {
    field: 'carriers',
    dialect,
    set: [
      {
        carriers: [
          { name: 'SoftBank', allow: false },
          { name: 'KDDI', allow: true },
        ],
      },
      carriers(true, false),
    ],
    change: [
      {
        carriers: [
          { name: 'SoftBank', allow: true },
          { name: 'KDDI', allow: false },
        ],
      },
      carriers(false, true),
    ],
    drift: [
      {
        carriers: [
          { name: 'KDDI', allow: true },
          { name: 'SoftBank', allow: true },
        ],
      },
      carriers(false, true),
    ],
    remove: carriers(true, true),
  },
]);

const named: Life = {
  field: 'displayName',
  dialect: 'Extended',
  set: [{ displayName: 'Truck 17' }, rename('Truck 17')],
  change: [{ displayName: 'Truck 17 (south)' }, rename('Truck 17 (south)')],
  drift: [{ name: 'somebody was here' }, rename('Truck 17 (south)')],
  remove: rename('truck-17'),
};

const calls = (call: string) => (call === '' ? [] : [call]);

describe.concurrent('a field of a Sim that was taken over', () => {
  it.each([...lives, named])('$field is set, changed, put right and un-set ($dialect)', async (life) => {
    const world = await createWorld({ dialect: life.dialect, seed: { sims: [{ iccid: ICCID, name: 'old' }] } });
    await world.apply(sim({}));
    await world.ready('Sim', 'truck-17');
    await expectWrites(world, []);

    for (const [spec, call] of [life.set, life.change]) {
      await world.forget();
      await world.apply(sim(spec));
      await expectWrites(world, calls(call));
    }
    await world.forget();
    await world.simulator.patch({ sims: { [ICCID]: life.drift[0] } });
    await expectWrites(world, calls(life.drift[1]));

    await world.forget();
    await world.apply(sim({}));
    await expectWrites(world, calls(life.remove));
    const { status } = await world.ready('Sim', 'truck-17');
    expect(status).toMatchObject({ ownership: 'Adopted', conditions: [{ type: 'Ready' }, { type: 'Synced' }] });
    expect(status).not.toHaveProperty('applied');
    await world.stop();
  });

  it('displayName cannot be changed in the Documented dialect, and the Sim says so', async () => {
    const world = await createWorld({ seed: { sims: [{ iccid: ICCID, name: 'old' }] } });
    await world.apply(sim({ displayName: 'Truck 17' }));
    await world.condition('Sim', 'truck-17', { type: 'Synced', status: 'False', reason: 'DisplayNameNotChangeable' });
    await world.condition('Sim', 'truck-17', { type: 'Ready', status: 'True', reason: 'Available' });
    await world.apply(sim({ displayName: 'old' }));
    const { status } = await world.ready('Sim', 'truck-17');
    expect(status).toMatchObject({ applied: { displayName: 'old' } });
    await expectWrites(world, []);
    await world.stop();
  });
});

describe.concurrent('a Sim that is new to the account', () => {
  const create = (Name: string) =>
    `POST /commonserviceitem ${JSON.stringify({
      CommonServiceItem: {
        Name,
        Status: { ICCID },
        Remark: { PassCode: secretDigest(PASS_CODE) },
        Provider: { Class: 'sim' },
      },
    })}`;
  const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

  it.each(['Documented', 'Extended'] as const)(
    'is created and brought to its spec in the order the service accepts (%s)',
    async (dialect) => {
      const world = await createWorld({ dialect, authentication: 'Digest' });
      const spec = {
        passCodeSecretRef,
        displayName: 'Truck 17',
        activated: true,
        ...one,
        carriers: [
          { name: 'KDDI', allow: true },
          { name: 'SoftBank', allow: false },
        ],
      };
      await world.apply(sim(spec));
      const { status } = await world.ready('Sim', 'truck-17');
      await expectWrites(world, [create('Truck 17'), carriers(true, false), put('/sim/activate'), lock(one.imeiLock)]);
      expect(status).toMatchObject({
        ownership: 'Created',
        iccid: ICCID,
        activated: true,
        imeiLock: { locked: true },
        applied: { displayName: 'Truck 17', activated: true, ...one },
      });
      await world.stop();
    },
  );

  it('is named after its resource unless told otherwise', async () => {
    const world = await createWorld();
    await world.apply(sim({ passCodeSecretRef }));
    const { status } = await world.ready('Sim', 'truck-17');
    expect(status).toMatchObject({ ownership: 'Created', iccid: ICCID });
    await expectWrites(world, [create('truck-17')]);
    await world.stop();
  });
});
