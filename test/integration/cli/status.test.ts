import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runExplain } from '../../../src/cli/explain/run.ts';
import { kindOf } from '../../../src/cli/kinds.ts';
import { openSession } from '../../../src/cli/session.ts';
import { runStatus, type StatusOptions } from '../../../src/cli/status/run.ts';
import { systemClock } from '../../../src/clock.ts';
import type { Operator } from '../../../src/operator/start.ts';
import { userRules } from '../../../src/rbac.ts';
import { capture, kubeconfigWith } from '../../support/cli.ts';
import { apply, eventually, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const NEVER = new AbortController().signal;

/** Runs status as JSON, and gives its exit code with what it printed. */
async function status(options: Partial<StatusOptions>): Promise<{ code: number; printed: Record<string, unknown> }> {
  const surroundings = capture();
  const code = await runStatus(
    { targets: [], output: 'json', all: false, watch: false, kubeconfig: kubeconfigWith({}), ...options },
    surroundings,
    NEVER,
  );
  return { code, printed: JSON.parse(surroundings.said()) };
}

function sim(name: string, namespace: string, spec: object = {}, labels: Record<string, string> = {}): object {
  const iccid = `898104${String(Math.floor(Math.random() * 1e12)).padStart(12, '0')}`;
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name, namespace, labels },
    spec: { iccid, ...spec },
  };
}

describe('where no operator is', () => {
  it('says so, and that nobody has seen the objects; an older status counts for nothing', async () => {
    const namespace = await testNamespace('cli');
    await apply(sim('seen', namespace));
    await apply(sim('unseen', namespace, {}, { team: 'east' }));
    const conditions = [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Available',
        message: 'All is \u001b[31mwell\u202e.\nReally',
        observedGeneration: 1,
        lastTransitionTime: '2026-11-22T11:55:00Z',
      },
    ];
    const patch = JSON.stringify({ status: { observedGeneration: 1, conditions } });
    await kubectlOutput(['patch', 'sim', 'seen', '-n', namespace, '--subresource=status', '--type=merge', '-p', patch]);
    const before = await status({ namespace, targets: ['sim/seen'] });
    expect(before.printed).toMatchObject({ summary: [{ kind: 'Sim', ready: 1, total: 1 }], objects: [] });

    await kubectlOutput(['patch', 'sim', 'seen', '-n', namespace, '--type=merge', '-p', '{"spec":{"activated":true}}']);
    const { code, printed } = await status({ namespace });
    expect(code).toBe(2);
    expect(printed).toMatchObject({
      ready: false,
      operator: {
        state: 'NotRunning',
        messages: [expect.stringContaining(`No operator looks after namespace ${namespace}`)],
      },
      objects: [
        { name: 'seen', state: 'Outdated', generation: 2, observedGeneration: 1, since: null },
        { name: 'unseen', state: 'NotSeen', observedGeneration: -1 },
      ],
    });
    const labelled = await status({ namespace, selector: 'team=east' });
    expect(labelled.printed).toMatchObject({ objects: [{ name: 'unseen' }] });

    const surroundings = capture();
    await runExplain({ kubeconfig: kubeconfigWith({ namespace }), target: 'sim/seen', output: 'table' }, surroundings);
    expect(surroundings.said()).toContain('All is \\u{1b}[31mwell\\u{202e}. Really');
    expect(surroundings.said()).toContain('activated  true  -        to be written');
  });

  it('is empty, and well, where there is nothing', async () => {
    const namespace = await testNamespace('cli');
    const { code, printed } = await status({ namespace, targets: ['sim', 'gateway', 'site', 'certificate'] });
    expect(code).toBe(0);
    expect(printed).toMatchObject({ ready: true, objects: [], operator: { state: 'Unknown', messages: [] } });
  });
});

