import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApproveOptions, runApprove } from '../../../src/cli/approve/run.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const pending = { type: 'Synced', status: 'False', reason: 'ApprovalPending' } as const;
const numbers = ['17', '18', '19'];

let operator: Operator;
let world: World;
beforeAll(async () => {
  operator = await startTestOperator();
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

it.each<[string, readonly string[], Partial<ApproveOptions>]>([
  ['nothing was named', [], {}],
  ['a selector does not go with the name of an object', ['sim/truck-17'], { selector: 'a=b' }],
  ['a hash is that of one plan', ['sim'], { hash: '0123456789abcdef' }],
  ['an object is in one namespace', ['sim/truck-17'], { allNamespaces: true }],
  ['of an account nothing is approved', ['account/default'], {}],
])('%s: that is refused', async (message, targets, options) => {
  await expect(approve(targets, options)).rejects.toThrow(message);
});
