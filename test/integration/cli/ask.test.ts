import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/cli/ask/answer.ts';
import { gatewayOperations } from '../../../src/cli/ask/gateway.ts';
import { ask, askAbout, type Work } from '../../../src/cli/ask/run.ts';
import { serverOperations } from '../../../src/cli/ask/server.ts';
import { simOperations } from '../../../src/cli/ask/sim.ts';
import { siteOperations } from '../../../src/cli/ask/site.ts';
import type { Subject } from '../../../src/cli/ask/subject.ts';
import type { KindName } from '../../../src/cli/kinds.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { kubectlOutput } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { program } from '../../support/program.ts';
import { createWorld, type World } from '../../support/world.ts';

const SIM = '113300000017';
const FOREIGN_SIM = '113300000018';
const BUSY_SIM = '113300000019';
const GATEWAY = '113300000101';
const SITE = '113300000201';
const SERVER = '113300000301';
const ICCID = '8981040000000000017';

let world: World;
let operator: Operator;
beforeAll(async () => {
  world = await createWorld({
    prefix: 'ask',
    seed: {
      sims: [
        { id: SIM, name: 'truck-17', iccid: ICCID, activated: true, gateway: GATEWAY, ip: '192.0.2.17' },
        { id: FOREIGN_SIM, name: 'by hand', iccid: '8981040000000000018', activated: true },
        {
          id: BUSY_SIM,
          name: 'truck-19',
          iccid: '8981040000000000019',
          activated: true,
          traffic: { uplinkBytes: 4_000_000, downlinkBytes: 8_000_000 },
        },
      ],
      gateways: [
        {
          id: GATEWAY,
          name: 'depot',
          zone: 'is1b',
          privateInterface: { ipAddress: '192.0.2.1', networkMaskLength: 24 },
          trafficMonitoring: { quotaMB: 256, chatURL: 'https://hooks.slack.com/services/canary' },
        },
      ],
      sites: [{ id: SITE, name: 'www', domain: 'www.example.jp', accessControl: ['deny 192.0.2.0/24', 'allow all'] }],
      servers: [{ id: SERVER, name: 'web-1', zone: 'is1b', planID: 2, power: 'up' }],
    },
    settings: { webAccelLimit: 100_000 },
  });
  operator = await startTestOperator({ namespaces: [world.namespace] });
  const head = { apiVersion: 'edgeline.dev/v1alpha1' };
  await world.apply({
    ...head,
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: { zone: 'is1b', resourceID: GATEWAY, managementPolicy: 'Observe' },
  });
  await world.apply({
    ...head,
    kind: 'Sim',
    metadata: { name: 'truck-17' },
    spec: { iccid: ICCID, resourceID: SIM, activated: true },
  });
  await world.apply({
    ...head,
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { siteID: SITE, managementPolicy: 'Observe' },
  });
  await world.ready('Sim', 'truck-17');
  await world.ready('MobileGateway', 'depot');
  await world.ready('WebAccelSite', 'www');
});
afterAll(async () => {
  await operator.stop();
  await world.stop();
});

/** Asks as a person at a terminal does; what is printed, parsed. */
async function about(
  kind: KindName,
  target: string,
  operation: (work: Work & { readonly subject: Subject }) => Promise<Answer>,
  zone?: string,
) {
  const surroundings = capture();
  const options = { kubeconfig: kubeconfigWith({ namespace: world.namespace }), output: 'json', zone } as const;
  await askAbout(kind, target, options, surroundings, operation);
  const { account, of, items } = JSON.parse(surroundings.said());
  expect(account).toBe('CloudAccount/default');
  return { of, items };
}

async function server(operation: (work: Work, place: { zone: string; id: string }) => Promise<Answer>, id = SERVER) {
  const surroundings = capture();
  const options = { kubeconfig: kubeconfigWith({ namespace: world.namespace }), output: 'json' } as const;
  const none = async () => undefined;
  await ask(options, surroundings, none, (work) => operation(work, { zone: 'is1b', id }));
  return JSON.parse(surroundings.said()).items;
}

const writes = async () => (await world.writes()).map((write) => write.split(' {')[0]);

