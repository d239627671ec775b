import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { DEPOT, gateway, ICCID, sim, stored, TRUCK } from './support.ts';

vi.setConfig({ maxConcurrency: 8, testTimeout: 120_000 });

const PATIENCE = { timeoutSeconds: 60 };
const start = (world: World) => startTestOperator({ namespaces: [world.namespace] });
const a = ['MobileGateway', 'a'] as const;
const b = ['MobileGateway', 'b'] as const;
const ambiguous = { type: 'Stalled', status: 'True', reason: 'CreationAmbiguous' } as const;

/** Has an operator end while each of the creations waits for its answer; the first ones are carried out, the others are not. */
async function interrupt(world: World, route: string, act: () => Promise<void>, carriedOut: number, lost = 0) {
  if (carriedOut > 0) await world.simulator.fault({ route, hold: true, when: 'after', count: carriedOut });
  if (lost > 0) await world.simulator.fault({ route, hold: true, when: 'before', skip: carriedOut, count: lost });
  const operator = await start(world);
  await act();
  await eventually(async () => expect(await world.simulator.holds()).toHaveLength(carriedOut + lost), PATIENCE);
  await operator.stop();
  await world.simulator.clearFaults();
  for (const { id } of await world.simulator.holds()) await world.simulator.drop(id);
}

const interruptGateways = (world: World, act: () => Promise<void>, carriedOut: number, lost = 0) =>
  interrupt(world, 'POST /appliance', act, carriedOut, lost);
const interruptSims = (world: World, act: () => Promise<void>, carriedOut: number, lost = 0) =>
  interrupt(world, 'POST /commonserviceitem', act, carriedOut, lost);

/** The last event of the resource. */
async function lastEvent(world: World, name: string, reason: string): Promise<string | undefined> {
  return eventually(async () => {
    const found = (await world.events(name)).findLast((event) => event.reason === reason);
    if (!found) throw new Error(`there is no event ${reason} about ${name}`);
    return found.note;
  }, PATIENCE);
}

/** Pauses the resource, and resolves when no call is under way for it. */
async function atRest(world: World, [kind, name]: readonly [string, string]): Promise<void> {
  await world.annotate(kind, name, { 'edgeline.dev/paused': 'true' });
  await eventually(async () => {
    const { metadata, status } = await world.get(kind, name);
    const synced = status?.conditions?.find(({ type }) => type === 'Synced');
    expect([synced?.reason, metadata.finalizers, status?.['creation']]).toEqual(['Paused', undefined, undefined]);
  }, PATIENCE);
}

const ids = async (world: World) => (await stored(world)).map(({ id }) => String(id));
const spec = { planID: 2, displayName: 'depot' };
const truck = (more: object = {}) => sim({ passCodeSecretRef: { name: 'pass-codes', key: 'code' }, ...more });

describe.concurrent('two resources that asked for a gateway of one name when the operator ended', () => {
  async function both(): Promise<World> {
    // Whoever asks second must not see what the first one has made.
    const world = await createWorld({ prefix: 'interrupted', settings: { shownAfterCreate: 2000 } });
    const apply = async () => {
      await world.apply(gateway(spec, 'a'));
      await world.apply(gateway(spec, 'b'));
    };
    await interruptGateways(world, apply, 1, 1);
    return world;
  }

  it('take none of which it can’t be told whose it is, and go on when a person says so', async () => {
    const world = await both();
    const [made = ''] = await ids(world);
    const operator = await start(world);
    for (const [name, rival] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const { message } = await eventually(() => world.condition('MobileGateway', name, ambiguous), PATIENCE);
      expect(message).toBe(
        `The creation of "depot" was interrupted, and so was that of ${world.namespace}/${rival}. It can't be determined which of them created these gateways of that name: ${made}. Set resourceID to the one that is meant, or another displayName to have a new one made; then delete at the service what nobody needs.`,
      );
    }
    await world.delete(...b);
    const { message } = await eventually(() => world.condition(...b, ambiguous), PATIENCE);
    expect(message).toContain('deletionPolicy: Orphan to let go of all of them');
    await world.patch(...a, { spec: { resourceID: made } });
    const { status } = await eventually(() => world.ready(...a), PATIENCE);
    expect(status).toMatchObject({ id: made, ownership: 'Created' });
    await world.annotate(...b, { 'edgeline.dev/reconcile-at': 'now' });
    await eventually(() => world.gone(...b), PATIENCE);
    expect(await ids(world)).toEqual([made]);
    await operator.stop();
    await world.stop();
  });

  it('have one each when one of them is given another displayName', async () => {
    const world = await both();
    const [made = ''] = await ids(world);
    const operator = await start(world);
    await eventually(() => world.condition(...a, ambiguous), PATIENCE);
    await eventually(() => world.condition(...b, ambiguous), PATIENCE);
    await world.patch(...b, { spec: { displayName: 'other' } });
    const other = await eventually(() => world.ready(...b), PATIENCE);
    await world.annotate(...a, { 'edgeline.dev/reconcile-at': 'now' });
    const first = await eventually(() => world.ready(...a), PATIENCE);
    expect(first.status).toMatchObject({ id: made, ownership: 'Created' });
    expect(await ids(world)).toEqual([made, other.status?.['id']]);
    await operator.stop();
    await world.stop();
  });
});

