import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { secretDigest } from '../../../src/simulator/redact.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import {
  adopted,
  config,
  DEPOT,
  deleteMonitoring,
  expectGatewayWrites,
  GATEWAY_ID,
  gatewayWorld,
  lookAgain,
  putDNS,
  putMonitoring,
  putRoutes,
  putSettings,
  SIM_ID,
  sim,
  TRUCK,
} from './support.ts';

vi.setConfig({ maxConcurrency: 6 });

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const off = {
  internetConnection: false,
  interDeviceCommunication: false,
  privateInterface: null,
  staticRoutes: [],
};
/** Somebody sends settings and applies them. */
const settings = (given: object) => ({ settings: { ...off, ...given }, applied: { ...off, ...given } });
const applied = (given: Parameters<typeof putSettings>[0]) => [putSettings(given), config];

interface Life {
  readonly field: string;
  readonly set: readonly [object, readonly string[]];
  readonly change: readonly [object, readonly string[]];
  /** What somebody does behind the operator's back, and the calls that put it right. */
  readonly drift?: readonly [object, readonly string[]];
  readonly remove: readonly string[];
}

const inner = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
const wider = { ipAddress: '10.0.0.1', networkMaskLength: 16 };
const north = { prefix: '192.168.10.0/24', nextHop: '10.0.0.254' };
const south = { prefix: '192.168.11.0/24', nextHop: '10.0.0.253' };
const wired = { internet: false, interface: ['10.0.0.1', 24] as const };
const toNorth = [north.prefix, north.nextHop] as const;
const toSouth = [south.prefix, south.nextHop] as const;

const sent: readonly Life[] = [
  {
    field: 'internetConnection',
    set: [{ internetConnection: true }, applied({ internet: true })],
    change: [{ internetConnection: false }, applied({})],
    drift: [settings({ internetConnection: true }), applied({})],
    remove: [],
  },
  {
    field: 'internetConnection, on at last',
    set: [{ internetConnection: true }, applied({ internet: true })],
    change: [{ internetConnection: true, interDeviceCommunication: true }, applied({ internet: true, devices: true })],
    drift: [settings({ interDeviceCommunication: true }), applied({ internet: true, devices: true })],
    remove: applied({}),
  },
  {
    field: 'privateInterface',
    set: [{ privateInterface: inner }, applied(wired)],
    change: [{ privateInterface: wider }, applied({ interface: ['10.0.0.1', 16] })],
    drift: [settings({ privateInterface: inner }), applied({ interface: ['10.0.0.1', 16] })],
    remove: applied({}),
  },
  {
    field: 'privateInterface, which takes static routes of others with it',
    set: [{ privateInterface: inner }, applied(wired)],
    change: [{ privateInterface: wider }, applied({ interface: ['10.0.0.1', 16] })],
    drift: [settings({ privateInterface: wider, staticRoutes: [north] }), []],
    remove: applied({}),
  },
  {
    field: 'staticRoutes, whose interface takes effect first',
    set: [
      { privateInterface: inner, staticRoutes: [north] },
      [...applied(wired), ...applied({ ...wired, routes: [toNorth] })],
    ],
    change: [
      { privateInterface: inner, staticRoutes: [south, north] },
      applied({ ...wired, routes: [toSouth, toNorth] }),
    ],
    drift: [
      settings({ privateInterface: inner, staticRoutes: [north] }),
      applied({ ...wired, routes: [toSouth, toNorth] }),
    ],
    remove: applied({}),
  },
  {
    field: 'staticRoutes, whose order means nothing',
    set: [
      { privateInterface: inner, staticRoutes: [north, south] },
      [...applied(wired), ...applied({ ...wired, routes: [toNorth, toSouth] })],
    ],
    change: [{ privateInterface: inner, staticRoutes: [south, north] }, []],
    drift: [settings({ privateInterface: inner, staticRoutes: [south, north] }), []],
    remove: applied({}),
  },
];

const resolvers = { dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } };
const others = { dns: { primary: '1.1.1.1', secondary: '1.0.0.1' } };

async function live(world: World, { set, change, drift, remove }: Life): Promise<void> {
  await world.apply(adopted({}));
  await world.ready(...DEPOT);
  await expectGatewayWrites(world, []);
  for (const [spec, calls] of [set, change]) {
    await world.forget();
    await world.apply(adopted(spec));
    await expectGatewayWrites(world, calls);
  }
  if (drift) {
    await world.ready(...DEPOT);
    await world.forget();
    await world.simulator.patch({ gateways: { [GATEWAY_ID]: drift[0] } });
    await lookAgain(world, ...DEPOT);
    await expectGatewayWrites(world, drift[1]);
  }
  await world.ready(...DEPOT);
  await world.forget();
  await world.apply(adopted({}));
  await expectGatewayWrites(world, remove);
}

