import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadKubeconfig } from '../../../src/kubernetes/config.ts';
import { KubeconfigError } from '../../../src/kubernetes/errors.ts';
import { contextsOf } from '../../../src/kubernetes/kubeconfig-files.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let directory: string;
let clock: ManualClock;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'edgeline-config-'));
  clock = new ManualClock();
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const CA = '-----BEGIN CERTIFICATE-----';
const base64 = (text: string) => Buffer.from(text).toString('base64');

function kubeconfig(user: object, cluster: object = {}): string {
  const path = join(directory, 'config');
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'one',
      clusters: [
        {
          name: 'c',
          cluster: { server: 'https://cluster:6443/', 'certificate-authority-data': base64(CA), ...cluster },
        },
      ],
      users: [{ name: 'u', user }],
      contexts: [
        { name: 'one', context: { cluster: 'c', user: 'u', namespace: 'ns-one' } },
        { name: 'two', context: { cluster: 'c', user: 'u' } },
        { name: 'broken', context: { cluster: 'missing', user: 'u' } },
      ],
    }),
  );
  return path;
}

function serviceAccount(token: string): string {
  const path = join(directory, 'serviceaccount');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'token'), `${token}\n`);
  writeFileSync(join(path, 'ca.crt'), 'CA');
  writeFileSync(join(path, 'namespace'), 'edgeline-system');
  return path;
}

const inPod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

describe('a kubeconfig', () => {
  it('gives server, certificates and namespace', async () => {
    const path = kubeconfig(
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
      { 'tls-server-name': 'other', 'proxy-url': 'http://proxy:3128' },
    );
    const connection = await loadKubeconfig({ kubeconfig: path, clock, environment: {} });
    expect({ ...connection, tls: connection.tls(), headers: await connection.headers() }).toEqual({
      server: 'https://cluster:6443',
      tls: { ca: CA, cert: 'CERT', key: 'KEY', servername: 'other', skipVerify: false },
      headers: {},
      refresh: expect.any(Function),
      namespace: 'ns-one',
      proxy: 'http://proxy:3128',
    });
  });

  it('gives the context asked for', async () => {
    const connection = await loadKubeconfig({ kubeconfig: kubeconfig({}), context: 'two', clock, environment: {} });
    expect(connection.namespace).toBe('default');
  });

  it.each([
    ['a token', { token: 'T' }, { authorization: 'Bearer T' }],
    ['a name and a password', { username: 'me', password: 'x' }, { authorization: `Basic ${base64('me:x')}` }],
    ['impersonation', { as: 'someone', token: 'T' }, { authorization: 'Bearer T', 'impersonate-user': 'someone' }],
  ])('authenticates with %s', async (_, user, headers) => {
    const connection = await loadKubeconfig({ kubeconfig: kubeconfig(user), clock, environment: {} });
    expect(await connection.headers()).toEqual(headers);
  });

  it('asks a credential plugin once, and anew after a refusal', async () => {
    const counter = join(directory, 'counter');
    writeFileSync(counter, '');
    const script = `echo x >> ${counter}; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-'$(wc -l < ${counter} | tr -d ' ')'"}}'`;
    const user = {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'sh',
        args: ['-c', script],
        interactiveMode: 'Never',
      },
    };
    const connection = await loadKubeconfig({ kubeconfig: kubeconfig(user), clock, environment: {} });
    expect(await connection.headers()).toEqual({ authorization: 'Bearer token-1' });
    await clock.advance(120_000);
    expect(await connection.headers()).toEqual({ authorization: 'Bearer token-1' });
    connection.refresh();
    expect(await connection.headers()).toEqual({ authorization: 'Bearer token-2' });
  });

  it('says so when its credential plugin fails', async () => {
    const user = { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args: ['-c', 'exit 3'] } };
    const connection = await loadKubeconfig({ kubeconfig: kubeconfig(user), clock, environment: {} });
    await expect(connection.headers()).rejects.toThrow(KubeconfigError);
  });

  it('notices a certificate that was rotated, and keeps the connection otherwise', async () => {
    const ca = join(directory, 'ca.crt');
    writeFileSync(ca, 'OLD');
    const cluster = { 'certificate-authority': ca, 'certificate-authority-data': undefined };
    const connection = await loadKubeconfig({ kubeconfig: kubeconfig({}, cluster), clock, environment: {} });
    const first = connection.tls();
    await clock.advance(61_000);
    expect(connection.tls()).toBe(first);
    writeFileSync(ca, 'NEW');
    expect(connection.tls()).toBe(first);
    await clock.advance(61_000);
    expect(connection.tls()).toEqual({ ca: 'NEW', skipVerify: false });
  });

  it.each([
    ['is not there', () => join(directory, 'none'), undefined, 'the kubeconfig cannot be read: there is no file'],
    ['is a directory', () => directory, undefined, 'is a directory'],
    [
      'is something else',
      () => {
        const path = join(directory, 'passwd');
        writeFileSync(path, 'root:x:0:0\n');
        return path;
      },
      undefined,
      'is no kubeconfig',
    ],
    [
      'has certificates that are none',
      () => kubeconfig({}, { 'certificate-authority-data': base64('nothing') }),
      undefined,
      'the kubeconfig has no PEM in certificate-authority-data of the cluster c',
    ],
    [
      'names a file that is not there',
      () => kubeconfig({}, { 'certificate-authority': '/nowhere/ca.crt', 'certificate-authority-data': undefined }),
      undefined,
      'the kubeconfig names a file that cannot be used: there is no file /nowhere/ca.crt',
    ],
    [
      'has a server that is no address',
      () => kubeconfig({}, { server: 'nonsense' }),
      undefined,
      'the kubeconfig has the server nonsense, which is no address',
    ],
    [
      'has a proxy that is no address',
      () => kubeconfig({}, { 'proxy-url': 'proxy:3128' }),
      undefined,
      'the kubeconfig has the proxy-url proxy:3128, which is no address',
    ],
    ['has no such context', () => kubeconfig({}), 'none', 'has no context none'],
    ['has a context without cluster', () => kubeconfig({}), 'broken', 'has no cluster for context broken'],
  ])('says what is wrong when it %s', async (_, path, context, message) => {
    const loaded = loadKubeconfig({
      kubeconfig: path(),
      ...(context === undefined ? {} : { context }),
      clock,
      environment: {},
    });
    await expect(loaded).rejects.toThrow(message);
    await expect(loaded).rejects.toBeInstanceOf(KubeconfigError);
  });
});