describe.concurrent('a resource deleted between the request to create and its answer, when the operator ended', () => {
  it.each([
    ['lets go of the gateway by its ID', 1],
    ['says that there was none', 0],
  ] as const)('%s', async (_title, carriedOut) => {
    const world = await createWorld({ prefix: 'interrupted' });
    const orphan = { ...spec, deletionPolicy: 'Orphan' };
    await interruptGateways(world, () => world.apply(gateway(orphan)), carriedOut, 1 - carriedOut);
    const [made] = await ids(world);
    await world.delete(...DEPOT);
    const operator = await start(world);
    await eventually(() => world.gone(...DEPOT), PATIENCE);
    expect(await lastEvent(world, 'depot', 'Orphaned')).toBe(
      made === undefined ? 'Nothing was created.' : `Let go; ${made} stays at the service.`,
    );
    expect(await ids(world)).toEqual(made === undefined ? [] : [made]);
    await operator.stop();
    await world.stop();
  });

  it('lets go of the SIM by its ID', async () => {
    const world = await createWorld({ prefix: 'interrupted' });
    await interruptSims(world, () => world.apply(truck({ deletionPolicy: 'Orphan' })), 1);
    const [made] = Object.keys((await world.simulator.state()).sims);
    await world.delete(...TRUCK);
    const operator = await start(world);
    await eventually(() => world.gone(...TRUCK), PATIENCE);
    expect(await lastEvent(world, 'truck-17', 'Orphaned')).toBe(`Let go; ${made} stays at the service.`);
    expect(Object.keys((await world.simulator.state()).sims)).toEqual([made]);
    await operator.stop();
    await world.stop();
  });

  it('waits when it can’t be told which gateway it made, and with deletionPolicy Orphan lets go of them by their IDs', async () => {
    const world = await createWorld({ prefix: 'interrupted' });
    await interruptGateways(world, () => world.apply(gateway(spec)), 1);
    await world.simulator.add('gateways', { id: '113300000999', name: 'depot', zone: 'is1b' });
    await world.delete(...DEPOT);
    const operator = await start(world);
    const { message } = await eventually(() => world.condition(...DEPOT, ambiguous), PATIENCE);
    expect(message).toContain('Set resourceID to the one to delete with this resource, or deletionPolicy: Orphan');
    await world.patch(...DEPOT, { spec: { deletionPolicy: 'Orphan' } });
    await eventually(() => world.gone(...DEPOT), PATIENCE);
    const left = (await ids(world)).sort();
    expect(left).toHaveLength(2);
    expect(await lastEvent(world, 'depot', 'Orphaned')).toBe(
      `Let go. Its creation was interrupted, and what it made, if anything, is among these, which stay at the service: ${left.join(', ')}. Delete there what nobody needs.`,
    );
    await operator.stop();
    await world.stop();
  });
});

describe.concurrent('a resource abandoned while it is not known whether its creation was carried out, and taken back', () => {
  const kinds: readonly (readonly [string, readonly [string, string], string, () => object])[] = [
    ['gateway', DEPOT, 'POST /appliance', () => gateway(spec)],
    ['SIM', TRUCK, 'POST /commonserviceitem', () => truck()],
  ];

  const rows = kinds.flatMap((kind) => [
    { kind, process: 'the same process' },
    { kind, process: 'another process' },
  ]);

  it.each(rows)('by $process has one $kind.0, which goes with it', async ({ kind: [, key, route, make], process }) => {
    const settings = { shownAfterCreate: 8000, allowDuplicateICCID: true };
    const world = await createWorld({ prefix: 'abandoned', settings });
    const patient = () => startTestOperator({ namespaces: [world.namespace], shownSeconds: 12 });
    await world.simulator.fault({ route, cut: true, when: 'after', count: 1 });
    let operator = await patient();
    await world.apply(make());
    const unknown = { type: 'Synced', status: 'False', reason: 'OutcomeUnknown' } as const;
    await eventually(() => world.condition(...key, unknown), PATIENCE);
    await world.annotate(...key, { 'edgeline.dev/abandon': 'true' });
    await eventually(async () => expect((await world.get(...key)).metadata.finalizers).toBeUndefined(), PATIENCE);
    if (process === 'another process') await operator.stop();
    await world.annotate(...key, { 'edgeline.dev/abandon': null });
    if (process === 'another process') operator = await patient();
    const { status, metadata } = await eventually(() => world.ready(...key), PATIENCE);
    expect(status).toMatchObject({ ownership: 'Created' });
    expect([status?.['creationUnclear'], metadata.finalizers]).toEqual([undefined, ['edgeline.dev/create']]);
    expect((await world.counts())[route]).toBe(1);
    await world.delete(...key);
    await eventually(() => world.gone(...key), PATIENCE);
    const { sims, gateways } = await world.simulator.state();
    expect([sims, gateways]).toEqual([{}, {}]);
    await operator.stop();
    await world.stop();
  });
});

