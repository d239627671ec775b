import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../src/operator/start.ts';
import { eventually, kubectlOutput } from '../support/kubernetes.ts';
import { manifest } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, type World } from '../support/world.ts';

vi.setConfig({ maxConcurrency: 10 });

const NORTH = { id: '113300000101', name: 'north', zone: 'is1b' } as const;
const SOUTH = { id: '113300000102', name: 'south', zone: 'tk1a' } as const;
const TRUCK = { id: '113300000017', iccid: '8981040000000000017', name: 'truck-17', activated: true } as const;
const OTHER = { id: '113300000018', iccid: '8981040000000000018', name: 'by hand', activated: true } as const;
const SITE = { id: '113300000301', name: 'www', domain: 'www.example.jp' } as const;
const SIM = ['Sim', 'truck-17'] as const;
const ITEM = '/commonserviceitem/:id';
/** Seconds for which the service asks for silence. */
const SILENCE = 30;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const sim = (spec: object) => manifest('Sim', 'truck-17', { iccid: TRUCK.iccid, ...spec });

/** A world with two gateways, both described, and the SIM on the one in the north, described and in use. */
async function atWork(spec: object = {}): Promise<World> {
  const world = await createWorld({
    seed: {
      gateways: [NORTH, SOUTH],
      sims: [
        { ...TRUCK, gateway: 'north', ip: '10.0.0.1' },
        { ...OTHER, gateway: 'south', ip: '10.0.0.1' },
      ],
    },
  });
  for (const { name, zone, id } of [NORTH, SOUTH]) {
    await world.apply(manifest('MobileGateway', name, { zone, resourceID: id }));
    await world.ready('MobileGateway', name);
  }
  await world.apply(sim({ activated: true, gatewayRef: { name: 'north' }, ipAddress: '10.0.0.1', ...spec }));
  await world.ready(...SIM);
  return world;
}

/** The status once it says so, its conditions in short: `Ready=False Conflict`. */
function told(world: World, name: readonly [string, string], conditions: readonly string[]): Promise<object> {
  return eventually(async () => {
    const { status } = await world.get(...name);
    const { conditions: all, ...rest } = status ?? {};
    expect(all?.map(({ type, status: is, reason }) => `${type}=${is} ${reason}`)).toEqual(conditions);
    return rest;
  });
}

const troubled = (reason: string) => [`Ready=False ${reason}`, `Synced=False ${reason}`, `Reconciling=True ${reason}`];
const working = (reason: string) => ['Ready=True Available', `Synced=False ${reason}`, `Reconciling=True ${reason}`];

