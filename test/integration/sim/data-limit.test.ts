import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;
const ACTIVATE = 'PUT /commonserviceitem/:id/sim/activate';
const DEACTIVATE = 'PUT /commonserviceitem/:id/sim/deactivate';
const MEGABYTE = 1_000_000;
const DAY_MILLISECONDS = 86_400_000;
const active = { seed: { sims: [{ iccid: ICCID, name: 'old', activated: true }] } };
const inactive = { seed: { sims: [{ iccid: ICCID, name: 'old' }] } };
const stop = { monthly: '1M', action: 'Deactivate' };
const exceeded = { type: 'WithinDataLimit', status: 'False', reason: 'DataLimitExceeded' } as const;
const within = { type: 'WithinDataLimit', status: 'True', reason: 'WithinDataLimit' } as const;
const stopped = { type: 'Ready', status: 'False', reason: 'DataLimitExceeded' } as const;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(spec: object, annotations?: Record<string, string>): object {
  const metadata = { name: 'truck-17', ...(annotations && { annotations }) };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid: ICCID, ...spec } };
}

/** What went through the SIM this month, as the service shows it from now on. */
const count = (world: World, bytes: number) =>
  world.simulator.patch({ sims: { [ICCID]: { traffic: { uplinkBytes: bytes, downlinkBytes: 0 } } } });

const isActive = async (world: World) =>
  Object.values((await world.simulator.state()).sims).find((one) => one?.['iccid'] === ICCID)?.['activated'];

/** The status without what depends on the moment. */
async function shown(world: World): Promise<object> {
  const { status = {} } = await world.get(...SIM);
  const { applied, dataLimit, drift, found, pending } = status;
  const conditions = status.conditions?.map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  return { applied, dataLimit, drift, found, pending, conditions };
}

