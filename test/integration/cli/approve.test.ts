import { afterAll, beforeAll, expect, it } from 'vitest';
import { namedIn } from '../../../src/cli/approve/find.ts';
import { type ApproveOptions, runApprove } from '../../../src/cli/approve/run.ts';
import { runExplain } from '../../../src/cli/explain/run.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { freePort } from '../../../src/sandbox/processes/free-port.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const pending = { type: 'Synced', status: 'False', reason: 'ApprovalPending' } as const;
const numbers = ['17', '18', '19'];

let operator: Operator;
let port: number;
let world: World;
beforeAll(async () => {
  port = await freePort();
  operator = await startTestOperator({ metricsListen: `127.0.0.1:${port}` });
  const sims = numbers.map((number) => ({
    id: `1133000000${number}`,
    iccid: `89810400000000000${number}`,
    name: `truck-${number}`,
  }));
  world = await createWorld({ prefix: 'approve', seed: { sims } });
  for (const { iccid, name } of sims) {
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name, labels: { truck: name } },
      spec: { iccid, managementPolicy: 'Approve', activated: true },
    });
  }
  for (const { name } of sims) await world.condition('Sim', name, pending);
});
afterAll(async () => {
  await world.stop();
  await operator.stop();
});

/** What `edgeline approve` prints, with its exit code. */
async function approve(targets: readonly string[], more: Partial<ApproveOptions> = {}): Promise<[number, string]> {
  const surroundings = capture();
  const kubeconfig = kubeconfigWith({ namespace: world.namespace });
  const options = { kubeconfig, targets, yes: false, confirm: undefined, ...more };
  const code = await runApprove(options, surroundings);
  return [code, surroundings.said()];
}

async function hashOf(name: string): Promise<string> {
  const { status } = await world.get('Sim', name);
  return (
    /--hash ([0-9a-f]{16})/.exec(status?.conditions?.find(({ type }) => type === 'Synced')?.message ?? '')?.[1] ?? ''
  );
}

it('a plan is shown whole, and approved once a person says so', async () => {
  const hash = await hashOf('truck-17');
  const asked: string[] = [];
  const shown = `Sim ${world.namespace}/truck-17  ${hash}\n  activate\n    activated: false → true\n\n`;
  const answering = (answer: boolean) => async (question: string) => {
    asked.push(question);
    return answer;
  };
  expect(await approve(['sim/truck-17'], { confirm: answering(false) })).toEqual([
    2,
    `${shown}Nothing was approved.\n`,
  ]);
  await world.settle();
  expect(await world.writes()).toEqual([]);
  expect(await approve(['sim/truck-17'], { confirm: answering(true) })).toEqual([
    0,
    `${shown}Sim ${world.namespace}/truck-17: approved.\n`,
  ]);
  expect(asked).toEqual(['Approve this plan? [y/N] ', 'Approve this plan? [y/N] ']);
  await world.ready('Sim', 'truck-17');
  expect(await world.writes()).toEqual(['PUT /commonserviceitem/:id/sim/activate']);
  expect(await approve(['sim/truck-17'], { yes: true })).toEqual([
    2,
    `Sim ${world.namespace}/truck-17: nothing waits for approval.\n`,
  ]);
});

it('an approved plan is told with its hash by the Event, explain and the metrics', async () => {
  const meant =
    /^edgeline_(?:approvals_total|resource_condition)\{kind="Sim",(?:outcome|type="Synced".*ApprovalPending)/;
  const samples = async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return text.split('\n').filter((line) => meant.test(line));
  };
  expect(await samples()).toEqual([
    'edgeline_approvals_total{kind="Sim",outcome="approved"} 1',
    'edgeline_resource_condition{kind="Sim",type="Synced",status="False",reason="ApprovalPending"} 2',
  ]);
  const hash = (await world.get('Sim', 'truck-17')).metadata.annotations?.['edgeline.dev/approve'] ?? '';
  const explained = async (target: string) => {
    const surroundings = capture();
    const kubeconfig = kubeconfigWith({ namespace: world.namespace });
    await runExplain({ kubeconfig, target, output: 'json' }, surroundings);
    return JSON.parse(surroundings.said()).approval;
  };
  await eventually(async () =>
    expect(await explained('sim/truck-17')).toEqual({
      waits: null,
      annotation: { value: hash, manager: 'edgeline', at: expect.any(String) },
      underWay: null,
      last: { hash, at: expect.any(String) },
    }),
  );
  expect(await explained('sim/truck-18')).toMatchObject({
    waits: { hash: await hashOf('truck-18'), calls: [{ step: 'activate' }], continues: false, outdated: false },
    annotation: null,
    last: null,
  });
  await world.annotate('Sim', 'truck-18', { 'edgeline.dev/approve': hash });
  await eventually(async () =>
    expect(await samples()).toContain('edgeline_approvals_total{kind="Sim",outcome="mismatched"} 1'),
  );
});

