import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runStatus } from '../../../../src/cli/status/run.ts';
import { capture } from '../../../support/cli.ts';
import { sim } from '../objects.ts';

/** An apiserver that has the Sim `a`, and nothing else. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://apiserver');
  const isIt = pathname.endsWith('/namespaces/fleet/sims/a');
  const isObject = /\/v1alpha1\/(namespaces\/fleet\/)?\w+\/\w+$/.test(pathname);
  const notFound = {
    apiVersion: 'v1',
    kind: 'Status',
    status: 'Failure',
    reason: 'NotFound',
    message: 'no',
    code: 404,
  };
  const body = isIt ? sim('a', undefined) : isObject ? notFound : { metadata: {}, items: [] };
  response.writeHead(isObject && !isIt ? 404 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
});
let kubeconfig: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  kubeconfig = join(mkdtempSync(join(tmpdir(), 'edgeline-status-')), 'kubeconfig');
  const named = (member: string, value: object) => [{ name: 'x', [member]: value }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: named('cluster', { server: `http://127.0.0.1:${port}` }),
      users: named('user', {}),
      contexts: named('context', { cluster: 'x', user: 'x', namespace: 'fleet' }),
      'current-context': 'x',
    }),
  );
});
afterAll(() => void server.close());

/** What is printed, and the error, of `edgeline status` with these arguments. */
async function status(...targets: string[]) {
  const surroundings = capture();
  const options = { targets, output: 'json', all: true, watch: false, kubeconfig } as const;
  const error: unknown = await runStatus(options, surroundings, new AbortController().signal).catch((one) => one);
  const said = surroundings.said();
  const names = said === '' ? undefined : JSON.parse(said).objects.map(({ name }: { name: string }) => name);
  return { names, error };
}

describe('a name that is not there', () => {
  it('hides nothing of the others, and is an error, which says all of them', async () => {
    expect(await status('sim/a', 'sim/b', 'gateway/c', 'account/d')).toEqual({
      names: ['a'],
      error: expect.objectContaining({
        code: 'Cluster',
        message:
          'there is no CloudAccount d in namespace fleet, there is no MobileGateway c in namespace fleet, there is no Sim b in namespace fleet',
      }),
    });
  });

  it.each(['sim/b', 'account/d'])('is the error alone where nothing else is: %s', async (target) => {
    expect(await status(target)).toEqual({
      names: undefined,
      error: expect.objectContaining({ code: 'Cluster', message: expect.stringMatching(/^there is no \w+ [bd] in/) }),
    });
  });
});
