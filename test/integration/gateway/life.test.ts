import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';
import {
  adopted,
  config,
  DEPOT,
  expectGatewayWrites,
  GATEWAY,
  GATEWAY_ID,
  gateway,
  gatewayWorld,
  ICCID,
  PATIENCE,
  putDNS,
  putMonitoring,
  putRoutes,
  putSettings,
  SIM_ID,
  seededGateway,
  settleGateways,
  sim,
  stored,
  TRUCK,
} from './support.ts';

vi.setConfig({ maxConcurrency: 6 });

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const create = (Name: string) =>
  `POST /appliance ${JSON.stringify({
    Appliance: {
      Name,
      Class: 'mobilegateway',
      Plan: { ID: 2 },
      Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
    },
  })}`;
const boot = `PUT ${GATEWAY}/power`;
const stop = `DELETE ${GATEWAY}/power {}`;
const remove = `DELETE ${GATEWAY}`;
const unregister = `DELETE ${GATEWAY}/mobilegateway/sims/:id`;
const clearIP = 'DELETE /commonserviceitem/:id/sim/ip';
const wired = { internet: true, interface: ['10.0.0.1', 24] as const };
const whole = {
  planID: 2,
  displayName: 'Depot (north)',
  internetConnection: true,
  interDeviceCommunication: false,
  privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
  staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.254' }],
  dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
  trafficMonitoring: { quotaMB: 500, email: true },
};
const chatOf = { Documented: 'chat_config', Extended: 'slack_config' } as const;

describe.concurrent('a gateway that is new', () => {
  it.each(['Documented', 'Extended'] as const)(
    'is created and brought to its spec in the order the service accepts, and removed again (%s)',
    async (dialect) => {
      // Long enough to be seen, however busy the machine is.
      const world = await createWorld({ prefix: 'gateway', dialect, settings: { migratingTime: 4000 } });
      await world.apply(gateway(whole));
      await world.condition(...DEPOT, { type: 'Reconciling', status: 'True', reason: 'Migrating' });
      await eventually(() => world.ready(...DEPOT), PATIENCE);
      const extended = dialect === 'Extended';
      await expectGatewayWrites(world, [
        create('Depot (north)'),
        putSettings(wired),
        config,
        putMonitoring({
          traffic_quota_in_mb: 500,
          auto_traffic_shaping: false,
          email_config: { enabled: true },
          [chatOf[dialect]]: { enabled: false },
        }),
        putDNS('8.8.8.8', '8.8.4.4'),
        putSettings({ ...wired, routes: [['192.168.10.0/24', '10.0.0.254']] }),
        config,
        ...(extended ? [boot] : []),
      ]);
      const { status } = await world.ready(...DEPOT);
      expect(status).toMatchObject({
        ownership: 'Created',
        availability: 'available',
        applied: { internetConnection: true, dns: whole.dns, staticRoutes: whole.staticRoutes },
      });
      for (const mark of ['creation', 'configPending', 'pending']) expect(status).not.toHaveProperty(mark);

      await world.forget();
      await world.delete(...DEPOT);
      await world.gone(...DEPOT);
      expect(await world.writes()).toEqual(extended ? [stop, remove] : [remove]);
      expect(await stored(world)).toEqual([]);
      await world.stop();
    },
  );

  it('is made once although the service does not show it for a while', async () => {
    const world = await createWorld({ prefix: 'gateway', settings: { notFoundAfterCreate: 8, migratingTime: 500 } });
    await world.apply(gateway({ planID: 2 }));
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    await expectGatewayWrites(world, [create('depot')]);
    expect(await stored(world)).toHaveLength(1);
    await world.stop();
  });

  it('waits for its plan', async () => {
    const world = await createWorld({ prefix: 'gateway' });
    await world.apply(gateway({}));
    await world.condition(...DEPOT, { type: 'Stalled', status: 'True', reason: 'PlanRequired' });
    expect(await world.writes()).toEqual([]);
    await world.apply(gateway({ planID: 2 }));
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    await world.stop();
  });

  it('that fails is told for good, and can be deleted', async () => {
    const world = await createWorld({ prefix: 'gateway' });
    await world.apply(gateway({ ...whole, displayName: 'simulate-failed' }));
    const { message } = await eventually(
      () => world.condition(...DEPOT, { type: 'Stalled', status: 'True', reason: 'CreationFailed' }),
      PATIENCE,
    );
    expect(message).toContain('Delete this resource');
    await expectGatewayWrites(world, [create('simulate-failed')]);
    await world.forget();
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    expect(await world.writes()).toEqual([remove]);
    expect(await stored(world)).toEqual([]);
    await world.stop();
  });

  it('is made anew, and started, when it vanishes (Extended)', async () => {
    const world = await createWorld({ prefix: 'gateway', dialect: 'Extended' });
    await world.apply(gateway({ planID: 2, internetConnection: true }));
    const { status } = await eventually(() => world.ready(...DEPOT), PATIENCE);
    await world.forget();
    await world.simulator.remove('gateways', String(status?.['id']));
    await expectGatewayWrites(world, [create('depot'), putSettings({ internet: true }), config, boot]);
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    expect(await stored(world)).toMatchObject([{ instanceStatus: 'up', applied: { internetConnection: true } }]);
    await world.stop();
  });

  it('stays as somebody stopped it, also when it was made before the operator could start gateways', async () => {
    const world = await createWorld({ prefix: 'gateway' });
    await world.apply(gateway({ planID: 2 }));
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    await world.forget();
    await world.patch('CloudAccount', 'default', { spec: { dialect: 'Extended' } });
    await world.annotate(...DEPOT, { 'edgeline.dev/reconcile-at': 'now' });
    await expectGatewayWrites(world, []);
    expect(await stored(world)).toMatchObject([{ instanceStatus: 'down' }]);
    await world.stop();
  });

  it('ends with its settings applied although the answer to the second ones gets lost', async () => {
    const world = await createWorld({ prefix: 'gateway' });
    await world.apply(gateway({ planID: 2 }));
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    const { privateInterface, staticRoutes } = whole;
    await world.forget();
    // The interface's settings have been applied when it happens, so nothing at the service tells that these are not.
    await world.simulator.fault({ route: 'PUT /appliance/:id', cut: true, when: 'after', skip: 1, count: 8 });
    await world.apply(gateway({ planID: 2, privateInterface, staticRoutes }));
    await eventually(async () => expect((await world.writes()).at(-1)).toBe(config), PATIENCE);
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    const [one] = await stored(world);
    expect(one?.['applied']).toMatchObject({ privateInterface, staticRoutes });
    expect(one?.['pending']).toEqual(one?.['applied']);
    await world.stop();
  });
});

