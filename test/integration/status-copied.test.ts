import { afterEach, describe, expect, it } from 'vitest';
import type { OperatorOptions } from '../../src/operator/options.ts';
import type { Operator } from '../../src/operator/start.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { eventually } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, resourceOf, type World, type WorldOptions } from '../support/world.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const truck = (last: number) => `898104000000000001${last}`;

async function started(options: WorldOptions = {}): Promise<{ world: World; operator: Operator }> {
  const operator = await startTestOperator();
  const world = await createWorld(options);
  ends.push(
    () => operator.stop(),
    () => world.stop(),
  );
  return { world, operator };
}

const restart = async (operator: Operator) => {
  await operator.stop();
  return async (options: Partial<OperatorOptions> = {}) => {
    const next = await startTestOperator(options);
    ends.unshift(() => next.stop());
  };
};

async function make(world: World, kind: string, name: string, spec: object): Promise<void> {
  await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind, metadata: { name }, spec });
}

/** As `kubectl replace --subresource=status` with the status of another. */
async function replaceStatus(world: World, kind: string, name: string, status: object | undefined): Promise<void> {
  const before = await world.get(kind, name);
  const removed = Object.fromEntries(Object.keys(before.status ?? {}).map((key) => [key, null]));
  await world.client.mergePatch(
    resourceOf(kind),
    world.namespace,
    name,
    { status: { ...removed, ...status } },
    { subresource: 'status' },
  );
}

async function copyStatus(world: World, kind: string, from: string, to: string): Promise<void> {
  await replaceStatus(world, kind, to, (await world.get(kind, from)).status);
}

const paused = { 'edgeline.dev/paused': 'true' };

describe('while a status is a copy of another’s', () => {
  it('no SIM goes on the other’s gateway, no route leads to the other’s SIM, and no figure is of them', async () => {
    const { world, operator } = await started();
    for (const name of ['north', 'south']) await make(world, 'MobileGateway', name, { zone: 'is1b', planID: 2 });
    for (const name of ['north', 'south']) await world.ready('MobileGateway', name);
    for (const [name, last] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      await make(world, 'Sim', name, {
        iccid: truck(last),
        passCodeSecretRef,
        activated: true,
        gatewayRef: { name: 'north' },
      });
      await world.ready('Sim', name);
    }
    const begin = await restart(operator);
    await world.annotate('MobileGateway', 'south', paused);
    await world.annotate('Sim', 'two', paused);
    await copyStatus(world, 'MobileGateway', 'north', 'south');
    await copyStatus(world, 'Sim', 'one', 'two');
    await make(world, 'Sim', 'three', { iccid: truck(3), passCodeSecretRef, gatewayRef: { name: 'south' } });
    await world.patch('MobileGateway', 'north', {
      spec: { simRoutes: [{ prefix: '192.168.50.0/24', simRef: { name: 'two' } }] },
    });
    await world.forget();
    const metricsListen = `127.0.0.1:${await freePort()}`;
    await begin({ metricsListen, resourceMetrics: 'names' });
    await world.condition('Sim', 'three', { type: 'Ready', status: 'False', reason: 'GatewayNotReady' });
    await world.condition('MobileGateway', 'north', { type: 'Synced', status: 'False', reason: 'RouteWaitsForSim' });
    await world.settle();
    expect((await world.writes()).map((write) => write.split(' ').slice(0, 2).join(' '))).toEqual([
      'POST /commonserviceitem',
    ]);
    await eventually(async () => {
      const text = await (await fetch(`http://${metricsListen}/metrics`)).text();
      const shown = (name: string) =>
        text.includes(`edgeline_gateway_up{namespace="${world.namespace}",name="${name}"}`);
      expect(['north', 'south'].map(shown)).toEqual([true, false]);
    });
  });
});

