import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import { clusterRules, operatorName, type Rule } from '../../../src/rbac.ts';
import { apply, eventually, kubectl, kubectlOutput } from '../../support/kubernetes.ts';
import { secret } from '../../support/manifests.ts';
import { createWorld, type World } from '../../support/world.ts';
import { ablations, blindToSecrets, type Outcome, withAllRules } from './ablations.ts';
import { type Permissions, startWith } from './operator.ts';

const sim = (name: string, number: number, spec: object = {}) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec: {
    iccid: `898104000000000000${number}`,
    passCodeSecretRef: { name: 'pass-codes', key: 'code' },
    activated: true,
    ...spec,
  },
});

type Running = Awaited<ReturnType<typeof startWith>>;

/** What may not be watched is seen by listing, each 30 seconds at last; several such steps follow one another. */
const byListing = { timeoutSeconds: 100 };

/** Gives the operator something of everything to do, once it is as ready as it gets. */
async function giveTasks(
  world: World,
  existing: Existing,
  { process, isReady }: Running,
  branch: string,
  expected: Outcome,
): Promise<void> {
  await eventually(async () => {
    const isUp = (await isReady()) && process.log().includes('"message":"leading"');
    expect(isUp || process.log().includes('a permission is missing')).toBe(true);
  });
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: branch, labels: { branch } } });
  if (existing === HOLDER_LEASE) for (const one of [branch, world.namespace]) await makeLease(existing, one);
  await world.makeAccount();
  const account = await world.get('CloudAccount', 'default');
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'ClusterCloudAccount',
    metadata: { name: branch },
    spec: {
      ...account.spec,
      secretNamespace: world.namespace,
      namespaceSelector: { matchLabels: { branch } },
    },
  });
  await apply(
    secret('pass-codes', { code: 'test-pass-code' }).replace(
      'name: pass-codes',
      `name: pass-codes, namespace: ${branch}`,
    ),
  );
  if (expected.account === 'Verified') {
    // On a busy machine a Sim would say first that it waits for its account.
    await eventually(() => world.ready('CloudAccount', 'default'), byListing);
    await eventually(() => world.ready('ClusterCloudAccount', branch), byListing);
  }
  const accountRef = { kind: 'ClusterCloudAccount', name: branch };
  await world.apply(sim('truck', 1));
  await world.apply(sim('late', 2, { passCodeSecretRef: { name: 'pass-codes-late', key: 'code' } }));
  await apply({ ...sim('branch', 3, { accountRef }), metadata: { name: 'branch', namespace: branch } });
}

/** Has drift put right twice, one after the other, so that an event is counted. */
async function causeDrift(world: World): Promise<void> {
  const { status } = await eventually(() => world.ready('Sim', 'truck'), byListing);
  const id = String(status?.['id']);
  for (let times = 0; times < 2; times++) {
    await world.simulator.patch({ sims: { [id]: { activated: false } } });
    await eventually(async () => expect((await world.simulator.state()).sims[id]).toMatchObject({ activated: true }));
  }
}

/** What is left of a plan that the machine's standing still cut off is told on its own, without a cause or as begun earlier. */
function isRest({ reason, note }: { readonly reason: string; readonly note: string }): boolean {
  return reason === 'Updated' && (!note.includes('Because') || note.includes('it was begun earlier'));
}

async function outcomeOf(world: World, { process, isReady }: Running, branch: string): Promise<Outcome> {
  const reason = async (kind: string, name: string, namespace: string) => {
    const text = await kubectlOutput(['get', kind, name, '-n', namespace, '-o', 'json']);
    const { status } = JSON.parse(text);
    const ready = status?.conditions?.find(({ type }: { type: string }) => type === 'Ready');
    return ready?.reason ?? 'none';
  };
  const log = process.log();
  const missing = [...log.matchAll(/a permission is missing: .*? cannot (\w+) resource \\"([\w/]+)\\"/g)];
  const events = await world.events('truck');
  return {
    ready: await isReady(),
    leads: log.includes('"message":"leading"'),
    account: await reason('cloudaccount', 'default', world.namespace),
    truck: await reason('sim', 'truck', world.namespace),
    late: await reason('sim', 'late', world.namespace),
    branch: await reason('sim', 'branch', branch),
    // Whether drift is seen in time depends on when what may not be watched is listed anew.
    events: events
      .filter((event) => event.reason !== 'DriftCorrected' && !isRest(event))
      .map(({ reason: what, count, note }) => `${what} ${count}${what === 'Updated' ? `: ${note}` : ''}`)
      .sort(),
    missing: [...new Set(missing.map(([, verb, resource]) => `${verb} ${resource}`))].sort(),
  };
}