/** What the resource knows of its own work, and whether it is in sync. */
async function recordOf(world: World): Promise<object> {
  const { status } = await world.get(...DEPOT);
  const { ownership, applied, pending, configPending, drift, conditions } = status ?? {};
  const reasons = conditions?.map(({ type, reason }) => `${type}: ${reason}`);
  return { ownership, applied, pending, configPending, drift, reasons };
}

const record = (given?: object, synced = 'Available') => ({
  ownership: 'Adopted',
  applied: given,
  reasons: ['Ready: Available', `Synced: ${synced}`],
});

describe.concurrent('a field of a gateway that was taken over', () => {
  it.each(sent)('$field is set, changed, put right and un-set', async (life) => {
    const world = await gatewayWorld();
    await live(world, life);
    await world.ready(...DEPOT);
    expect(await recordOf(world)).toEqual(record());
    await world.stop();
  });

  it.each(['Documented', 'Extended'] as const)(
    'trafficMonitoring is set, changed, put right and un-set (%s)',
    async (dialect) => {
      const world = await gatewayWorld({ dialect });
      const chat = dialect === 'Extended' ? 'slack_config' : 'chat_config';
      const full = { quotaMB: 500, autoTrafficShaping: true, bandwidthLimitKbps: 64, email: true };
      const plain = putMonitoring({
        traffic_quota_in_mb: 600,
        auto_traffic_shaping: false,
        email_config: { enabled: false },
        [chat]: { enabled: false },
      });
      await live(world, {
        field: 'trafficMonitoring',
        set: [
          { trafficMonitoring: full },
          [
            putMonitoring({
              traffic_quota_in_mb: 500,
              auto_traffic_shaping: true,
              bandwidth_limit_in_kbps: 64,
              email_config: { enabled: true },
              [chat]: { enabled: false },
            }),
          ],
        ],
        change: [{ trafficMonitoring: { quotaMB: 600 } }, [plain]],
        drift: [{ trafficMonitoring: { quotaMB: 600, chat: true, chatURL: 'https://chat.example/1' } }, [plain]],
        remove: [deleteMonitoring],
      });
      await world.ready(...DEPOT);
      expect(await recordOf(world)).toEqual(record());
      await world.stop();
    },
  );

  it('dns is set, changed and stays, for the service has no way to remove it (Documented)', async () => {
    const world = await gatewayWorld();
    await live(world, {
      field: 'dns',
      set: [resolvers, [putDNS('8.8.8.8', '8.8.4.4')]],
      change: [others, [putDNS('1.1.1.1', '1.0.0.1')]],
      remove: [],
    });
    await world.condition(...DEPOT, { type: 'Synced', status: 'False', reason: 'DNSNotRemovable' });
    expect(await recordOf(world)).toEqual(record(others, 'DNSNotRemovable'));
    await world.stop();
  });

  it('dns is put right where the service shows it (Extended)', async () => {
    const world = await gatewayWorld({ dialect: 'Extended' });
    await live(world, {
      field: 'dns',
      set: [resolvers, [putDNS('8.8.8.8', '8.8.4.4')]],
      change: [others, [putDNS('1.1.1.1', '1.0.0.1')]],
      drift: [resolvers, [putDNS('1.1.1.1', '1.0.0.1')]],
      remove: [],
    });
    await world.condition(...DEPOT, { type: 'Synced', status: 'False', reason: 'DNSNotRemovable' });
    expect(await recordOf(world)).toEqual(record(others, 'DNSNotRemovable'));
    await world.stop();
  });
});

