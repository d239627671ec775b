import { describe, expect, it } from 'vitest';
import type { Gateway, SimRoute } from '../../../../src/cloud/gateway/types.ts';
import { createDetailsReader, simsOn } from '../../../../src/kinds/mobile-gateway/details.ts';
import { createSettingsInEffect } from '../../../../src/kinds/mobile-gateway/effect.ts';
import type { MobileGateway } from '../../../../src/kinds/mobile-gateway/schema.ts';
import type { Pass } from '../../../../src/reconcile/kind.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const ID = '113300000201';
const here: SimRoute = { prefix: '192.168.20.0/24', resourceID: '113300000001' };
const left: SimRoute = { prefix: '192.168.21.0/24', resourceID: '113300000002' };

/** What is read of a gateway that has one SIM, whose routes are, at one reading after the other, these. */
async function readRoutes(...readings: readonly (readonly SimRoute[])[]) {
  const next = [...readings];
  const gateways = {
    simRoutes: async () => next.shift() ?? [],
    trafficMonitoring: async () => undefined,
    trafficStatus: async () => undefined,
    sims: async () => ({ total: 1, from: 0, count: 1, items: [{ resourceID: here.resourceID, iccid: '1' }] }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass as a reading takes
  const pass = {
    object: { metadata: { uid: 'uid', name: 'depot', namespace: 'fleet' }, spec: { zone: 'is1a' } },
    session: { dialect: 'Documented', client: { gateways }, digest: (value: string) => value },
    notBefore: 0,
    thorough: true,
    call: () => ({ lane: 'verify' }),
  } as unknown as Pass<MobileGateway>;
  const clock = new ManualClock();
  const { simRoutes } = await createDetailsReader(clock, createSettingsInEffect(clock)).details(pass, ID, () => false);
  return { simRoutes, unread: next.length };
}

describe('the routes of a gateway', () => {
  it.each([
    { what: 'are read once', readings: [[here]], simRoutes: [here] },
    { what: 'are each once, however often the service shows one', readings: [[here, { ...here }]], simRoutes: [here] },
    { what: 'are none to a SIM that left while they were read', readings: [[here, left], [here]], simRoutes: [here] },
    {
      what: 'lead to a SIM that is not there, if the service says so twice',
      readings: [
        [here, left],
        [here, left],
      ],
      simRoutes: [here, left],
    },
    {
      what: 'are those of the time the SIMs were read, whatever leaves after that',
      readings: [[here, left], []],
      simRoutes: [here],
    },
  ])('$what', async ({ readings, simRoutes }) => {
    await expect(readRoutes(...readings)).resolves.toEqual({ simRoutes, unread: 0 });
  });
});

/** The SIMs that a pass finds on a gateway whose list has, at one reading after the other, these. */
async function readSims(deleting: boolean, ...readings: readonly (readonly string[])[]) {
  const next = [...readings];
  const sims = async () => {
    const items = (next.shift() ?? []).map((resourceID) => ({ resourceID, iccid: '1' }));
    return { total: items.length, from: 0, count: items.length, items };
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass as a reading takes
  const pass = {
    object: { metadata: { uid: 'uid', name: 'depot', namespace: 'fleet' }, spec: { zone: 'is1a' } },
    session: { client: { gateways: { sims } } },
    deleting,
  } as unknown as Pass<MobileGateway>;
  const found = await simsOn(pass, ID, { lane: 'verify' });
  return { sims: found.map(({ id }) => id), unread: next.length };
}

describe('the SIMs of a gateway', () => {
  it.each([
    { what: 'are read once', deleting: false, readings: [[]], sims: [] },
    { what: 'are none before a deletion if two lists say so', deleting: true, readings: [[], []], sims: [] },
    { what: 'are those that one list lacked', deleting: true, readings: [[], ['7']], sims: ['7'] },
    { what: 'keep a deletion waiting with one list', deleting: true, readings: [['7']], sims: ['7'] },
  ])('$what', async ({ deleting, readings, sims }) => {
    await expect(readSims(deleting, ...readings)).resolves.toEqual({ sims, unread: 0 });
  });
});

it('what is known of a gateway is good for its plan, and not for its deletion', async () => {
  let sims: string[] = [];
  const gateways = {
    simRoutes: async () => [],
    trafficMonitoring: async () => undefined,
    trafficStatus: async () => undefined,
    sims: async () => {
      const items = sims.map((resourceID) => ({ resourceID, iccid: '1' }));
      return { total: items.length, from: 0, count: items.length, items };
    },
  };
  const given = {
    object: { metadata: { uid: 'uid', name: 'depot', namespace: 'fleet' }, spec: { zone: 'is1a' } },
    session: { dialect: 'Documented', client: { gateways }, digest: (value: string) => value },
    notBefore: -1,
    takenAt: -1,
    call: () => ({ lane: 'verify' }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass as a reading takes
  const pass = given as unknown as Pass<MobileGateway>;
  const clock = new ManualClock();
  const reader = createDetailsReader(clock, createSettingsInEffect(clock));
  const simsOf = async (deleting: boolean) =>
    (await reader.details({ ...pass, deleting }, ID, () => false)).sims?.map(({ id }) => id);
  await expect(simsOf(false)).resolves.toEqual([]);
  sims = ['7'];
  await expect(simsOf(false)).resolves.toEqual([]);
  await expect(simsOf(true)).resolves.toEqual(['7']);
});

it('a gateway is read before its settings are sent, and again where that was seconds ago', async () => {
  const clock = new ManualClock();
  const reader = createDetailsReader(clock, createSettingsInEffect(clock));
  let reads = 0;
  const read = async () => {
    reads++;
    return { id: ID };
  };
  const object = { metadata: { uid: 'uid', name: 'depot', namespace: 'fleet' }, spec: { zone: 'is1a' } };
  const given = { object, session: { client: { gateways: { read } } }, call: () => ({ lane: 'verify' }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass as a reading takes
  const pass = given as unknown as Pass<MobileGateway>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
  const listed = { id: ID } as Gateway;
  const readsFor = async () => {
    const before = reads;
    const isOld = reader.isListOld(pass.object);
    await reader.current(pass, listed);
    return [isOld, reads - before];
  };
  expect([await readsFor(), await readsFor()]).toEqual([
    [true, 1],
    [false, 0],
  ]);
  await clock.advance(6000);
  expect(await readsFor()).toEqual([true, 1]);
});