describe.concurrent('a SIM created moments ago, and hidden when its resource is deleted', () => {
  it.each([false, true])('goes when it is shown again (another process: %s)', async (isAnother) => {
    const others = [1, 2, 3, 4].map((n) => ({ iccid: `898104000000000010${n}` }));
    const world = await createWorld({ prefix: 'hidden', seed: { sims: others } });
    const patient = () => startTestOperator({ namespaces: [world.namespace], shownSeconds: 60 });
    let operator = await patient();
    await world.apply(truck());
    const { status } = await eventually(() => world.ready(...TRUCK), PATIENCE);
    const [id, createdAt] = [String(status?.['id']), String(status?.['createdAt'])];
    await world.simulator.remove('sims', id);
    await world.delete(...TRUCK);
    if (isAnother) {
      await operator.stop();
      operator = await patient();
    }
    const hidden = { type: 'Reconciling', status: 'True', reason: 'NotShownYet' } as const;
    await eventually(() => world.condition(...TRUCK, hidden), PATIENCE);
    await world.simulator.add('sims', { id, iccid: ICCID, name: 'truck-17', createdAt });
    await eventually(() => world.gone(...TRUCK), PATIENCE);
    expect(Object.values((await world.simulator.state()).sims).map((one) => one?.['iccid'])).not.toContain(ICCID);
    await operator.stop();
    await world.stop();
  });
});

describe.concurrent('a creation that the service refused', () => {
  const refusals = [
    { code: 409, errorCode: 'limit_count_in_account', reason: 'AccountFull' },
    { code: 403, errorCode: 'access_permission_denied', reason: 'CredentialsRejected' },
  ] as const;

  it.each(refusals)('with $code leaves a gateway alone that a person makes later', async ({ reason, ...refusal }) => {
    const world = await createWorld({ prefix: 'refused' });
    await world.simulator.fault({ route: 'POST /appliance', ...refusal });
    let operator = await start(world);
    await world.apply(gateway(spec));
    await eventually(() => world.condition(...DEPOT, { type: 'Synced', status: 'False', reason }), PATIENCE);
    await atRest(world, DEPOT);
    await operator.stop();
    await world.annotate(...DEPOT, { 'edgeline.dev/paused': null });
    await world.simulator.clearFaults();
    const { id } = await world.simulator.add('gateways', { name: 'depot', zone: 'is1b' });
    operator = await start(world);
    const { status } = await eventually(() => world.ready(...DEPOT), PATIENCE);
    expect(status?.['id']).not.toBe(id);
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    expect(await ids(world)).toEqual([id]);
    await operator.stop();
    await world.stop();
  });

  it.each(refusals)('with $code adopts a SIM that a person registers later', async ({ reason, ...refusal }) => {
    const world = await createWorld({ prefix: 'refused' });
    await world.simulator.fault({ route: 'POST /commonserviceitem', ...refusal });
    let operator = await start(world);
    await world.apply(truck());
    await eventually(() => world.condition(...TRUCK, { type: 'Synced', status: 'False', reason }), PATIENCE);
    await atRest(world, TRUCK);
    await operator.stop();
    await world.annotate(...TRUCK, { 'edgeline.dev/paused': null });
    await world.simulator.clearFaults();
    const { id } = await world.simulator.add('sims', { iccid: ICCID, name: 'by hand' });
    operator = await start(world);
    const { status, metadata } = await eventually(() => world.ready(...TRUCK), PATIENCE);
    expect(status).toMatchObject({ id, ownership: 'Adopted' });
    expect(metadata.finalizers).toEqual(['edgeline.dev/adopt']);
    await world.delete(...TRUCK);
    await world.gone(...TRUCK);
    expect(Object.keys((await world.simulator.state()).sims)).toEqual([id]);
    await operator.stop();
    await world.stop();
  });
});