describe.concurrent('taking over', () => {
  it('a gateway with a minimal manifest writes nothing, and leaves it as it is when it goes', async () => {
    const world = await gatewayWorld({
      seed: {
        gateways: [
          {
            ...seededGateway,
            internetConnection: true,
            privateInterface: whole.privateInterface,
            staticRoutes: whole.staticRoutes,
            dns: whole.dns,
            simRoutes: [{ sim: ICCID, prefix: '192.168.20.0/24' }],
            trafficMonitoring: { quotaMB: 100, chatURL: 'https://chat.example/1' },
          },
        ],
        sims: [{ id: SIM_ID, iccid: ICCID, name: 'truck', gateway: seededGateway.name, ip: '10.0.0.17' }],
      },
    });
    const before = await stored(world);
    await world.apply(adopted({}));
    const { status } = await world.ready(...DEPOT);
    expect(status).toMatchObject({ id: GATEWAY_ID, ownership: 'Adopted', sims: { registered: 1 } });
    expect(status).not.toHaveProperty('applied');
    await settleGateways(world);
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    expect(await world.writes()).toEqual([]);
    expect(await stored(world)).toEqual(before);
    await world.stop();
  });

  it('Observe writes nothing and shows the drift', async () => {
    const world = await gatewayWorld();
    const { displayName: _name, ...spec } = whole;
    await world.apply(adopted({ ...spec, managementPolicy: 'Observe' }));
    await world.condition(...DEPOT, { type: 'Synced', status: 'False', reason: 'DriftObserved' });
    const { status } = await world.get(...DEPOT);
    expect(status?.['drift']).toEqual([
      { field: 'internetConnection', desired: 'on', observed: 'off' },
      { field: 'privateInterface', desired: '10.0.0.1/24', observed: 'none' },
      { field: 'staticRoutes', desired: '192.168.10.0/24 via 10.0.0.254', observed: 'none' },
      { field: 'trafficMonitoring', desired: '500 MB, not slowed down, telling email', observed: 'none' },
      { field: 'dns', desired: '8.8.8.8, 8.8.4.4', observed: 'none' },
    ]);
    await settleGateways(world);
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });

  it('a resource restored without its status is not made a second time: it asks which gateway it had', async () => {
    const world = await gatewayWorld();
    const restored = (displayName: string, name: string) => ({
      ...gateway({ planID: 2, displayName }),
      metadata: { name, finalizers: ['edgeline.dev/create'] },
    });
    await world.apply(restored(seededGateway.name, 'depot'));
    await world.apply(restored('not made yet', 'other'));
    const { message } = await world.condition('MobileGateway', 'depot', {
      type: 'Stalled',
      status: 'True',
      reason: 'CreationAmbiguous',
    });
    expect(message).toContain(`The zone has one of its name, "${seededGateway.name}": ${GATEWAY_ID}.`);
    await world.ready('MobileGateway', 'other');
    expect(await world.writes()).toEqual([create('not made yet')]);
    await world.patch('MobileGateway', 'depot', { spec: { resourceID: GATEWAY_ID } });
    expect((await world.ready('MobileGateway', 'depot')).status).toMatchObject({
      id: GATEWAY_ID,
      ownership: 'Adopted',
    });
    expect(await world.writes()).toEqual([create('not made yet')]);
    await world.stop();
  });

  it('by resourceID waits for a gateway that is not there, and goes on when it comes', async () => {
    const world = await createWorld({ prefix: 'gateway' });
    await world.apply(adopted({}));
    await world.condition(...DEPOT, { type: 'Stalled', status: 'True', reason: 'ResourceIDNotFound' });
    await world.simulator.add('gateways', seededGateway);
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    expect(await world.writes()).toEqual([]);
    await world.stop();
  });
});