describe('where an operator runs', () => {
  let operator: Operator;
  let world: World;
  beforeAll(async () => {
    operator = await startTestOperator();
    world = await createWorld({ prefix: 'cli' });
  });
  afterAll(async () => {
    await world.stop();
    await operator.stop();
  });

  it('shows why something is not Ready, follows it until it is and is gone, and explains it', async () => {
    const passCodeSecretRef = { name: 'pass-codes', key: 'code' };
    await world.apply(sim('truck-17', world.namespace, { passCodeSecretRef, gatewayRef: { name: 'depot' } }));
    await world.condition('Sim', 'truck-17', { type: 'Ready', status: 'False', reason: 'GatewayNotFound' });
    const { namespace } = world;
    const { code, printed } = await status({ namespace });
    expect(code).toBe(2);
    expect(printed).toMatchObject({
      operator: { state: 'Running', messages: [] },
      objects: [
        {
          kind: 'Sim',
          namespace,
          name: 'truck-17',
          state: 'NotReady',
          reason: 'GatewayNotFound',
          message: `There is no MobileGateway depot in namespace ${namespace}. Create it, or correct gatewayRef.`,
          waitingFor: { who: 'person' },
          advice: 'Create the MobileGateway in the same namespace, or correct `gatewayRef`.',
        },
      ],
    });

    const watching = capture();
    const ending = new AbortController();
    const options = { targets: ['sim'], output: 'json', all: false, watch: true, namespace } as const;
    const watch = runStatus({ ...options, kubeconfig: kubeconfigWith({}) }, watching, ending.signal);
    const lines = () =>
      watching
        .said()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    await eventually(() => expect(lines()).toHaveLength(1));
    await world.patch('Sim', 'truck-17', { spec: { gatewayRef: null, activated: true } });
    await world.ready('Sim', 'truck-17');
    await eventually(() =>
      expect(lines().at(-1)).toMatchObject({ type: 'Changed', object: { name: 'truck-17', state: 'Ready' } }),
    );

    const explained = capture();
    await runExplain({ kubeconfig: kubeconfigWith({ namespace }), target: 'sim/truck-17', output: 'json' }, explained);
    expect(JSON.parse(explained.said())).toMatchObject({
      object: { state: 'Ready' },
      operator: { state: 'Running' },
      facts: { Ownership: 'Created', Account: 'CloudAccount/default', 'ID at the service': expect.any(String) },
      fields: [{ field: 'activated', spec: 'true', applied: 'true', difference: 'same' }],
      next: ['Nothing: it is Ready.'],
    });
    await eventually(async () => {
      const again = capture();
      await runExplain({ kubeconfig: kubeconfigWith({ namespace }), target: 'sim/truck-17', output: 'json' }, again);
      const { events } = JSON.parse(again.said());
      expect(events.map(({ reason }: { reason: string }) => reason)).toContain('Created');
    });

    await world.delete('Sim', 'truck-17');
    await world.gone('Sim', 'truck-17');
    await eventually(() => expect(lines().at(-1)).toMatchObject({ type: 'Gone', object: { name: 'truck-17' } }));
    ending.abort(new Error('ended'));
    expect(await watch).toBe(0);
    expect(watching.complained()).toBe('');
  });

  it('says nothing of operators once nothing is left to look after', async () => {
    const { namespace } = world;
    await world.apply(sim('short', namespace, { accountRef: { kind: 'CloudAccount', name: 'nowhere' } }));
    const watching = { ...capture(), clock: { ...systemClock, sleep: () => systemClock.sleep(20) } };
    const ending = new AbortController();
    const options = { targets: ['sim/short'], output: 'json', all: false, watch: true, namespace } as const;
    const watch = runStatus({ ...options, kubeconfig: kubeconfigWith({}) }, watching, ending.signal);
    const types = () => [...watching.said().matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
    await eventually(() => expect(watching.said()).toContain('"kind":"Status"'));
    await world.delete('Sim', 'short');
    await eventually(() => expect(types()).toContain('Gone'));
    await systemClock.sleep(500);
    ending.abort(new Error('ended'));
    await watch;
    expect(types().at(-1)).toBe('Gone');
  });

  it('finds an account by the word for both kinds', async () => {
    const explained = capture();
    const kubeconfig = kubeconfigWith({ namespace: world.namespace });
    await world.ready('CloudAccount', 'default');
    await runExplain({ kubeconfig, target: 'account/default', output: 'json' }, explained);
    expect(JSON.parse(explained.said())).toMatchObject({
      object: { kind: 'CloudAccount', state: 'Ready', reason: 'Verified' },
      facts: { Service: world.baseURL },
      fields: [],
    });
  });
});

interface Wrong extends Partial<StatusOptions> {
  readonly of: () => string;
}
const administrator = () => kubeconfigWith({});
const nowhere = () => '/nowhere/kubeconfig';
const away = () => kubeconfigWith({ server: 'https://127.0.0.1:1' });

describe('what goes wrong', () => {
  it('a person without permissions is told verb and resource', async () => {
    await expect(status({ namespace: 'default', kubeconfig: kubeconfigWith({ as: 'nobody' }) })).rejects.toMatchObject({
      message: expect.stringMatching(/^you may not list \w+\.edgeline\.dev in namespace default$/),
      advice: expect.stringMatching(/kubectl auth can-i list.*Or name the kinds that you may read/),
    });
  });

  it('a person who has the role that comes with Edgeline sees whether an operator looks after the namespace', async () => {
    const namespace = await testNamespace('cli');
    await apply(sim('truck-17', namespace));
    const rules = userRules.view.map((rule) => ({ ...rule, why: undefined }));
    const metadata = { name: 'viewer', namespace };
    await apply({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules });
    await kubectlOutput(['create', 'rolebinding', 'viewer', '-n', namespace, '--role=viewer', '--user=viewer']);
    const { printed } = await status({ namespace, kubeconfig: kubeconfigWith({ as: 'viewer' }) });
    expect(printed).toMatchObject({ operator: { state: 'NotRunning', unattended: [namespace] } });
    const explained = capture();
    await runExplain(
      { kubeconfig: kubeconfigWith({ as: 'viewer', namespace }), target: 'sim/truck-17', output: 'json' },
      explained,
    );
    expect(JSON.parse(explained.said()).events).toEqual([]);
  });

  it('a person who may read the kinds of one namespace, and nothing else, sees them and what is not known', async () => {
    const namespace = await testNamespace('cli');
    await apply(sim('truck-17', namespace));
    const resources = 'cloudaccounts,sims,mobilegateways,webaccelsites,sitecertificates';
    await kubectlOutput([
      'create',
      'role',
      'viewer',
      '-n',
      namespace,
      '--verb=get,list,watch',
      `--resource=${resources}`,
    ]);
    await kubectlOutput(['create', 'rolebinding', 'viewer', '-n', namespace, '--role=viewer', '--user=viewer']);
    const { code, printed } = await status({ namespace, kubeconfig: kubeconfigWith({ as: 'viewer' }) });
    expect(code).toBe(2);
    expect(printed).toMatchObject({
      operator: {
        state: 'Unknown',
        messages: [
          `Whether the operator runs is not known: you may not list leases.coordination.k8s.io in namespace ${namespace}.`,
        ],
      },
      notShown: [{ kind: 'ClusterCloudAccount', why: 'you may not list clustercloudaccounts.edgeline.dev' }],
      objects: [{ name: 'truck-17', state: 'NotSeen' }],
    });
    const explained = capture();
    const kubeconfig = kubeconfigWith({ as: 'viewer', namespace });
    await runExplain({ kubeconfig, target: 'sim/truck-17', output: 'json' }, explained);
    expect(JSON.parse(explained.said())).toMatchObject({
      events: null,
      eventsNote: `The events are not shown: you may not list events.events.k8s.io in namespace ${namespace}.`,
    });
    await expect(status({ namespace, kubeconfig, targets: ['clustercloudaccount'] })).rejects.toMatchObject({
      message: 'you may not list clustercloudaccounts.edgeline.dev',
    });
  });

  it('a kind that the cluster does not serve is named', async () => {
    const session = await openSession({ kubeconfig: kubeconfigWith({}) }, capture());
    await expect(session.list({ ...kindOf('Sim'), plural: 'trucks' }, 'default')).rejects.toMatchObject({
      message: expect.stringContaining('has no CustomResourceDefinition trucks.edgeline.dev'),
    });
    await session.close();
  });

  it.each<[string, Wrong, string]>([
    ['an apiserver that is away', { of: away }, 'https://127.0.0.1:1 did not answer'],
    ['an unknown context', { of: administrator, context: 'nowhere' }, 'the kubeconfig has no context nowhere'],
    ['a kubeconfig that is not there', { of: nowhere }, 'there is no file /nowhere/kubeconfig'],
    [
      'an object that is not there',
      { of: administrator, targets: ['sim/nobody'] },
      'there is no Sim nobody in namespace default',
    ],
    [
      'an account that is not there',
      { of: administrator, targets: ['account/nobody'] },
      'there is no CloudAccount nobody in namespace default',
    ],
    [
      'a name and a selector',
      { of: administrator, targets: ['sim/a'], selector: 'a=b' },
      'a selector does not go with the name of an object',
    ],
    [
      'a name in all namespaces',
      { of: administrator, targets: ['sim/a'], allNamespaces: true },
      'an object is in one namespace',
    ],
    [
      'Markdown that is followed',
      { of: administrator, watch: true, output: 'markdown' },
      'Markdown cannot be followed',
    ],
  ])('%s is told', async (_name, { of, ...options }, message) => {
    await expect(status({ ...options, kubeconfig: of() })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      advice: expect.stringMatching(/./),
    });
  });
});
