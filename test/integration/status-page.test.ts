import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/cli/kinds.ts';
import { systemClock } from '../../src/clock.ts';
import { createKubeClient } from '../../src/kubernetes/client.ts';
import { loadKubeconfig } from '../../src/kubernetes/config.ts';
import { NAMESPACES } from '../../src/kubernetes/resource.ts';
import { createTransport } from '../../src/kubernetes/transport.ts';
import type { Operator } from '../../src/operator/start.ts';
import { createReviews } from '../../src/page/access/reviews.ts';
import { PAGE_LIMITS, statusPage } from '../../src/page/handler.ts';
import { statusPageRules } from '../../src/rbac.ts';
import { tokenKubeconfig } from '../../src/sandbox/control-plane/operator-kubeconfig.ts';
import { freePort } from '../../src/sandbox/processes/free-port.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { eventually } from '../support/kubernetes.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld, testClient, type World } from '../support/world.ts';

const sim = (name: string, iccid: string) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec: { iccid, passCodeSecretRef: { name: 'pass-codes', key: 'code' } },
});

const pageAt = (listen: string) => ({ listen, limits: PAGE_LIMITS, create: statusPage });

/** A ServiceAccount in the namespace and a token of it. */
async function userIn(namespace: string, name: string): Promise<string> {
  const client = await testClient();
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await client.raw('POST', accounts, { metadata: { name } });
  const answer = await client.raw('POST', `${accounts}/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 600 },
  });
  if (typeof answer !== 'object' || answer === null || !('status' in answer)) throw new Error('there is no token');
  const { status } = answer;
  if (typeof status !== 'object' || status === null || !('token' in status)) throw new Error('there is no token');
  return String(status.token);
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';

/** Lets the ServiceAccount list these, in its namespace or everywhere. */
async function allow(user: { namespace: string; name: string }, resources: string[], where: 'namespace' | 'cluster') {
  const client = await testClient();
  const place = where === 'cluster' ? rbac : `${rbac}/namespaces/${user.namespace}`;
  const prefix = where === 'cluster' ? 'Cluster' : '';
  const name = `${user.namespace}-${user.name}`;
  const kind = `${prefix}Role`;
  await client.raw('POST', `${place}/${kind.toLowerCase()}s`, {
    metadata: { name },
    rules: [{ apiGroups: ['edgeline.dev'], resources, verbs: ['list'] }],
  });
  await client.raw('POST', `${place}/${kind.toLowerCase()}bindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'ServiceAccount', ...user }],
  });
}

