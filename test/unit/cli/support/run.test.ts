import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { BundleFile } from '../../../../src/cli/support/collect.ts';
import { runSupportBundle } from '../../../../src/cli/support/run.ts';
import { systemClock } from '../../../../src/clock.ts';

const LOG = '{"level":"info","message":"a\u202eb \u009b2J token=hunter2"}\n\u001b]0;title\u0007plain --token hunter2\n';

/**
 * A bundle of a cluster in which so many pods call themselves an operator's in each of these namespaces, which Leases name; in
 * the first each takes so long to give its log.
 */
async function bundleOf(pods: number, milliseconds: number, places: readonly string[] = ['ops']) {
  let waited = 0;
  const served = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const isLog = path.endsWith('/log');
    if (isLog && path.includes(`/${places[0]}/`)) waited += milliseconds;
    const items = path.endsWith('/pods')
      ? Array.from({ length: pods }, (_, index) => ({
          metadata: { name: `operator-${index}`, uid: `${index}`, resourceVersion: '1' },
          spec: { containers: [{ name: 'operator' }, { name: 'gone' }] },
        }))
      : path.endsWith('/leases')
        ? places.map((place) => ({
            metadata: { name: 'edgeline-holder', namespace: place, uid: place, resourceVersion: '1' },
            spec: { holderIdentity: `${place}/edgeline-operator` },
          }))
        : [];
    const isGone = isLog && request.url?.includes('container=gone');
    response.writeHead(isGone ? 500 : 200, { 'content-type': isLog && !isGone ? 'text/plain' : 'application/json' });
    const failure = { kind: 'Status', code: 500, message: 'no <img src=x> \u001b[2J password=hunter2' };
    const list = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items };
    response.end(isGone ? JSON.stringify(failure) : isLog ? LOG : JSON.stringify(list));
  });
  await new Promise<void>((done) => served.listen(0, '127.0.0.1', done));
  onTestFinished(() => void served.close());
  const { port }: AddressInfo = Object(served.address());
  const kubeconfig = join(mkdtempSync(join(tmpdir(), 'edgeline-cli-')), 'kubeconfig');
  const cluster = { name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } };
  const context = { name: 'c', context: { cluster: 'c', user: 'c' } };
  writeFileSync(
    kubeconfig,
    stringify({ 'current-context': 'c', clusters: [cluster], contexts: [context], users: [{ name: 'c', user: {} }] }),
  );
  const files: BundleFile[] = [];
  const stream = { write: () => true };
  const code = await runSupportBundle(
    { kubeconfig, namespace: 'fleet', logLines: 10, force: false, out: '/nowhere' },
    {
      clock: { ...systemClock, monotonic: () => systemClock.monotonic() + waited },
      random: () => 0.5,
      nonce: () => 'nonce',
      environment: {},
      version: '0',
      out: stream,
      err: stream,
    },
    {
      refuseTakenFile: async () => undefined,
      writeArchive: async (_path, _folder, written) => void files.push(...written),
    },
  );
  const textOf = (path: string) => files.find((file) => file.path === path)?.text ?? '';
  return { code, textOf, logs: files.filter(({ path }) => path.endsWith('.log')) };
}

it('what pods and the cluster wrote does nothing to whoever looks at it, and has no secret', async () => {
  const { textOf } = await bundleOf(1, 0);
  expect(textOf('operator/ops/operator-0/operator.log')).toBe(
    '{"level":"info","message":"a\\u202eb \\u009b2J token=(removed)"}\n\\u001b]0;title\\u0007plain --token (removed)\n',
  );
  const readme = textOf('README.md');
  expect(readme).toContain('\\<img src=x\\>');
  expect([readme.includes('\u001b'), readme.includes('hunter2')]).toEqual([false, false]);
});

it('pods that take their time end it after five minutes, and it says what is missing', async () => {
  const { code, textOf, logs } = await bundleOf(100, 50_000);
  expect(logs).toHaveLength(3);
  expect(code).toBe(3);
  expect(textOf('README.md')).toContain('- operator/ops/operator-99/operator.log: the pods before it took too long');
});

it('pods of one namespace that take their time leave the others theirs', async () => {
  const { logs } = await bundleOf(20, 50_000, ['aaa', 'ops']);
  const of = (place: string) => logs.filter(({ path }) => path.startsWith(`operator/${place}/`)).length;
  expect([of('aaa'), of('ops')]).toEqual([2, 20]);
});
