import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { messageOf } from '../../errors.ts';
import { type RunningControlPlane, START_LIMIT_MILLISECONDS, type StartOptions } from '../control-plane/running.ts';
import { ControlPlaneUnavailable } from '../errors.ts';
import { createProcesses, type SandboxProcess } from '../processes/processes.ts';
import { makeTemporary, ROOM_OR_TMPDIR } from '../temporary-directory.ts';

/**
 * Starts `etcd` and `kube-apiserver` from the directory that KUBEBUILDER_ASSETS names, as controller-runtime's envtest
 * does. There are no controllers.
 *
 * @throws {ControlPlaneUnavailable} when one of them ends or doesn't answer; with the end of its log.
 */
export async function startEnvtest(options: StartOptions): Promise<RunningControlPlane> {
  const { bin, clock } = options;
  if (options.fakeKubelet) {
    throw new ControlPlaneUnavailable(
      'The programs of KUBEBUILDER_ASSETS have no controllers, so pods can not be shown as running',
      'Unset KUBEBUILDER_ASSETS to use the control plane of the project.',
    );
  }
  const temporary = options.dataDir === undefined;
  const dataDir = temporary
    ? makeTemporary('control-plane-', ControlPlaneUnavailable, ROOM_OR_TMPDIR)
    : resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const processes = createProcesses({ clock, graceMilliseconds: 10_000 });
  const file = (name: string) => join(dataDir, name);
  const stop = async () => {
    await processes.stopAll();
    if (temporary) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const token = prepareSecrets(file('pki'));
    const [clients, peers, secure] = [await freePort(), await freePort(), options.port ?? (await freePort())];
    const server = `https://127.0.0.1:${secure}`;
    const etcd = await processes.start({
      name: 'etcd',
      command: join(bin, 'etcd'),
      args: etcdArguments(file('etcd'), clients, peers),
      output: { file: file('etcd.log') },
    });
    const apiServer = await processes.start({
      name: 'kube-apiserver',
      command: join(bin, 'kube-apiserver'),
      args: apiServerArguments(file('pki'), clients, secure),
      output: { file: file('kube-apiserver.log') },
    });
    const ca = file('pki/apiserver.crt');
    await Promise.race([
      ready(server, ca, token, options),
      failed(etcd, file('etcd.log')),
      failed(apiServer, file('kube-apiserver.log')),
    ]);
    const kubeconfig = file('kubeconfig');
    writeFileSync(kubeconfig, kubeconfigFor(server, readFileSync(ca, 'utf8'), token), { mode: 0o600 });
    return { kubeconfig, server, pid: apiServer.pid, exited: Promise.race([apiServer.exited, etcd.exited]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Writes the key that signs service account tokens and the administrator's token. The serving certificate is made by
 * kube-apiserver itself, in the same directory.
 */
function prepareSecrets(pki: string): string {
  mkdirSync(pki, { recursive: true, mode: 0o700 });
  const signing = join(pki, 'sa.key');
  if (!existsSync(signing)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(signing, privateKey.export({ format: 'pem', type: 'sec1' }), { mode: 0o600 });
  }
  const token = randomBytes(32).toString('hex');
  writeFileSync(join(pki, 'tokens.csv'), `${token},admin,admin,"system:masters"\n`, { mode: 0o600 });
  return token;
}

function etcdArguments(dataDir: string, clients: number, peers: number): string[] {
  const [clientURL, peerURL] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
  return [
    `--data-dir=${dataDir}`,
    `--listen-client-urls=${clientURL}`,
    `--advertise-client-urls=${clientURL}`,
    `--listen-peer-urls=${peerURL}`,
    `--initial-advertise-peer-urls=${peerURL}`,
    `--initial-cluster=default=${peerURL}`,
    '--unsafe-no-fsync',
  ];
}

function apiServerArguments(pki: string, etcdPort: number, port: number): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--cert-dir=${pki}`,
    `--token-auth-file=${join(pki, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${join(pki, 'sa.key')}`,
    `--service-account-signing-key-file=${join(pki, 'sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    // It rejects every pod of a namespace without a default service account, and nobody makes one here.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

async function ready(server: string, ca: string, token: string, { clock, signal }: StartOptions): Promise<void> {
  const deadline = clock.monotonic() + START_LIMIT_MILLISECONDS;
  while (!existsSync(ca) || (await readyz(server, readFileSync(ca, 'utf8'), token)) !== 200) {
    if (clock.monotonic() > deadline) {
      throw new ControlPlaneUnavailable(
        `kube-apiserver did not answer within ${START_LIMIT_MILLISECONDS / 1_000} s`,
        'Try again on a machine with less load.',
      );
    }
    await clock.sleep(100, signal);
  }
}

/** The status of /readyz; undefined while nobody answers. */
function readyz(server: string, ca: string, token: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request(
      `${server}/readyz`,
      { ca, headers: { Authorization: `Bearer ${token}` }, timeout: 2_000, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    call.on('error', () => resolve(undefined));
    call.on('timeout', () => call.destroy());
    call.end();
  });
}

async function failed(process: SandboxProcess, log: string): Promise<never> {
  const { code, signal } = await process.exited;
  let tail = '';
  try {
    tail = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
  } catch (error) {
    tail = messageOf(error);
  }
  throw new ControlPlaneUnavailable(
    `${process.name} ended while starting (${signal ?? `exit code ${code}`}):\n${tail}`,
    'Check that the programs in KUBEBUILDER_ASSETS fit this machine, and that the port is free.',
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function kubeconfigFor(server: string, ca: string, token: string): string {
  const name = 'sandbox';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name, context: { cluster: name, user: 'admin' } }],
  });
}