describe.concurrent('the status of what could be done by half only', () => {
  it('says of a SIM that has left its gateway, and does not get its address on the next, that it is offline', async () => {
    const world = await atWork();
    await world.simulator.fault({ route: `PUT ${ITEM}/sim/ip`, code: 409 });
    await world.apply(sim({ activated: true, gatewayRef: { name: 'south' }, ipAddress: '10.0.0.2' }));
    const status = await told(world, SIM, troubled('Conflict'));
    expect(status).toMatchObject({
      gatewayID: SOUTH.id,
      sessionStatus: 'DOWN',
      registered: true,
      applied: { gateway: { id: SOUTH.id, zone: SOUTH.zone } },
      pending: ['ipAddress'],
      drift: [{ field: 'ipAddress', desired: '10.0.0.2', observed: 'none' }],
    });
    expect(status).not.toHaveProperty('ip');
    expect(status).not.toHaveProperty('applied.ipAddress');
    const { message } = await world.condition(...SIM, { type: 'Ready', status: 'False', reason: 'Conflict' });
    expect(message).toContain('SIM 113300000017 has no IP address.');
    await world.simulator.clearFaults();
    const mended = await world.ready(...SIM);
    expect(mended.status).toMatchObject({ ip: '10.0.0.2', sessionStatus: 'UP', applied: { ipAddress: '10.0.0.2' } });
    expect(mended.status).not.toHaveProperty('pending');
    await world.stop();
  });

  it('says of a SIM whose address is taken on the next gateway that it stays in service', async () => {
    const world = await atWork();
    await world.apply(sim({ activated: true, gatewayRef: { name: 'south' }, ipAddress: '10.0.0.1' }));
    const status = await told(world, SIM, working('AddressTaken'));
    expect(status).toMatchObject({ gatewayID: NORTH.id, ip: '10.0.0.1', sessionStatus: 'UP' });
    await world.simulator.remove('sims', OTHER.id);
    const moved = await world.ready(...SIM);
    expect(moved.status).toMatchObject({ gatewayID: SOUTH.id, ip: '10.0.0.1', sessionStatus: 'UP' });
    await world.stop();
  });

  it('shows what went through before a step that the service can’t carry out just now', async () => {
    const world = await atWork({ carriers: [{ name: 'KDDI', allow: true }] });
    await world.simulator.fault({ route: `PUT ${ITEM}/sim/activate`, code: 503 });
    await world.simulator.patch({ sims: { [TRUCK.iccid]: { activated: false } } });
    await told(world, SIM, troubled('ServiceUnavailable'));
    const carriers = [
      { name: 'KDDI', allow: false },
      { name: 'SoftBank', allow: true },
    ];
    await world.apply(sim({ activated: true, gatewayRef: { name: 'north' }, ipAddress: '10.0.0.1', carriers }));
    await eventually(async () => {
      const { status } = await world.get(...SIM);
      expect(status).toMatchObject({
        activated: false,
        sessionStatus: 'DOWN',
        carriers: expect.arrayContaining(carriers.map((one) => expect.objectContaining(one))),
        applied: { carriers },
      });
    });
    await told(world, SIM, troubled('ServiceUnavailable'));
    await world.simulator.clearFaults();
    expect((await world.ready(...SIM)).status).toMatchObject({ activated: true, sessionStatus: 'UP' });
    await world.stop();
  });

  it('says of a SIM that could not be put on the next gateway that it is on none', async () => {
    const world = await atWork();
    await world.simulator.fault({ route: 'POST /appliance/:id/mobilegateway/sims', code: 500 });
    await world.apply(sim({ activated: true, gatewayRef: { name: 'south' }, ipAddress: '10.0.0.9' }));
    const status = await told(world, SIM, troubled('OutcomeUnknown'));
    expect(status).toMatchObject({ registered: false, sessionStatus: 'DOWN', pending: ['ipAddress', 'gateway'] });
    for (const gone of ['ip', 'gatewayID', 'applied.gateway', 'applied.ipAddress']) {
      expect(status).not.toHaveProperty(gone);
    }
    await world.simulator.clearFaults();
    expect((await world.ready(...SIM)).status).toMatchObject({ ip: '10.0.0.9', sessionStatus: 'UP' });
    await world.stop();
  });

  it('says of a site what it has by now', async () => {
    const world = await createWorld({ seed: { sites: [SITE] }, settings: { webAccelLimit: 100_000 } });
    const www = (spec: object) => manifest('WebAccelSite', 'www', { domain: SITE.domain, ...spec });
    await world.apply(www({ defaultCacheTTL: 60 }));
    await world.ready('WebAccelSite', 'www');
    await world.simulator.fault({ route: 'PUT webaccel/site/:id/acl', code: 400 });
    await world.apply(www({ defaultCacheTTL: 120, accessControl: ['deny 192.0.2.1', 'allow all'] }));
    const status = await told(
      world,
      ['WebAccelSite', 'www'],
      ['Ready=True Available', 'Synced=False Rejected', 'Stalled=True Rejected'],
    );
    expect(status).toMatchObject({ settings: { defaultCacheTTL: 120 }, applied: { defaultCacheTTL: 120 } });
    await world.stop();
  });

  it('says of a gateway being deleted that it was stopped', async () => {
    const world = await createWorld({ dialect: 'Extended', seed: { gateways: [NORTH] } });
    const spec = { zone: NORTH.zone, resourceID: NORTH.id, deletionPolicy: 'Delete' };
    await world.apply(manifest('MobileGateway', 'north', spec));
    await world.ready('MobileGateway', 'north');
    await world.simulator.fault({ route: 'DELETE /appliance/:id', code: 503 });
    await world.delete('MobileGateway', 'north');
    await eventually(async () => {
      const { status } = await world.get('MobileGateway', 'north');
      expect(status).toMatchObject({ instanceStatus: 'down' });
    });
    await told(world, ['MobileGateway', 'north'], troubled('ServiceUnavailable'));
    await world.stop();
  });

  it('says of a gateway that its new interface is not in effect', async () => {
    const world = await createWorld({ seed: { gateways: [NORTH] } });
    const spec = { zone: NORTH.zone, resourceID: NORTH.id };
    await world.apply(manifest('MobileGateway', 'north', spec));
    await world.ready('MobileGateway', 'north');
    const { settingsHash } = (await world.get('MobileGateway', 'north')).status ?? {};
    await world.simulator.fault({ route: 'PUT /appliance/:id/config', code: 503 });
    const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
    await world.apply(manifest('MobileGateway', 'north', { ...spec, privateInterface }));
    const status = await told(world, ['MobileGateway', 'north'], working('ServiceUnavailable'));
    expect(status).toMatchObject({ configPending: true, applied: { privateInterface } });
    expect(status).not.toMatchObject({ settingsHash });
    await world.stop();
  });
});

describe.concurrent('a resource that does its work', () => {
  it('stays Ready while a change waits for its turn, and whoever waits for the change is not misled', async () => {
    const world = await atWork();
    const { metadata } = await world.get(...SIM);
    await world.simulator.fault({ route: 'GET /commonserviceitem', code: 429, retryAfter: SILENCE, count: 1 });
    await eventually(async () => expect((await world.simulator.faults())[0]?.fired).toBe(1));
    await world.apply(sim({ activated: true, gatewayRef: { name: 'north' }, ipAddress: '10.0.0.2' }));
    const status = await told(world, SIM, working('Queued'));
    expect(status).toMatchObject({ ip: '10.0.0.1', sessionStatus: 'UP', applied: { ipAddress: '10.0.0.1' } });
    const after = await world.get(...SIM);
    const generations = after.status?.conditions?.map(({ type, observedGeneration }) => [type, observedGeneration]);
    const [before = 0, now = 0] = [metadata.generation, after.metadata.generation];
    expect(now).toBeGreaterThan(before);
    expect(generations).toEqual([
      ['Ready', before],
      ['Synced', now],
      ['Reconciling', now],
    ]);
    // Of the conditions the worst is the one that kubectl names.
    const table = await kubectlOutput(['get', 'sim', '-n', world.namespace, '-o', 'wide', '--no-headers']);
    expect(table.split(/\s+/)).toEqual(expect.arrayContaining(['True', 'False', 'Queued']));
    await world.stop();
  });
});