describe('KUBECONFIG', () => {
  const load = (files: readonly string[]) =>
    loadKubeconfig({ clock, environment: { KUBECONFIG: files.join(delimiter) } });

  function other(name: string, content: string): string {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  }

  const second = JSON.stringify({
    'current-context': 'far',
    clusters: [
      { name: 'c', cluster: { server: 'https://second:6443' } },
      { name: 'far', cluster: { server: 'https://far:6443' } },
    ],
    users: [{ name: 'u', user: {} }],
    contexts: [
      { name: 'one', context: { cluster: 'far', user: 'u' } },
      { name: 'far', context: { cluster: 'far', user: 'u', namespace: 'ns-far' } },
    ],
  });

  it('may name files that are missing or empty, which kubectl passes over', async () => {
    const { server } = await load([
      join(directory, 'none'),
      other('empty', '\n'),
      kubeconfig({}),
      join(directory, 'no'),
    ]);
    expect(server).toBe('https://cluster:6443');
    await expect(load([join(directory, 'none'), other('empty', '')])).rejects.toThrow(
      /^there is no kubeconfig: KUBECONFIG names what is not there or empty: .*none.*empty/,
    );
  });

  it('gives what several files have as the first has it, the current context too', async () => {
    const both = [kubeconfig({}), other('second', second)];
    expect(
      [await load(both), await load(both.toReversed())].map(({ server, namespace }) => [server, namespace]),
    ).toEqual([
      ['https://cluster:6443', 'ns-one'],
      ['https://far:6443', 'ns-far'],
    ]);
    const environment = { KUBECONFIG: both.join(delimiter) };
    expect((await loadKubeconfig({ clock, environment, context: 'far' })).server).toBe('https://far:6443');
    expect(await contextsOf({ environment })).toEqual(['one', 'two', 'broken', 'far']);
  });
});

it('a server without TLS is reached as kubectl reaches it', async () => {
  const path = kubeconfig({ token: 't' }, { server: 'http://127.0.0.1:8001', 'certificate-authority-data': undefined });
  const connection = await loadKubeconfig({ kubeconfig: path, clock, environment: {} });
  expect([connection.server, await connection.headers()]).toEqual([
    'http://127.0.0.1:8001',
    { authorization: 'Bearer t' },
  ]);
});

describe('a service account', () => {
  it('is used inside a pod', async () => {
    const connection = await loadKubeconfig({ environment: inPod, serviceAccountPath: serviceAccount('T1'), clock });
    expect({ ...connection, tls: connection.tls(), headers: await connection.headers() }).toEqual({
      server: 'https://10.0.0.1:443',
      tls: { ca: 'CA', skipVerify: false },
      headers: { authorization: 'Bearer T1' },
      refresh: expect.any(Function),
      namespace: 'edgeline-system',
    });
  });

  it('reads its token anew each minute, and at once after a refusal', async () => {
    const path = serviceAccount('T1');
    const connection = await loadKubeconfig({ environment: inPod, serviceAccountPath: path, clock });
    serviceAccount('T2');
    expect(await connection.headers()).toEqual({ authorization: 'Bearer T1' });
    await clock.advance(61_000);
    expect(await connection.headers()).toEqual({ authorization: 'Bearer T2' });
    serviceAccount('T3');
    connection.refresh();
    expect(await connection.headers()).toEqual({ authorization: 'Bearer T3' });
  });

  it('writes an IPv6 address as a URL does', async () => {
    const environment = { ...inPod, KUBERNETES_SERVICE_HOST: 'fd00::1' };
    const connection = await loadKubeconfig({ environment, serviceAccountPath: serviceAccount('T'), clock });
    expect(connection.server).toBe('https://[fd00::1]:443');
  });

  it('says what is missing', async () => {
    const loaded = loadKubeconfig({ environment: inPod, serviceAccountPath: join(directory, 'none'), clock });
    await expect(loaded).rejects.toMatchObject({
      code: 'KubeconfigUnusable',
      advice: expect.stringContaining('mount'),
    });
  });
});