describe.concurrent('deleting', () => {
  it('waits for SIMs that no Sim takes off the gateway, and when asked clears the routes and takes them off', async () => {
    const world = await gatewayWorld({
      seed: {
        gateways: [
          {
            ...seededGateway,
            internetConnection: true,
            simRoutes: [{ sim: ICCID, prefix: '192.168.20.0/24' }],
          },
        ],
        sims: [{ id: SIM_ID, iccid: ICCID, name: 'of somebody', gateway: seededGateway.name, ip: '10.0.0.17' }],
      },
    });
    await world.apply(adopted({ deletionPolicy: 'Delete' }));
    await world.ready(...DEPOT);
    // A Sim that was taken over goes without its SIM, which nobody wants offline.
    await world.apply(sim({}));
    await world.ready(...TRUCK);
    await world.delete(...TRUCK);
    await world.delete(...DEPOT);
    const { message } = await world.condition(...DEPOT, {
      type: 'Reconciling',
      status: 'True',
      reason: 'SimsStillRegistered',
    });
    expect(message).toBe(
      `The gateway is deleted when no SIM is registered with it any more: these would be taken offline, and no Sim resource takes them off it: ${SIM_ID} (ICCID ${ICCID}). Register them elsewhere, or annotate this resource with edgeline.dev/release-sims: "true" to have them taken off.`,
    );
    await settleGateways(world);
    expect(await world.writes()).toEqual([]);
    await world.annotate(...DEPOT, { 'edgeline.dev/release-sims': 'true' });
    await world.gone(...DEPOT);
    expect(await world.writes()).toEqual([putRoutes(), clearIP, unregister, remove]);
    const { sims } = await world.simulator.state();
    expect(sims[SIM_ID]).toMatchObject({ gatewayID: null, ip: null });
    await world.stop();
  });

  it('waits for the Sims that name the gateway, and goes on when they have left', async () => {
    // Registered by the operator: what was registered before it was taken over stays so without its gatewayRef.
    const sims = [{ id: SIM_ID, iccid: ICCID, name: 'truck' }];
    const world = await gatewayWorld({ seed: { gateways: [seededGateway], sims } });
    await world.apply(adopted({ deletionPolicy: 'Delete' }));
    await world.ready(...DEPOT);
    await world.apply(sim({ gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.17' }));
    await world.ready(...TRUCK);
    await world.forget();
    await world.delete(...DEPOT);
    const { message } = await world.condition(...DEPOT, {
      type: 'Reconciling',
      status: 'True',
      reason: 'SimsStillRegistered',
    });
    expect(message).toContain(`${world.namespace}/truck-17`);
    await settleGateways(world);
    expect(await world.writes()).toEqual([]);
    await world.apply(sim({}));
    await world.gone(...DEPOT);
    expect(await world.writes()).toEqual([clearIP, unregister, remove]);
    await world.stop();
  });

  it('with deletionPolicy Orphan leaves what was created', async () => {
    const world = await createWorld({ prefix: 'gateway' });
    await world.apply(gateway({ planID: 2, deletionPolicy: 'Orphan' }));
    await eventually(() => world.ready(...DEPOT), PATIENCE);
    await world.forget();
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    expect(await world.writes()).toEqual([]);
    expect(await stored(world)).toMatchObject([{ name: 'depot' }]);
    await world.stop();
  });

  it('a gateway that is still being made', async () => {
    const world = await createWorld({ prefix: 'gateway', settings: { migratingTime: 3_600_000 } });
    await world.apply(gateway(whole));
    await world.condition(...DEPOT, { type: 'Reconciling', status: 'True', reason: 'Migrating' });
    await world.delete(...DEPOT);
    await world.gone(...DEPOT);
    expect(await stored(world)).toEqual([]);
    await world.stop();
  });
});