describe.concurrent('a SIM over its data limit', () => {
  it('is deactivated, says since when, and is no drift; it comes back when the limit is raised', async () => {
    const world = await createWorld(active);
    await world.apply(sim({ activated: true, dataLimit: stop }));
    await world.ready(...SIM);
    await world.condition(...SIM, within);
    await count(world, MEGABYTE + 1);
    const { message } = await world.condition(...SIM, stopped);
    expect(message).toMatch(
      /^More than 1M went through the SIM in \d{4}-\d\d: 1000001 bytes when that was seen first, at \S+Z\. So it is not active\./,
    );
    expect(await isActive(world)).toBe(false);
    await world.settle();
    expect(await shown(world)).toEqual({
      applied: { activated: true, dataLimit: 'Deactivated' },
      dataLimit: { month: expect.stringMatching(/^\d{4}-\d\d$/), exceededAt: expect.any(String), bytes: MEGABYTE + 1 },
      found: ['activated'],
      conditions: ['Ready=False DataLimitExceeded', 'Synced=True Available', 'WithinDataLimit=False DataLimitExceeded'],
    });
    expect(await world.writes()).toEqual([DEACTIVATE]);
    await eventually(async () => {
      const reasons = (await world.events('truck-17')).map(({ reason }) => reason);
      expect(reasons).toEqual(expect.arrayContaining(['DataLimitExceeded', 'Updated']));
      expect(reasons).not.toContain('DriftCorrected');
    });

    await world.patch(...SIM, { spec: { dataLimit: { monthly: '2M' } } });
    await world.ready(...SIM);
    await world.condition(...SIM, within);
    expect(await shown(world)).toMatchObject({ applied: { activated: true }, found: ['activated'] });
    expect(await world.writes()).toEqual([DEACTIVATE, ACTIVATE]);
    await world.stop();
  });

  it.each([
    ['raised', { monthly: '1G', action: 'Deactivate' }],
    ['only to warn', { monthly: '1M', action: 'Warn' }],
    ['gone', null],
  ])('that the spec does not want active otherwise is as it was before once its limit is %s', async (_, dataLimit) => {
    const world = await createWorld(active);
    await world.apply(sim({ dataLimit: stop }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, stopped);
    expect(await isActive(world)).toBe(false);
    expect((await world.get(...SIM)).status).toMatchObject({ applied: { dataLimit: 'Deactivated' } });
    await world.patch(...SIM, { spec: { dataLimit } });
    await world.ready(...SIM);
    await eventually(async () => expect(await isActive(world)).toBe(true));
    await eventually(async () => expect((await world.get(...SIM)).status).not.toHaveProperty('applied'));
    expect(await world.writes()).toEqual([DEACTIVATE, ACTIVATE]);
    await world.stop();
  });

  it('that was not active stays so, and is not activated afterwards', async () => {
    const world = await createWorld(inactive);
    await world.apply(sim({ dataLimit: stop }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, exceeded);
    await world.patch(...SIM, { spec: { dataLimit: null } });
    await world.ready(...SIM);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    expect((await world.get(...SIM)).status).not.toHaveProperty('dataLimit');
    await world.stop();
  });

  it('that somebody deletes and registers anew counts from nothing', async () => {
    const world = await createWorld(active);
    await world.apply(sim({ activated: true, dataLimit: stop }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, stopped);
    await world.simulator.remove('sims', ICCID);
    const { id } = await world.simulator.add('sims', { iccid: ICCID, name: 'new', activated: true });
    await eventually(async () => expect((await world.get(...SIM)).status).toMatchObject({ id }));
    await world.ready(...SIM);
    await world.condition(...SIM, within);
    await world.settle();
    expect((await world.get(...SIM)).status).not.toHaveProperty('dataLimit');
    expect(await world.writes()).toEqual([DEACTIVATE]);
    await world.stop();
  });

  it('stays inactive if activated has left the spec meanwhile, which this resource had written', async () => {
    const world = await createWorld(inactive);
    await world.apply(sim({ activated: true, dataLimit: stop }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, stopped);
    await world.patch(...SIM, { spec: { activated: null } });
    await eventually(async () => expect((await world.get(...SIM)).status).not.toHaveProperty('applied'));
    const { message } = await world.condition(...SIM, exceeded);
    expect(message).toMatch(/\. That changes nothing: the spec does not ask for an active SIM\.$/);
    await world.patch(...SIM, { spec: { dataLimit: null } });
    await world.ready(...SIM);
    await world.settle();
    expect(await isActive(world)).toBe(false);
    expect(await world.writes()).toEqual([ACTIVATE, DEACTIVATE]);
    await world.stop();
  });

  it('is deactivated again, as drift, if somebody activates it', async () => {
    const world = await createWorld(active);
    await world.apply(sim({ activated: true, dataLimit: stop }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, stopped);
    await world.simulator.patch({ sims: { [ICCID]: { activated: true } } });
    await eventually(async () => expect(await world.writes()).toEqual([DEACTIVATE, DEACTIVATE]));
    await eventually(async () =>
      expect((await world.events('truck-17')).map(({ reason }) => reason)).toContain('DriftCorrected'),
    );
    await world.stop();
  });

  it.each([
    ['whose action is Warn', { dataLimit: { monthly: '1M', action: 'Warn' } }],
    ['that is observed', { dataLimit: stop, managementPolicy: 'Observe' }],
  ])('%s is told of, and left as it is', async (_, spec) => {
    const world = await createWorld(active);
    await world.apply(sim({ activated: true, ...spec }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, exceeded);
    await world.ready(...SIM);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('whose account or policy asks for approval waits for it, as with any write', async () => {
    const world = await createWorld(active);
    await world.apply(sim({ activated: true, dataLimit: stop, managementPolicy: 'ApproveChanges' }));
    await world.ready(...SIM);
    await count(world, 2 * MEGABYTE);
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'ApprovalPending' });
    const { message } = await world.condition(...SIM, exceeded);
    expect(message).toMatch(/\. It is still active, and is to be deactivated; Synced says what that waits for\.$/);
    expect(await world.writes()).toEqual([]);
    const { status } = await world.get(...SIM);
    expect(status?.['plan']).toMatchObject({
      calls: [{ step: 'deactivate', fields: [{ field: 'activated', before: 'true', after: 'false' }] }],
    });
    const hash = Object(status?.['plan']).hash;
    await world.annotate(...SIM, { 'edgeline.dev/approve': hash });
    await world.condition(...SIM, stopped);
    expect(await world.writes()).toEqual([DEACTIVATE]);
    await world.stop();
  });

  it('that is paused is left alone until it no longer is', async () => {
    const world = await createWorld(active);
    await world.apply(sim({ activated: true, dataLimit: stop }));
    await world.ready(...SIM);
    await world.annotate(...SIM, { 'edgeline.dev/paused': 'true' });
    await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'Paused' });
    await count(world, 2 * MEGABYTE);
    await world.settle();
    expect(await world.writes()).toEqual([]);
    await world.condition(...SIM, within);
    await world.annotate(...SIM, { 'edgeline.dev/paused': null });
    await world.condition(...SIM, stopped);
    await world.stop();
  });
});

describe('the month', () => {
  it('brings a SIM back when the service counts from nothing again, and no list that shows too little before', async () => {
    await operator.stop();
    let days = 0;
    // The sixth of a month, so that neither end of it is near.
    const sixth = new Date(Date.now());
    sixth.setUTCDate(6);
    const ahead = sixth.getTime() - Date.now();
    const clock = { ...systemClock, now: () => systemClock.now() + ahead + days * DAY_MILLISECONDS };
    const moved = await startTestOperator({ clock });
    const world = await createWorld(active);
    const advance = async (by: number) => {
      // The service first: a list of the month before, read in the next one, would say that this is over the limit, too.
      await world.simulator.advance(by * 86_400);
      days += by;
    };
    try {
      await world.simulator.advance(ahead / 1000);
      await world.apply(sim({ dataLimit: stop }));
      await world.ready(...SIM);
      await count(world, 2 * MEGABYTE);
      await world.condition(...SIM, stopped);
      await count(world, 0);
      await world.settle();
      expect(await world.writes()).toEqual([DEACTIVATE]);
      await count(world, 2 * MEGABYTE);
      await advance(31);
      await eventually(async () => expect(await isActive(world)).toBe(true));
      await world.ready(...SIM);
      await world.condition(...SIM, within);
      await eventually(async () => expect((await world.get(...SIM)).status).not.toHaveProperty('applied'));
      expect(await world.writes()).toEqual([DEACTIVATE, ACTIVATE]);
    } finally {
      await world.stop();
      await moved.stop();
      operator = await startTestOperator();
    }
  });
});