it('all nine operations on servers are within reach', async () => {
  await world.forget();
  expect(await server(serverOperations.show)).toMatchObject([{ id: SERVER, name: 'web-1', instanceStatus: 'up' }]);
  expect(await server(serverOperations.power)).toMatchObject([{ status: 'up' }]);
  const hour = 3_600_000;
  expect((await server((work, place) => serverOperations.monitor(work, place, hour))).length).toBeGreaterThan(10);
  expect(await server((work, place) => serverOperations.keyboard(work, place, ['ctrl', 'alt', 'delete']))).toEqual([
    { done: 'pressed ctrl + alt + delete' },
  ]);
  expect(await server(serverOperations.reset)).toEqual([{ done: 'reset' }]);
  let size = 0;
  const store = async (image: Uint8Array, extension: string) => {
    size = image.length;
    return `screen.${extension}`;
  };
  expect(await server((work, place) => serverOperations.snapshot(work, place, store))).toEqual([
    { file: expect.stringMatching(/^screen\.(png|jpg)$/), bytes: size },
  ]);
  expect(await server((work, place) => serverOperations.off(work, place, true))).toEqual([
    { done: 'powered off at once' },
  ]);
  const [changed] = await server((work, place) => serverOperations.plan(work, place, '4'));
  expect(changed).toMatchObject({ done: 'changed to plan 4', id: expect.not.stringMatching(SERVER) });
  expect(await server(serverOperations.on, changed.id)).toEqual([{ done: 'powered on' }]);
  expect(await writes()).toEqual([
    'PUT /server/:id/keyboard',
    'PUT /server/:id/reset',
    'DELETE /server/:id/power',
    'PUT /server/:id/to/plan/:plan_id',
    'PUT /server/:id/power',
  ]);
});

it('a SIM is looked at by the name of its Sim, or by its ID', async () => {
  const title = `SIM ${SIM} (Sim ${world.namespace}/truck-17)`;
  expect(await about('Sim', 'truck-17', simOperations.show)).toMatchObject({
    of: title,
    items: [{ iccid: ICCID, activated: true }],
  });
  expect(await about('Sim', SIM, simOperations.show)).toMatchObject({ of: `SIM ${SIM}`, items: [{ iccid: ICCID }] });
  const { items } = await about('Sim', 'sim/truck-17', (work) => simOperations.metrics(work, 3_600_000));
  expect(items[0]).toEqual({ at: expect.any(String), uplinkBps: expect.any(Number), downlinkBps: expect.any(Number) });
  await world.forget();
  await about('Sim', 'truck-17', simOperations.reconnect);
  expect(await writes()).toEqual(['PUT /commonserviceitem/:id/sim/reconnect']);
  expect((await about('Sim', 'truck-17', (work) => simOperations.logs(work, 10))).items.length).toBeLessThanOrEqual(10);
});

it('what the operator would undo is refused, by name and by ID, unless it is forced', async () => {
  await world.forget();
  const deactivate = (target: string, force = false) =>
    about('Sim', target, (work) => simOperations.activate(work, false, force));
  const message = `the Sim ${world.namespace}/truck-17 asks for activated: true, so the operator would undo this`;
  await expect(deactivate('truck-17')).rejects.toThrow(message);
  await expect(deactivate(SIM)).rejects.toThrow(message);
  expect(await writes()).toEqual([]);
  await deactivate(FOREIGN_SIM);
  expect(await writes()).toEqual(['PUT /commonserviceitem/:id/sim/deactivate']);
});

it('a SIM that its dataLimit stopped is not activated, unless it is forced', async () => {
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-19' },
    spec: {
      iccid: '8981040000000000019',
      resourceID: BUSY_SIM,
      dataLimit: { monthly: '1Mi', action: 'Deactivate' },
    },
  });
  await world.condition('Sim', 'truck-19', { type: 'Ready', status: 'False', reason: 'DataLimitExceeded' });
  await world.forget();
  const activate = (target: string, force = false) =>
    about('Sim', target, (work) => simOperations.activate(work, true, force));
  const message = `the Sim ${world.namespace}/truck-19 is over its dataLimit, so the operator would undo this`;
  await expect(activate('truck-19')).rejects.toThrow(message);
  await expect(activate(BUSY_SIM)).rejects.toThrow(message);
  expect(await writes()).toEqual([]);
  await activate('truck-19', true);
  expect((await writes())[0]).toEqual('PUT /commonserviceitem/:id/sim/activate');
});

it('a gateway is looked at, and its webhook is not shown', async () => {
  expect((await about('MobileGateway', 'depot', gatewayOperations.sims)).items).toMatchObject([
    { resourceID: SIM, iccid: ICCID, ip: '192.0.2.17' },
  ]);
  const log = await about('MobileGateway', 'depot', (work) => gatewayOperations.logs(work, 10));
  expect(log.items.length).toBeGreaterThan(0);
  const { items } = await about('MobileGateway', 'depot', gatewayOperations.traffic);
  expect(items).toEqual([expect.objectContaining({ quotaMB: 256, uplinkBytes: expect.any(Number) })]);
  expect(JSON.stringify(items)).not.toContain('canary');
  await expect(about('MobileGateway', GATEWAY, gatewayOperations.sims)).rejects.toThrow(
    `it is not known in which zone the gateway ${GATEWAY} is`,
  );
  expect((await about('MobileGateway', GATEWAY, gatewayOperations.sims, 'is1b')).items.length).toBe(1);
});

