import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually, kubectlOutput } from '../../support/kubernetes.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';
import { gateway, PATIENCE, sim, stored } from './support.ts';

vi.setConfig({ maxConcurrency: 6, testTimeout: 120_000 });

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const iccid = (number: number) => `89810400000000001${number}`;
const truck = (number: number, name: string) => ({
  ...sim(
    { passCodeSecretRef, activated: true, gatewayRef: { name }, ipAddress: `10.0.0.${number}` },
    `truck-${number}`,
    iccid(number),
  ),
});
const route = (number: number) => ({ prefix: `192.168.${number}.0/24`, simRef: { name: `truck-${number}` } });
const common = {
  planID: 2,
  internetConnection: true,
  privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
};
const chatWebhookSecretRef = { name: 'chat', key: 'url' };

/** Two gateways and three Sims with all that goes between them, in the order a person would think of them. */
const directory: readonly object[] = [
  gateway(
    {
      ...common,
      staticRoutes: [{ prefix: '172.16.0.0/16', nextHop: '10.0.0.254' }],
      dns: { primary: '8.8.8.8', secondary: '8.8.4.4' },
      simRoutes: [route(21), route(22)],
      trafficMonitoring: { quotaMB: 500, chatWebhookSecretRef },
    },
    'north',
  ),
  gateway({ ...common, zone: 'tk1a', simRoutes: [route(23)] }, 'south'),
  truck(21, 'north'),
  truck(22, 'north'),
  truck(23, 'south'),
];
const names = [
  ['MobileGateway', 'north'],
  ['MobileGateway', 'south'],
  ['Sim', 'truck-21'],
  ['Sim', 'truck-22'],
  ['Sim', 'truck-23'],
] as const;

const asFile = (objects: readonly object[]) => objects.map((one) => stringify(one)).join('---\n');

async function allReady(world: World): Promise<void> {
  for (const [kind, name] of names) await eventually(() => world.ready(kind, name), PATIENCE);
}

async function applied(dialect: 'Documented' | 'Extended', objects: readonly object[]): Promise<World> {
  const world = await createWorld({ prefix: 'directory', dialect, settings: { migratingTime: 500 } });
  // All of it goes at once here, and is meant to.
  await world.patch('CloudAccount', 'default', { spec: { brakes: { deletions: { policy: 'Allow' } } } });
  await kubectlOutput(['apply', '-n', world.namespace, '-f', '-'], { input: asFile(objects) });
  await kubectlOutput(['apply', '-n', world.namespace, '-f', '-'], {
    input: secret('chat', { url: 'https://chat.example/hook/1' }),
  });
  await allReady(world);
  return world;
}

/** What is left at the service. */
async function left(world: World): Promise<object> {
  const { sims } = await world.simulator.state();
  return { sims: Object.values(sims), gateways: await stored(world) };
}

async function expectNothingLeft(world: World): Promise<void> {
  await eventually(async () => expect(await left(world)).toEqual({ sims: [], gateways: [] }), PATIENCE);
}

describe.concurrent('a directory of gateways and Sims', () => {
  it.each(['Documented', 'Extended'] as const)(
    'applied in reverse order becomes Ready, and kubectl delete -f removes all of it (%s)',
    async (dialect) => {
      const world = await applied(dialect, directory.toReversed());
      const creations = (await world.writes()).filter((write) => /^POST \/(appliance|commonserviceitem) /.test(write));
      expect(creations).toHaveLength(names.length);
      expect(await world.get('MobileGateway', 'north')).toMatchObject({
        status: { sims: { registered: 2 }, simRoutes: [{ prefix: '192.168.21.0/24' }, { prefix: '192.168.22.0/24' }] },
      });
      await kubectlOutput(['delete', '-n', world.namespace, '--timeout', '60s', '-f', '-'], {
        input: asFile(directory),
      });
      await expectNothingLeft(world);
      await world.stop();
    },
  );

  it('goes with its namespace, account, Secrets and all', async () => {
    const world = await applied('Extended', directory);
    await kubectlOutput(['delete', 'namespace', world.namespace, '--wait=false']);
    await expectNothingLeft(world);
    await eventually(async () => {
      expect(await kubectlOutput(['get', 'namespace', world.namespace, '--ignore-not-found', '-o', 'name'])).toBe('');
    }, PATIENCE);
    await world.stop();
  });

  it('comes together again when its Sims change places', async () => {
    const world = await applied('Documented', directory);
    await world.forget();
    await world.apply(truck(23, 'north'));
    await world.apply(truck(22, 'south'));
    await world.apply(gateway({ ...common, zone: 'tk1a', simRoutes: [route(22)] }, 'south'));
    await eventually(async () => {
      const routes = async (name: string) => (await world.get('MobileGateway', name)).status?.['simRoutes'];
      expect(await routes('south')).toMatchObject([{ prefix: '192.168.22.0/24' }]);
      expect(await routes('north')).toMatchObject([{ prefix: '192.168.21.0/24' }]);
    }, PATIENCE);
    // The route of one that has left waits, and says so.
    await world.condition('MobileGateway', 'north', { type: 'Synced', status: 'False', reason: 'RouteWaitsForSim' });
    const { sims } = await world.simulator.state();
    const ips = Object.fromEntries(Object.values(sims).map((one) => [one?.['name'], one?.['ip']]));
    expect(ips).toEqual({ 'truck-21': '10.0.0.21', 'truck-22': '10.0.0.22', 'truck-23': '10.0.0.23' });
    await world.stop();
  });

  it('moves from a gateway that is deleted at the same moment', async () => {
    const world = await applied('Documented', directory);
    await world.forget();
    await world.delete('MobileGateway', 'south');
    await world.apply(truck(23, 'north'));
    await eventually(() => world.gone('MobileGateway', 'south'), PATIENCE);
    await eventually(() => world.ready('Sim', 'truck-23'), PATIENCE);
    const { sims } = await world.simulator.state();
    expect(Object.values(sims).find((one) => one?.['name'] === 'truck-23')).toMatchObject({ ip: '10.0.0.23' });
    const writes = (await world.writes()).filter((write) => !write.startsWith('PUT /appliance'));
    expect(writes.filter((write) => write.startsWith('DELETE /commonserviceitem'))).toHaveLength(1);
    await world.stop();
  });
});