describe('with a copy of another’s status, put on while no operator ran,', () => {
  it('a WebAccelSite writes to the site of its own domain, and its certificate waits for that', async () => {
    const sites = [
      { id: '113300000301', name: 'one', domain: 'one.example.jp' },
      { id: '113300000302', name: 'two', domain: 'two.example.jp' },
      { id: '113300000303', name: 'three', domain: 'three.example.jp' },
    ];
    const { world, operator } = await started({ seed: { sites }, settings: { webAccelLimit: 100_000 } });
    for (const { name, domain } of sites) {
      await make(world, 'WebAccelSite', name, { domain, displayName: name });
      await world.ready('WebAccelSite', name);
    }
    const begin = await restart(operator);
    for (const name of ['two', 'three']) await copyStatus(world, 'WebAccelSite', 'one', name);
    await world.patch('WebAccelSite', 'two', { spec: { displayName: 'changed' } });
    await world.annotate('WebAccelSite', 'three', paused);
    await make(world, 'SiteCertificate', 'three', { siteRef: { name: 'three' }, secretRef: { name: 'three-tls' } });
    await begin();
    const { status, metadata } = await world.ready('WebAccelSite', 'two');
    expect(status).toMatchObject({ id: '113300000302', uid: metadata.uid, domain: 'two.example.jp' });
    await world.condition('SiteCertificate', 'three', { type: 'Ready', status: 'False', reason: 'SiteNotReady' });
    const { sites: stored } = await world.simulator.state();
    expect(Object.values(stored).map((site) => site?.['settings'])).toMatchObject([
      { Name: 'one' },
      { Name: 'changed' },
      { Name: 'three' },
    ]);
  });

  it('a Sim has the SIM of its own ICCID', async () => {
    const { world, operator } = await started();
    for (const [name, last] of [
      ['one', 1],
      ['two', 2],
    ] as const) {
      await make(world, 'Sim', name, { iccid: truck(last), passCodeSecretRef, activated: true });
      await world.ready('Sim', name);
    }
    const { id } = (await world.get('Sim', 'two')).status ?? {};
    const begin = await restart(operator);
    await copyStatus(world, 'Sim', 'one', 'two');
    await world.patch('Sim', 'two', { spec: { activated: false } });
    await world.forget();
    await begin();
    const { status, metadata } = await world.ready('Sim', 'two');
    expect(status).toMatchObject({ id, uid: metadata.uid, iccid: truck(2), ownership: 'Adopted' });
    expect(await world.writes()).toEqual(['PUT /commonserviceitem/:id/sim/deactivate']);
  });

  it('a MobileGateway asks whether it has the gateway of its name', async () => {
    const { world, operator } = await started();
    for (const name of ['north', 'south']) {
      await make(world, 'MobileGateway', name, { zone: 'is1b', planID: 2 });
      await world.ready('MobileGateway', name);
    }
    const { id } = (await world.get('MobileGateway', 'south')).status ?? {};
    const begin = await restart(operator);
    await copyStatus(world, 'MobileGateway', 'north', 'south');
    await world.forget();
    await begin();
    const stalled = { type: 'Stalled', status: 'True', reason: 'CreationAmbiguous' } as const;
    const { message } = await world.condition('MobileGateway', 'south', stalled);
    expect(message).toContain(`The zone has one of its name, "south": ${String(id)}. Set resourceID to it`);
    await world.patch('MobileGateway', 'south', { spec: { resourceID: id } });
    const { status } = await world.ready('MobileGateway', 'south');
    expect(status).toMatchObject({ id, ownership: 'Adopted' });
    expect(await world.writes()).toEqual([]);
  });

  it('a MobileGateway does not take over a gateway of another name', async () => {
    const { world, operator } = await started({
      seed: { gateways: [{ id: '113300000101', name: 'east', zone: 'is1b' }] },
    });
    await make(world, 'MobileGateway', 'east', { zone: 'is1b', resourceID: '113300000101' });
    const { status } = await world.ready('MobileGateway', 'east');
    await operator.stop();
    await world.delete('MobileGateway', 'east');
    await world.client.mergePatch(resourceOf('MobileGateway'), world.namespace, 'east', {
      metadata: { finalizers: null },
    });
    await make(world, 'MobileGateway', 'west', { zone: 'is1b', planID: 2, internetConnection: false });
    await replaceStatus(world, 'MobileGateway', 'west', status);
    await world.forget();
    const next = await startTestOperator();
    ends.unshift(() => next.stop());
    const stalled = { type: 'Stalled', status: 'True', reason: 'CreationAmbiguous' } as const;
    const { message } = await world.condition('MobileGateway', 'west', stalled);
    expect(message).toContain('names gateway 113300000101, which is not called "west". Set resourceID to it');
    await world.settle();
    expect(await world.writes()).toEqual([]);
  });
});
