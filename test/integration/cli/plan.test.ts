import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readKustomization, readManifests } from '../../../src/commands/plan-files.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { type PlanOptions, runPlan } from '../../../src/plan/run.ts';
import type { RequestRecord } from '../../../src/simulator/request-log.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { eventually } from '../../support/kubernetes.ts';
import { manifest } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { program } from '../../support/program.ts';
import { createWorld, type World } from '../../support/world.ts';
import { DOMAIN, SITE_ID, seededSite } from '../site/support.ts';

const GATEWAY_ID = '113300000201';
const SIM_ID = '113300000101';
const labels = { 'app.kubernetes.io/instance': 'fleet' };

interface Printed {
  readonly code: number;
  readonly said: string;
  readonly complained: string;
}

/** Plans the manifests of a directory that holds a file for each object. */
async function planned(world: World, objects: readonly object[], options: Partial<PlanOptions> = {}): Promise<Printed> {
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-plan-'));
  for (const [index, object] of objects.entries()) {
    await writeFile(join(directory, `${index}.yaml`), stringify(object));
  }
  const surroundings = capture();
  const code = await runPlan(
    {
      manifests: await readManifests([directory], false),
      kubeconfig: kubeconfigWith({ namespace: world.namespace }),
      prune: false,
      maxRequests: 50,
      output: 'json',
      ...options,
    },
    surroundings,
  );
  return { code, said: surroundings.said(), complained: surroundings.complained() };
}

/** As the plan spells a request. */
function callOf({ method, path }: Pick<RequestRecord, 'method' | 'path'>): string {
  const plain = path.replace(/^\/cloud\/zone\/\w+\/api\/\w+\/[\d.]+/, '').replace('/applience', '/appliance');
  return `${method} ${plain}`;
}

async function sentTo(world: World): Promise<string[]> {
  return (await world.requests()).filter(({ method }) => method !== 'GET').map(callOf);
}

