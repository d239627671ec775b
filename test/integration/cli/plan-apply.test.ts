import { beforeAll, describe, expect, it } from 'vitest';
import type { Applying } from '../../../src/plan/manifests/applying.ts';
import { clusterOf, rehearse } from '../../../src/plan/manifests/rehearse.ts';
import { createRandom } from '../../../src/shadow/world/random.ts';
import { kubectl, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';

interface Step {
  readonly how: readonly string[];
  readonly spec: object;
  readonly labels?: Readonly<Record<string, string>>;
}
const client = (spec: object, labels?: Step['labels']): Step => ({ how: [], spec, ...(labels && { labels }) });
const server = (spec: object, ...more: readonly string[]): Step => ({ how: ['--server-side', ...more], spec });
const argo = ['--field-manager=argocd-controller'];
const edited = (spec: object): Step => ({ how: ['patch'], spec });

const A = { activated: true };
const AB = { activated: true, displayName: 'Truck 17' };
const ABC = { ...AB, imeiLock: '356938035643809' };

let namespace: string;
beforeAll(async () => {
  namespace = await testNamespace('apply');
});

function manifestOf(name: string, iccid: string, { spec, labels }: Step) {
  const metadata = { name, namespace, ...(labels && { labels }) };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid, ...spec } };
}

async function carryOut(name: string, iccid: string, step: Step): Promise<boolean> {
  if (step.how[0] === 'patch') {
    const patch = JSON.stringify({ spec: step.spec });
    await kubectlOutput([
      'patch',
      'sim',
      name,
      '-n',
      namespace,
      '--type=merge',
      '-p',
      patch,
      '--field-manager=kubectl-edit',
    ]);
    return true;
  }
  const input = JSON.stringify(manifestOf(name, iccid, step));
  return (await kubectl(['apply', ...step.how, '-f', '-'], { input })).code === 0;
}

async function stored(name: string) {
  return JSON.parse(await kubectlOutput(['get', 'sim', name, '-n', namespace, '-o', 'json', '--show-managed-fields']));
}

function applyingOf({ how }: Step): Applying {
  if (!how.includes('--server-side')) return { by: 'client' };
  const manager = how.find((flag) => flag.startsWith('--field-manager='))?.split('=')[1] ?? 'kubectl';
  return { by: 'server', manager, force: how.includes('--force-conflicts') };
}

const meant = (object: { spec: unknown; metadata: { labels?: unknown } }) => ({
  spec: object.spec,
  labels: object.metadata.labels ?? {},
});

let count = 0;

describe('what a plan takes an apply to make of an object is what kubectl and the apiserver make of it', () => {
  it.each<[string, readonly Step[], Step]>([
    ['client-side, a field that left', [client(AB)], client(A)],
    ['client-side, a field that another added', [client(A), edited({ displayName: 'x' })], client(A)],
    ['client-side, a field that another changed', [client(AB), edited({ displayName: 'x' })], client(AB)],
    ['client-side, a field that another changed and that left', [client(AB), edited({ displayName: 'x' })], client(A)],
    ['client-side, labels', [client(A, { a: '1', b: '2' })], client(A, { a: '3' })],
    ['server-side, a field that left', [server(AB)], server(A)],
    ['server-side, a field that another added', [server(A), edited({ displayName: 'x' })], server(A)],
    ['server-side, a field that another changed', [server(AB), edited({ displayName: 'x' })], server(AB)],
    ['server-side, the same, forced', [server(AB), edited({ displayName: 'x' })], server(AB, '--force-conflicts')],
    ['server-side, a field that another changed and that left', [server(AB), edited({ displayName: 'x' })], server(A)],
    ['server-side, a field that two apply', [server(AB), server(AB, ...argo)], server(A)],
    ['server-side by another manager, a field that left', [server(AB, ...argo)], server(A, ...argo)],
    ['server-side by kubectl over that of another', [server(AB, ...argo)], server(A)],
    ['server-side by kubectl against another', [server(AB, ...argo)], server({ activated: false })],
    ['from client-side to server-side, a field that left', [client(AB)], server(A)],
    ['from client-side to server-side, a changed field', [client(AB)], server({ ...AB, displayName: 'y' })],
    ['from client-side to server-side, changed by another', [client(AB), edited({ displayName: 'x' })], server(AB)],
    ['from client-side to server-side of another manager, a field that left', [client(AB)], server(A, ...argo)],
    [
      'from client-side to server-side of another manager, a changed field',
      [client(AB)],
      server({ ...AB, displayName: 'y' }, ...argo),
    ],
    ['client-side, a field that is not known', [client(A)], client({ ...AB, activatd: true })],
    ['client-side, a field that is not known and null', [client(A)], client({ ...AB, activatd: null })],
    ['server-side, a field that is not known', [server(A)], server({ ...AB, activatd: true })],
    ['server-side, a field that is not known and null', [server(A)], server({ ...AB, activatd: null })],
    ['after the migration, a field that left', [client(ABC), server(AB)], server(A)],
    ['after the migration, back to client-side', [client(ABC), server(AB)], client(A)],
    ['from server-side to client-side, a field that left', [server(AB)], client(A)],
    ['from server-side to client-side and once more', [server(ABC), client(AB)], client(A)],
    ['from server-side of another manager to client-side', [server(AB, ...argo)], client(A)],
    ['from client-side to server-side, labels', [client(A, { a: '1', b: '2' })], { ...server(A), labels: { a: '3' } }],
  ])('%s', async (_, before, last) => {
    count++;
    const name = `truck-${count}`;
    const iccid = `89810400000000${String(count).padStart(5, '0')}`;
    for (const step of before) expect(await carryOut(name, iccid, step)).toBe(true);
    const cluster = [await stored(name), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }];
    const apiserver = clusterOf(cluster, { now: () => 1_800_000_000_000, random: createRandom('apply') });
    const manifests = [{ source: 'a.yaml', object: manifestOf(name, iccid, last) }];
    const rehearsal = rehearse(apiserver, manifests, {
      namespace,
      prune: new Set(),
      cluster,
      applying: applyingOf(last),
    });
    const planned = apiserver.get('sims', namespace, name);
    const isTaken = await carryOut(name, iccid, last);
    expect({ isTaken, ...meant(JSON.parse(JSON.stringify(planned))) }).toEqual({
      isTaken: rehearsal.refused.length === 0,
      ...meant(await stored(name)),
    });
  });
});
