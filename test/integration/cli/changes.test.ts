import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runChanges } from '../../../src/cli/changes/run.ts';
import { parseDuration } from '../../../src/commands/arguments.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { eventually, kubectlOutput } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const ICCID = '8981040000000000171';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
const sim = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17', labels: { team: 'east' } },
  spec: { iccid: ICCID, passCodeSecretRef, activated: true },
};

let operator: Operator;
let world: World;
beforeAll(async () => {
  operator = await startTestOperator();
  world = await createWorld({ prefix: 'changes' });
});
afterAll(async () => {
  await world.stop();
  await operator.stop();
});

/** What `edgeline changes` prints. */
async function changes(
  targets: readonly string[],
  more: { readonly selector?: string; readonly since?: string; readonly output?: 'table' | 'json' } = {},
): Promise<string> {
  const surroundings = capture();
  const since = parseDuration(more.since ?? '1h');
  const { selector, output = 'json' } = more;
  const { namespace } = world;
  await runChanges({ kubeconfig: kubeconfigWith({ namespace }), targets, selector, since, output }, surroundings);
  return surroundings.said();
}

describe('what was written of late', () => {
  it('is told for a Sim that is made, changed and deleted', async () => {
    await world.apply(sim);
    await world.ready('Sim', 'truck-17');
    await world.patch('Sim', 'truck-17', { spec: { imeiLock: '356938035643817' } });
    await eventually(async () =>
      expect(JSON.parse(await changes(['sim/truck-17']))).toMatchObject({
        kind: 'Changes',
        since: '1h',
        changes: [
          {
            kind: 'Sim',
            namespace: world.namespace,
            name: 'truck-17',
            reason: 'Created',
            cause: 'Creation',
            generation: 1,
            id: expect.any(String),
            steps: ['create', 'activate'],
            fields: [
              { field: 'displayName', before: 'none', after: 'truck-17' },
              { field: 'iccid', before: 'none', after: ICCID },
              { field: 'passCodeSecretRef', before: 'none', after: '(secret)' },
              { field: 'activated', before: 'false', after: 'true' },
            ],
          },
          {
            reason: 'Updated',
            cause: 'SpecChanged',
            generation: 2,
            steps: ['lockIMEI'],
            message: 'Locked it to IMEI 356938035643817. Because the spec changed: imeiLock.',
            fields: [{ field: 'imeiLock', before: 'not locked', after: '356938035643817' }],
          },
        ],
      }),
    );
    const labelled = JSON.parse(await changes(['sim'], { selector: 'team=east' }));
    expect(labelled.changes).toHaveLength(2);
    expect(JSON.parse(await changes([], { selector: 'team=west' })).changes).toEqual([]);
    expect(JSON.parse(await changes(['gateway'])).changes).toEqual([]);

    await world.delete('Sim', 'truck-17');
    await eventually(async () =>
      expect(await changes(['sim/truck-17'], { output: 'table' })).toContain('deactivate, delete'),
    );
    const table = await changes([], { output: 'table' });
    expect(table).toContain('sim/truck-17  lockIMEI            the spec changed (generation 2)');
    expect(table).toContain('\n  imeiLock: not locked → 356938035643817\n');
    expect(table).toContain('Events, which a cluster keeps for an hour');
  });

  it('is refused for what nothing is written for, and for a name with a selector', async () => {
    await expect(changes(['account/default'])).rejects.toThrow('nothing is written to the service for an account');
    await expect(changes(['sim/truck-17'], { selector: 'team=east' })).rejects.toThrow('a selector does not go with');
  });
});

it('an Event of a tenant, whatever is in it, ends nothing, and it is said that such can be made', async () => {
  const { namespace } = world;
  await kubectlOutput(['create', 'rolebinding', 'tina', '-n', namespace, '--clusterrole=edit', '--user=tina']);
  const told = {
    cause: 'constructor',
    steps: ['x'.repeat(100_000)],
    fields: [{ field: 'f', before: '\u001b[2J', after: 'b' }],
  };
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'forged', namespace, annotations: { 'edgeline.dev/change': JSON.stringify(told) } },
    involvedObject: { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', namespace, name: 'forged' },
    reason: 'Updated',
    message: 'y'.repeat(100_000),
    type: 'Normal',
    firstTimestamp: new Date().toISOString(),
    reportingComponent: 'edgeline.dev/operator',
    reportingInstance: 'x',
  };
  await eventually(() => kubectlOutput(['create', '--as=tina', '-f', '-'], { input: JSON.stringify(event) }));
  const shown = await changes([], { output: 'table' });
  expect(shown).toContain('sim/forged');
  expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThan(1000);
  expect(shown).toContain('whoever may write Events in a namespace can write what looks like one');
});