function callsIn(said: string): string[] {
  const { calls } = JSON.parse(said);
  return calls.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`);
}

function labelled(kind: string, name: string, spec: object): object {
  return { ...manifest(kind, name, spec), metadata: { name, labels } };
}

const fleet = (change: { ttl?: number; internet?: boolean; ip?: string } = {}) => [
  labelled('MobileGateway', 'depot', {
    zone: 'is1a',
    resourceID: GATEWAY_ID,
    internetConnection: change.internet ?? true,
    privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
  }),
  labelled('Sim', 'truck-1', {
    iccid: '8981040000000000101',
    activated: true,
    deletionPolicy: 'Delete',
    gatewayRef: { name: 'depot' },
    ipAddress: change.ip ?? '10.0.0.11',
    carriers: [{ name: 'KDDI', allow: true }],
  }),
  labelled('WebAccelSite', 'www', {
    domain: DOMAIN,
    defaultCacheTTL: change.ttl ?? 3600,
    accessControl: ['deny 192.0.2.0/24', 'allow all'],
  }),
];

describe.each(['kubectl', 'server-side'] as const)('a plan of manifests that are applied with %s', (applyWith) => {
  const applying =
    applyWith === 'kubectl'
      ? ({ by: 'client' } as const)
      : ({ by: 'server', manager: 'kubectl', force: false } as const);
  const plan = (to: World, objects: readonly object[], options: Partial<PlanOptions> = {}) =>
    planned(to, objects, { applying, ...options });
  let world: World;
  let operator: Operator;

  beforeAll(async () => {
    world = await createWorld({
      prefix: 'plan',
      applyWith,
      seed: {
        gateways: [
          {
            id: GATEWAY_ID,
            name: 'depot',
            zone: 'is1a',
            privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
          },
        ],
        sims: [{ id: SIM_ID, iccid: '8981040000000000101', name: 'truck-1' }],
        sites: [seededSite],
      },
    });
    operator = await startTestOperator({ namespaces: [world.namespace] });
    await world.ready('CloudAccount', 'default');
  });
  afterAll(async () => {
    await operator.stop();
    await world.stop();
  });

  it('of what the account has and the cluster has not is what the operator then sends', async () => {
    await world.forget();
    const { code, said, complained } = await plan(world, fleet());
    expect(code).toBe(2);
    expect(complained).toContain('of web acceleration’s hour');
    expect(await sentTo(world)).toEqual([]);
    const calls = callsIn(said);
    expect(calls).toContain(`PUT /site/${SITE_ID}`);
    expect(JSON.parse(said)).toMatchObject({ complete: true, notInSync: [], refused: [], notLookedAt: [] });

    for (const object of fleet()) await world.apply(object);
    await world.ready('Sim', 'truck-1');
    await world.ready('WebAccelSite', 'www');
    await world.ready('MobileGateway', 'depot');
    await eventually(async () => expect((await sentTo(world)).toSorted()).toEqual(calls.toSorted()));
  });

  it('of what is there already is empty, exits with 0, and sends no more than lists', async () => {
    await world.forget();
    const { code, said } = await plan(world, fleet(), { output: 'table' });
    expect({ code, said }).toEqual({
      code: 0,
      said: 'Nothing would be written at the service (3 resources in the manifests).\n',
    });
    expect(await sentTo(world)).toEqual([]);
  });

  it('of three changed files is a comment of a pull request, and exactly what the operator then sends', async () => {
    await world.forget();
    const changed = fleet({ ttl: 60, internet: false, ip: '10.0.0.12' });
    const { code, said } = await plan(world, changed, { output: 'markdown' });
    expect(code).toBe(2);
    expect(said.replaceAll(world.namespace, 'fleet').split('\n').toSorted()).toEqual(
      [
        '### Edgeline plan',
        '',
        '4 calls for 3 resources (3 resources in the manifests).',
        '',
        '| resource | call | changes |',
        '|---|---|---|',
        `| MobileGateway fleet/depot | PUT /appliance/${GATEWAY_ID} | internetConnection: true → false |`,
        `| MobileGateway fleet/depot | PUT /appliance/${GATEWAY_ID}/config |  |`,
        `| Sim fleet/truck-1 | PUT /commonserviceitem/${SIM_ID}/sim/ip | ipAddress: 10.0.0.11 → 10.0.0.12 |`,
        `| WebAccelSite fleet/www | PUT /site/${SITE_ID} | defaultCacheTTL: 3600 s → 60 s |`,
        '',
      ].toSorted(),
    );
    expect(await sentTo(world)).toEqual([]);
    const calls = callsIn((await plan(world, changed)).said);
    for (const object of changed) await world.apply(object);
    await eventually(async () => expect((await sentTo(world)).toSorted()).toEqual(calls.toSorted()));
    await world.ready('Sim', 'truck-1');
    await world.ready('MobileGateway', 'depot');
  });

  it('of a field that leaves a manifest un-sets it', async () => {
    const [gateway, sim] = fleet({ ttl: 60, internet: false, ip: '10.0.0.12' });
    const site = labelled('WebAccelSite', 'www', { domain: DOMAIN, defaultCacheTTL: 60 });
    const { code, said } = await plan(
      world,
      [gateway, sim, site].filter((one) => one !== undefined),
    );
    expect({ code, calls: callsIn(said) }).toEqual({ code: 2, calls: [`DELETE /site/${SITE_ID}/acl`] });
  });

  it('shows what would be pruned, and nothing of what has other labels', async () => {
    const [gateway] = fleet({ ttl: 60, internet: false, ip: '10.0.0.12' });
    const selector = 'app.kubernetes.io/instance=fleet';
    const { code, said } = await plan(world, gateway ? [gateway] : [], { prune: true, selector });
    expect(code).toBe(2);
    expect(JSON.parse(said)).toMatchObject({ resources: { named: 1, changed: 0, pruned: 2 } });
    // Sites are left as they are.
    expect(callsIn(said)).toEqual([
      `DELETE /commonserviceitem/${SIM_ID}/sim/ip`,
      `DELETE /appliance/${GATEWAY_ID}/mobilegateway/sims/${SIM_ID}`,
      `PUT /commonserviceitem/${SIM_ID}/sim/deactivate`,
      `DELETE /commonserviceitem/${SIM_ID}`,
    ]);
    const others = await plan(world, gateway ? [gateway] : [], {
      prune: true,
      selector: 'app.kubernetes.io/instance=other',
    });
    expect(others.code).toBe(0);
    expect(JSON.parse(others.said).notLookedAt).toEqual([
      `Nothing of Edgeline in ${world.namespace} has the labels app.kubernetes.io/instance=other, so nothing would be pruned: \`kubectl get edgeline --show-labels\` shows which labels there are.`,
    ]);
    const none = await plan(world, [], { prune: true, selector });
    expect(JSON.parse(none.said)).toMatchObject({ resources: { named: 0, changed: 0, pruned: 3 } });
    await expect(plan(world, [], { prune: true })).rejects.toThrow('without a selector');
  });

  it('says in the words of the apiserver what it would refuse, and in which file', async () => {
    const wrong = manifest('Sim', 'truck-2', { iccid: '89 81', gatewayRef: { name: 'depot' } });
    const { code, said } = await plan(world, [wrong, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } }]);
    expect(code).toBe(1);
    expect(JSON.parse(said)).toMatchObject({
      calls: [],
      refused: [
        {
          source: expect.stringMatching(/0\.yaml$/),
          what: `Sim ${world.namespace}/truck-2`,
          message: expect.stringContaining('iccid must be 10 to 22 digits'),
        },
      ],
      notLookedAt: ['Manifests of other kinds: 1 ConfigMap.'],
    });
  });

  it('spends no more of the hour than it may, and says what it could not look at', async () => {
    await world.forget();
    const certificate = manifest('WebAccelSite', 'other', { siteID: SITE_ID, defaultCacheTTL: 5 });
    const { code, said } = await plan(world, [...fleet({ ttl: 7, internet: false, ip: '10.0.0.12' }), certificate], {
      maxRequests: 1,
    });
    expect(code).toBe(2);
    const counts = (await world.requests()).filter(({ route }) => route.includes('webaccel'));
    expect(counts.filter(({ path }) => !path.endsWith('/site')).length).toBe(0);
    expect(JSON.parse(said)).toMatchObject({
      complete: false,
      notLookedAt: [expect.stringContaining(`WebAccelSite ${world.namespace}/other: not read`)],
    });
  });

  it('of a Secret alone is what is sent for the resources that name it', async () => {
    const once = (value: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'once' },
      stringData: { value },
    });
    await world.apply(once('one-value'));
    await world.patch('WebAccelSite', 'www', { spec: { oneTimeURLSecretRef: { name: 'once', key: 'value' } } });
    await world.ready('WebAccelSite', 'www');
    const same = await plan(world, [once('one-value')]);
    expect({ code: same.code, calls: callsIn(same.said) }).toEqual({ code: 0, calls: [] });
    const { code, said } = await plan(world, [once('another-value')]);
    expect({ code, calls: callsIn(said) }).toEqual({ code: 2, calls: [`PUT /site/${SITE_ID}`] });
    expect(said).not.toContain('another-value');
  });

  it('reads a kustomization through kubectl, and says where it cannot', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'edgeline-plan-'));
    await expect(readKustomization(directory)).rejects.toThrow(/kustomization|kubectl/);
  });
});