/** The Lease that is there before the operator, held by nobody: it has to take that one. */
type Existing = typeof operatorName | typeof HOLDER_LEASE | undefined;

async function makeLease(name: string, namespace: string): Promise<void> {
  const metadata = { name, namespace };
  const spec = { leaseDurationSeconds: 1, holderIdentity: '' };
  await apply({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
}

/** What only shows when another process goes on with the tasks: it reads what is on record of the hour before it writes. */
async function goOn(world: World, running: Running, expected: Outcome): Promise<void> {
  await running.restart();
  await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour: 400 } } });
  if (expected.missing.length === 0) await eventually(() => world.ready('CloudAccount', 'default'), byListing);
}

async function expectOutcome(
  permissions: Permissions,
  expected: Outcome,
  { existing, isRestarted = false }: { readonly existing?: Existing; readonly isRestarted?: boolean } = {},
): Promise<void> {
  const name = `perm-${randomBytes(4).toString('hex')}`;
  const world = await createWorld({ account: false });
  if (existing === operatorName) {
    await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await makeLease(existing, name);
  }
  const running = await startWith(permissions, name);
  try {
    await giveTasks(world, existing, running, `${name}-branch`, expected);
    if (expected.truck === 'Available') await causeDrift(world);
    if (expected.late !== 'none' && expected.account === 'Verified') {
      const wait = { type: 'Ready', status: 'False', reason: 'PassCodeSecretNotFound' } as const;
      await eventually(() => world.condition('Sim', 'late', wait), byListing);
    }
    await world.apply(secret('pass-codes-late', { code: 'test-pass-code' }));
    const isOutcome = (wanted: Outcome) =>
      eventually(async () => expect(await outcomeOf(world, running, `${name}-branch`)).toEqual(wanted), byListing);
    if (isRestarted) {
      await isOutcome(withAllRules);
      await goOn(world, running, expected);
    }
    await isOutcome(expected);
    // What did not happen yet must not happen a moment later.
    await sleep(1000);
    expect(await outcomeOf(world, running, `${name}-branch`)).toEqual(expected);
  } finally {
    await running.stop();
    // A test that failed before the Sim was made fails with what it found, not with this.
    const branch = ['sim', 'branch', '-n', `${name}-branch`];
    await kubectl(['patch', ...branch, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    await kubectlOutput(['delete', ...branch, '--ignore-not-found']);
    await world.stop();
  }
}

function without(rules: readonly Rule[], rule: Rule, verb: string): readonly Rule[] {
  const less = { ...rule, verbs: rule.verbs.filter((one) => one !== verb) };
  return rules.map((one) => (one === rule ? less : one)).filter(({ verbs }) => verbs.length > 0);
}

describe('an operator', () => {
  it('with the rules it ships with does all of its work', () => expectOutcome({}, withAllRules, { isRestarted: true }));

  it('that is told the names of its Secrets does all of it, and may read no other', () => {
    const names = ['service-credentials', 'service-ca', 'pass-codes', 'pass-codes-late'];
    const cluster = clusterRules.map((rule) =>
      rule.resources.includes('secrets') ? { ...rule, resourceNames: names } : rule,
    );
    return expectOutcome({ cluster, flags: [`--secrets=${names.join(',')}`] }, withAllRules);
  });

  it('whose roles name Secrets that it was not told stays blind, and says so', () => {
    const cluster = clusterRules.map((rule) =>
      rule.resources.includes('secrets') ? { ...rule, resourceNames: ['service-credentials'] } : rule,
    );
    return expectOutcome({ cluster }, blindToSecrets);
  });

  it.each(ablations.map((ablation) => [ablation.verb, ablation.rule.resources[0] ?? '', ablation] as const))(
    'that may not %s %s fails as the documentation says',
    (verb, _resource, { rules, rule, outcome }) => {
      const left = without(rules, rule, verb);
      const isLease = rule.resources.includes('leases');
      if (rules === clusterRules) {
        const isRestarted = rule.resources.includes('cloudaccounts') && verb === 'get';
        return expectOutcome(
          { cluster: left },
          outcome,
          isLease && verb === 'update' ? { existing: HOLDER_LEASE } : { isRestarted },
        );
      }
      // Whoever may make a Lease in every namespace may in its own.
      const cluster = clusterRules.filter((one) => !(one.resources.includes('leases') && one.verbs.includes(verb)));
      return expectOutcome(
        { cluster: verb === 'create' ? cluster : clusterRules, ownNamespace: left },
        outcome,
        verb === 'update' ? { existing: operatorName } : {},
      );
    },
  );
});