it('a site is looked at out of the hour that the operator counts', async () => {
  const { items } = await about('WebAccelSite', 'www', siteOperations.acl);
  expect(items).toEqual([
    { line: 1, rule: 'deny 192.0.2.0/24' },
    { line: 2, rule: 'allow all' },
  ]);
  expect((await about('WebAccelSite', 'www', siteOperations.certificate)).items).toEqual([]);
  const usage = await about('WebAccelSite', 'www', (work) => siteOperations.usage(work, work.subject.id, undefined));
  expect(usage).toMatchObject({ of: expect.stringMatching(/^site 113300000201 in 20\d\d-\d\d$/) });
});

it('a command waits for the operator to count its request, although nothing else keeps the process alive', async () => {
  const kubeconfig = kubeconfigWith({ namespace: world.namespace });
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [program(), 'site', 'acl', 'www', '--kubeconfig', kubeconfig],
    { env: { ...process.env, NO_COLOR: '1' } },
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'LINE  RULE\n1     deny 192.0.2.0/24\n2     allow all\n', stderr: '' });
});

it.each([
  ['nobody', 'there is no Sim nobody in namespace'],
  ['gateway/depot', '"gateway/depot" names no Sim'],
  ['1133', 'there is no Sim 1133'],
  ['Truck 17', '"Truck 17" names no Sim'],
])('sim %s is told to be none', async (target, message) => {
  await expect(about('Sim', target, simOperations.show)).rejects.toThrow(message);
});

it('prints a table for people', async () => {
  const surroundings = capture();
  const options = { kubeconfig: kubeconfigWith({ namespace: world.namespace }), output: 'table' } as const;
  await askAbout('WebAccelSite', 'www', options, surroundings, siteOperations.acl);
  expect(surroundings.said()).toBe(`LINE  RULE\n1     deny 192.0.2.0/24\n2     allow all\n`);
});

describe('while a person has stopped everything', () => {
  const reconnect = () => about('Sim', 'truck-17', simOperations.reconnect);
  const written: [string, () => Promise<unknown>][] = [
    ['sim reconnect', reconnect],
    ['sim deactivate', () => about('Sim', FOREIGN_SIM, (work) => simOperations.activate(work, false, false))],
    ['server power on', () => server(serverOperations.on)],
    ['server power off', () => server((work, place) => serverOperations.off(work, place, true))],
    ['server plan', () => server((work, place) => serverOperations.plan(work, place, '4'))],
    ['server reset', () => server(serverOperations.reset)],
    ['server keyboard', () => server((work, place) => serverOperations.keyboard(work, place, ['a']))],
  ];
  const annotations = (value: string | null) => ({ 'edgeline.dev/paused': value });

  it.each(written)('%s is not sent', async (_command, operation) => {
    await world.forget();
    await world.annotate('CloudAccount', 'default', annotations('true'));
    try {
      await expect(operation()).rejects.toMatchObject({
        code: 'AccountStopped',
        message:
          'nothing was sent: edgeline.dev/paused is set on the CloudAccount default, which stops everything that writes',
        advice: expect.stringContaining(
          `\`kubectl -n ${world.namespace} annotate cloudaccount default edgeline.dev/paused-\``,
        ),
      });
      expect(await writes()).toEqual([]);
    } finally {
      await world.annotate('CloudAccount', 'default', annotations(null));
    }
  });

  it('a namespace stops its account, what is only read is answered, and who insists may write', async () => {
    await world.forget();
    await kubectlOutput(['annotate', 'namespace', world.namespace, 'edgeline.dev/paused=true']);
    try {
      await expect(reconnect()).rejects.toThrow(`edgeline.dev/paused is set on the Namespace ${world.namespace}`);
      expect((await about('Sim', 'truck-17', simOperations.show)).items).toMatchObject([{ iccid: ICCID }]);
      expect(await writes()).toEqual([]);
      const surroundings = capture();
      const kubeconfig = kubeconfigWith({ namespace: world.namespace });
      const options = { kubeconfig, output: 'json', evenIfStopped: true } as const;
      await askAbout('Sim', 'truck-17', options, surroundings, simOperations.reconnect);
      expect(await writes()).toEqual(['PUT /commonserviceitem/:id/sim/reconnect']);
    } finally {
      await kubectlOutput(['annotate', 'namespace', world.namespace, 'edgeline.dev/paused-']);
    }
  });
});