describe('the page beyond loopback', () => {
  let operator: Operator;
  let one: World;
  let other: World;
  let ask: (
    query: string,
    authorization?: string,
  ) => Promise<{ status: number; text: string; challenge: string | null }>;

  beforeAll(async () => {
    const port = await freePort();
    operator = await startTestOperator({ statusPage: pageAt(`0.0.0.0:${port}`) });
    ask = async (query, authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await fetch(`http://127.0.0.1:${port}/${query}`, { headers });
      return { status: answer.status, text: await answer.text(), challenge: answer.headers.get('www-authenticate') };
    };
    [one, other] = await Promise.all([createWorld({ prefix: 'page-one' }), createWorld({ prefix: 'page-other' })]);
    await one.apply(sim('seen-truck', '8981040000000000101'));
    await other.apply(sim('hidden-truck', '8981040000000000102'));
    await Promise.all([one.ready('Sim', 'seen-truck'), other.ready('Sim', 'hidden-truck')]);
  });

  afterAll(async () => {
    await operator.stop();
    await Promise.all([one.stop(), other.stop()]);
  });

  it.each([
    ['no token', undefined],
    ['a token of nobody', 'Bearer no-token-of-this-cluster'],
    ['a password', `Basic ${Buffer.from('admin:admin').toString('base64')}`],
  ])('shows nothing to whoever sends %s', async (_, authorization) => {
    const { status, text, challenge } = await ask('?view=resources', authorization);
    expect([status, challenge]).toEqual([401, 'Bearer realm="edgeline"']);
    expect(text).not.toMatch(/truck|page-one|leads since/);
  });

  it('shows a user what they may list, and no name and no count of anything else', async () => {
    const { namespace } = one;
    const token = await userIn(namespace, 'viewer');
    await allow({ namespace, name: 'viewer' }, ['sims'], 'namespace');
    for (const query of ['', '?view=resources', `?namespace=${other.namespace}`, '?q=hidden', '?view=certificates']) {
      const { status, text } = await ask(query, `Bearer ${token}`);
      expect(status).toBe(200);
      expect(text.replace(/value="[^"]*"/g, '')).not.toMatch(/hidden-truck|8981040000000000102|CloudAccount<\/a>/);
      expect(text.includes(other.namespace)).toBe(query.includes(other.namespace));
    }
    const overview = (await ask('', `Bearer ${token}`)).text;
    expect(overview).toContain(`Shown is what system:serviceaccount:${namespace}:viewer may list.`);
    expect(overview).toMatch(
      /<a href="\?kind=sim">Sim<\/a><\/th><td role="cell" data-label="All:" class="number">1<\/td>/,
    );
    expect(overview).not.toContain('wait for a worker');
    expect((await ask('?view=resources', `Bearer ${token}`)).text).toContain('sim/seen-truck');

    const theirs = await ask(`?object=sim/${other.namespace}/hidden-truck`, `Bearer ${token}`);
    const nobodys = await ask(`?object=sim/${other.namespace}/no-such-truck`, `Bearer ${token}`);
    const body = (text: string) => text.slice(text.indexOf('<h2>'), text.indexOf('</main>'));
    expect(body(theirs.text)).toBe(body(nobodys.text));
    const own = await ask(`?object=sim/${namespace}/seen-truck`, `Bearer ${token}`);
    expect(own.text).toContain(`kubectl edgeline explain sim/seen-truck -n ${namespace}`);
  });

  it('shows all to whoever may list all, the accounts, the changes and the queue, too', async () => {
    const { namespace } = one;
    const token = await userIn(namespace, 'fleet-admin');
    await allow({ namespace, name: 'fleet-admin' }, ['*'], 'cluster');
    const { text } = await ask('?q=truck', `Bearer ${token}`);
    expect(text).toContain('sim/seen-truck');
    expect(text).toContain('sim/hidden-truck');
    const overview = (await ask('', `Bearer ${token}`)).text;
    expect(overview).toContain('cloudaccount/default');
    expect(overview).toMatch(/\d+ of 500 web acceleration requests of the hour used/);
    expect(overview).toContain('List of SIMs');
    expect(overview).toContain('wait for a worker');
    expect((await ask(`?object=sim/${namespace}/seen-truck`, `Bearer ${token}`)).text).toMatch(
      /iccid: from none to 8981040000000000101[\s\S]*the resource is new/,
    );
  });
});

it('two rules suffice for asking who somebody is and what they may see', async () => {
  const client = await testClient();
  const namespace = `page-reviewer-${Date.now()}`;
  await client.raw('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const viewer = await userIn(namespace, 'viewer');
  await allow({ namespace, name: 'viewer' }, ['sims', 'mobilegateways'], 'namespace');
  const connection = await loadKubeconfig({ kubeconfig: adminKubeconfig(), clock: systemClock, environment: {} });
  const identity = { name: 'reviewer', namespace };
  const asReviewer = JSON.parse(tokenKubeconfig(connection, await userIn(namespace, 'reviewer'), identity));
  const file = join(mkdtempSync(join(tmpdir(), 'edgeline-reviewer-')), 'kubeconfig');
  writeFileSync(file, JSON.stringify(asReviewer));
  const own = createKubeClient({
    transport: createTransport(await loadKubeconfig({ kubeconfig: file, clock: systemClock, environment: {} })),
    userAgent: 'edgeline-test',
    fieldManager: 'edgeline-test',
    clock: systemClock,
    random: () => 0,
  });
  const reviews = createReviews(() => own, systemClock);
  await expect(reviews.userOf(viewer)).rejects.toThrow(/may not create tokenreviews|forbidden/i);

  const name = `${namespace}-status-page`;
  await client.raw('POST', `${rbac}/clusterroles`, {
    metadata: { name },
    rules: statusPageRules.map(({ why: _why, ...rule }) => rule),
  });
  await client.raw('POST', `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', ...identity }],
  });
  await eventually(async () => expect((await reviews.userOf(viewer))?.username).toContain(`${namespace}:viewer`));
  const user = await reviews.userOf(viewer);
  if (!user) throw new Error('nobody');
  const wanted = kinds.map((kind) => ({ kind, namespace: kind.namespaced ? namespace : undefined }));
  const sight = await reviews.sightOf(user, wanted);
  expect(kinds.filter(({ kind }) => sight.sees(kind, namespace)).map(({ kind }) => kind)).toEqual([
    'Sim',
    'MobileGateway',
  ]);
  expect([sight.isWhole, sight.isPartial, sight.sees('Sim', 'default')]).toEqual([false, false, false]);
  await own.close();
  await client.delete(NAMESPACES, undefined, namespace);
});

describe('two replicas', () => {
  it('one shows, and the other says that it stands by, until it leads', async () => {
    const world = await createWorld({ prefix: 'page-replicas' });
    const ports = [await freePort(), await freePort()];
    const start = (index: number) =>
      startTestOperator({
        leaderElect: true,
        leaseNamespace: world.namespace,
        namespaces: [world.namespace],
        identity: `replica-${index}`,
        instance: `replica-${index}`,
        statusPage: pageAt(`127.0.0.1:${ports[index]}`),
        onFatal: () => undefined,
      });
    const look = async (index: number) => {
      const answer = await fetch(`http://127.0.0.1:${ports[index]}/?view=resources`);
      return { status: answer.status, text: await answer.text() };
    };
    const first = await start(0);
    await world.apply(sim('truck', '8981040000000000103'));
    await world.ready('Sim', 'truck');
    const second = await start(1);
    await eventually(async () => expect((await look(1)).text).toContain('It is replica-0, as this one has seen last.'));
    expect((await look(1)).status).toBe(503);
    expect((await look(1)).text).not.toContain('truck');
    expect((await look(0)).text).toContain('sim/truck');
    expect((await look(0)).text).toContain('This replica, replica-0, leads since');
    await first.stop();
    await eventually(async () => expect((await look(1)).text).toContain('sim/truck'));
    await second.stop();
    await world.stop();
  });
});