it('a hash approves that plan and no other, labels all that have them; nobody is asked with --yes', async () => {
  const [code, said] = await approve(['sim/truck-18'], { hash: '0123456789abcdef', yes: true });
  const hash = await hashOf('truck-18');
  expect([code, said]).toEqual([
    2,
    `Sim ${world.namespace}/truck-18: the plan that waits is ${hash}, another than the one that was named.\n`,
  ]);
  await expect(approve(['sim/truck-18'])).rejects.toThrow('nobody is there to be asked');
  expect((await approve(['sim/truck-18'], { hash, yes: true }))[0]).toBe(0);
  await world.ready('Sim', 'truck-18');
  expect(await approve(['sim'], { selector: 'truck=truck-18', yes: true })).toEqual([
    0,
    'Nothing waits for approval.\n',
  ]);
  expect((await approve(['sim'], { selector: 'truck=truck-19', yes: true }))[0]).toBe(0);
  await world.ready('Sim', 'truck-19');
});

it('of manifests what they name is approved and nothing else, and what is not in the cluster is told', async () => {
  const manifest = (name: string, namespace?: string) => ({
    source: `${name}.yaml`,
    object: { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata: { name, ...(namespace && { namespace }) } },
  });
  for (const name of ['truck-18', 'truck-19']) await world.patch('Sim', name, { spec: { activated: false } });
  for (const name of ['truck-18', 'truck-19']) await world.condition('Sim', name, pending);
  const other = {
    source: 'secret.yaml',
    object: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pass-codes' } },
  };
  const named = namedIn([manifest('truck-18', world.namespace), manifest('truck-18', world.namespace), other]);
  const hash = await hashOf('truck-18');
  expect(await approve([], { manifests: named, yes: true, hash })).toEqual([
    0,
    `Sim ${world.namespace}/truck-18  ${hash}\n  deactivate\n    activated: true → false\n\nSim ${world.namespace}/truck-18: approved.\n`,
  ]);
  await eventually(async () =>
    expect((await world.get('Sim', 'truck-18')).status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Synced', status: 'True' }),
    ),
  );
  expect(await hashOf('truck-19')).not.toBe('');
  expect(await approve([], { manifests: namedIn([manifest('truck-18'), manifest('ghost')]), yes: true })).toEqual([
    2,
    `Sim ${world.namespace}/ghost: it is not in the cluster. Apply it first.\n`,
  ]);
});

it('a plan of a spec that has changed since is not approved', async () => {
  await operator.stop();
  await world.patch('Sim', 'truck-19', { spec: { imeiLock: '356938035643809' } });
  const outdated = 'the spec has changed, and what that leads to is not planned yet. Look at it again.';
  expect(await approve(['sim/truck-19'], { yes: true })).toEqual([2, `Sim ${world.namespace}/truck-19: ${outdated}\n`]);
  expect((await world.get('Sim', 'truck-19')).metadata.annotations?.['edgeline.dev/approve']).not.toBe(
    await hashOf('truck-19'),
  );
  operator = await startTestOperator();
});

it.each<[string, readonly string[], Partial<ApproveOptions>]>([
  ['it is either manifests or names', ['sim/truck-17'], { manifests: [] }],
  ['of what these manifests are, nothing is approved', [], { manifests: [] }],
  ['nothing was named', [], {}],
  ['a selector does not go with the name of an object', ['sim/truck-17'], { selector: 'a=b' }],
  ['a hash is that of one plan', ['sim'], { hash: '0123456789abcdef' }],
  ['an object is in one namespace', ['sim/truck-17'], { allNamespaces: true }],
  ['of an account nothing is approved', ['account/default'], {}],
])('%s: that is refused', async (message, targets, options) => {
  await expect(approve(targets, options)).rejects.toThrow(message);
});