describe('the command itself', () => {
  it('plans nothing for what was exported of an account', async () => {
    const gateway = {
      id: GATEWAY_ID,
      name: 'depot',
      zone: 'is1b' as const,
      instanceStatus: 'up' as const,
      internetConnection: true,
    };
    const sims = Array.from({ length: 6 }, (_, number) => ({
      id: String(Number(SIM_ID) + number),
      iccid: `898104000000000010${number}`,
      name: `truck-${number}`,
      activated: true,
      ...(number < 3 && { gateway: GATEWAY_ID, ip: `10.0.0.${10 + number}` }),
      carriers: [
        { name: 'KDDI' as const, allow: true },
        { name: 'SoftBank' as const, allow: number > 3 },
      ],
    }));
    const world = await createWorld({ prefix: 'plan', seed: { gateways: [gateway], sims, sites: [seededSite] } });
    const operator = await startTestOperator({ namespaces: [world.namespace] });
    try {
      await world.ready('CloudAccount', 'default');
      const directory = await mkdtemp(join(tmpdir(), 'edgeline-plan-'));
      const kubeconfig = ['--kubeconfig', kubeconfigWith({ namespace: world.namespace })];
      const exported = await edgeline('export', '--out', directory, ...kubeconfig);
      const planned = await edgeline('plan', '-f', directory, ...kubeconfig);
      expect({ exported: exported.code, planned: planned.code, out: planned.out }).toEqual({
        exported: 0,
        planned: 0,
        out: 'Nothing would be written at the service (8 resources in the manifests).\n',
      });
      expect(await sentTo(world)).toEqual([]);
      expect((await edgeline('plan', ...kubeconfig)).err).toContain('no manifests were given');
    } finally {
      await operator.stop();
      await world.stop();
    }
  });
});

function edgeline(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program(), ...words], { maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}