describe.concurrent('routes to networks behind SIMs', () => {
  const route = { prefix: '192.168.20.0/24', simRef: { name: 'truck-17' } };
  const other = { prefix: '192.168.21.0/24', simRef: { name: 'truck-17' } };
  const wire = (prefix: string) => ({ resource_id: SIM_ID, prefix });

  /** The gateway and its Sim, both taken over. */
  async function withSim(): Promise<World> {
    const world = await gatewayWorld();
    await world.apply(adopted({}));
    await world.ready(...DEPOT);
    await world.apply(sim({ gatewayRef: { name: 'depot' } }));
    await world.ready(...TRUCK);
    return world;
  }

  it('are set after a first config, changed, put right and un-set', async () => {
    const world = await withSim();
    await live(world, {
      field: 'simRoutes',
      set: [{ simRoutes: [route] }, [config, putRoutes(wire(route.prefix))]],
      change: [{ simRoutes: [route, other] }, [putRoutes(wire(route.prefix), wire(other.prefix))]],
      drift: [
        { simRoutes: [{ simID: SIM_ID, prefix: '192.168.99.0/24' }] },
        [putRoutes(wire(route.prefix), wire(other.prefix))],
      ],
      remove: [putRoutes()],
    });
    await world.ready(...DEPOT);
    expect(await recordOf(world)).toEqual(record());
    await world.stop();
  });

  it('go when the spec gives their prefix to another Sim, although that one is not there yet', async () => {
    const world = await withSim();
    await world.apply(adopted({ simRoutes: [route, other] }));
    await expectGatewayWrites(world, [config, putRoutes(wire(route.prefix), wire(other.prefix))]);
    await world.ready(...DEPOT);
    await world.forget();
    await world.simulator.add('sims', { iccid: '8981040000000000018', name: 'truck 18' });
    await world.apply(sim({}, 'truck-18', '8981040000000000018'));
    await world.ready('Sim', 'truck-18');
    await world.apply(adopted({ simRoutes: [route, { ...other, simRef: { name: 'truck-18' } }] }));
    await expectGatewayWrites(world, [putRoutes(wire(route.prefix))]);
    const { message } = await world.condition(...DEPOT, {
      type: 'Reconciling',
      status: 'True',
      reason: 'RouteWaitsForSim',
    });
    expect(message).toBe(
      `The route to ${other.prefix} waits until the Sim truck-18 is registered with this gateway, which its gatewayRef does not name.`,
    );
    await world.stop();
  });

  it('are not sent again when something else changes', async () => {
    const world = await withSim();
    await world.apply(adopted({ simRoutes: [route] }));
    await expectGatewayWrites(world, [config, putRoutes(wire(route.prefix))]);
    await world.forget();
    await world.apply(adopted({ simRoutes: [route], internetConnection: true, ...resolvers }));
    await expectGatewayWrites(world, [...applied({ internet: true }), putDNS('8.8.8.8', '8.8.4.4')]);
    await world.ready(...DEPOT);
    const simRoutes = [wire(route.prefix)].map(({ resource_id: resourceID, prefix }) => ({ resourceID, prefix }));
    expect(await recordOf(world)).toEqual(record({ internetConnection: true, ...resolvers, simRoutes }));
    await world.stop();
  });
});

describe.concurrent('the webhook of traffic monitoring', () => {
  const url = 'https://chat.example/hook/1';
  const next = 'https://chat.example/hook/2';
  const spec = { trafficMonitoring: { quotaMB: 500, chatWebhookSecretRef: { name: 'chat', key: 'url' } } };
  const telling = (webhook: string) =>
    putMonitoring({
      traffic_quota_in_mb: 500,
      auto_traffic_shaping: false,
      email_config: { enabled: false },
      chat_config: { enabled: true, chat_url: secretDigest(webhook) },
    });

  it('is sent, sent again when its Secret changes, and put right when somebody changes it', async () => {
    const world = await gatewayWorld();
    await world.apply(secret('chat', { url }));
    await world.apply(adopted(spec));
    await expectGatewayWrites(world, [telling(url)]);
    await world.ready(...DEPOT);

    await world.forget();
    await world.patch('Secret', 'chat', { stringData: { url: next } });
    await expectGatewayWrites(world, [telling(next)]);

    await world.forget();
    const drifted = { quotaMB: 500, chat: true, chatURL: 'https://chat.example/of/somebody' };
    await world.simulator.patch({ gateways: { [GATEWAY_ID]: { trafficMonitoring: drifted } } });
    await lookAgain(world, ...DEPOT);
    await expectGatewayWrites(world, [telling(next)]);

    const seen = JSON.stringify([await world.get(...DEPOT), await world.events('depot')]);
    for (const hidden of [url, next, drifted.chatURL]) expect(seen).not.toContain(hidden);
    await world.stop();
  });

  it('keeps the monitoring back until its Secret is there', async () => {
    const world = await gatewayWorld();
    await world.apply(adopted({ ...spec, internetConnection: true }));
    await world.condition(...DEPOT, { type: 'Ready', status: 'False', reason: 'ChatWebhookSecretMissing' });
    await expectGatewayWrites(world, applied({ internet: true }));
    await world.forget();
    await world.apply(secret('chat', { url }));
    await expectGatewayWrites(world, [telling(url)]);
    await world.ready(...DEPOT);
    expect(await recordOf(world)).toMatchObject({
      applied: { internetConnection: true, trafficMonitoring: { quotaMB: 500, chat: true } },
    });
    await world.stop();
  });
});
