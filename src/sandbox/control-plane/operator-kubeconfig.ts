import { renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { messageOf } from '../../errors.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { KubeConnection } from '../../kubernetes/config.ts';
import { SandboxFailed } from '../errors.ts';
import { operator } from '../names.ts';

/** Seconds a token is asked to be good for; the apiserver may give less. */
const LIFETIME_SECONDS = 3_600;
/** Milliseconds until another try when a token could not be renewed. */
const RETRY_MILLISECONDS = 30_000;

const tokenAnswer = z.object({ status: z.object({ token: z.string(), expirationTimestamp: z.string() }) });

/**
 * Writes a kubeconfig that is the operator's ServiceAccount and nobody else, and keeps its token fresh until the signal:
 * a kubelet would do the same for a pod.
 *
 * @throws {SandboxFailed} when the first token can't be had.
 */
export async function writeOperatorKubeconfig(options: {
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly file: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { client, connection, file, clock, signal } = options;
  const path = `/api/v1/namespaces/${operator.namespace}/serviceaccounts/${operator.name}/token`;

  /** Milliseconds until half of the token's life is over. */
  async function renew(): Promise<number> {
    const request = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: LIFETIME_SECONDS },
    };
    const { status } = tokenAnswer.parse(await client.raw('POST', path, request, { signal }));
    // By rename: the operator may be reading it.
    writeFileSync(`${file}.new`, tokenKubeconfig(connection, status.token, operator), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return Math.max(RETRY_MILLISECONDS, (Date.parse(status.expirationTimestamp) - clock.now()) / 2);
  }

  let next: number;
  try {
    next = await renew();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new SandboxFailed(
      `There is no token for ServiceAccount ${operator.namespace}/${operator.name}: ${messageOf(error)}`,
      'The user of the kubeconfig must be allowed to create serviceaccounts/token.',
      { cause: error },
    );
  }
  void (async () => {
    while (!signal.aborted) {
      await clock.sleep(next, signal).catch(() => undefined);
      if (!signal.aborted) next = await renew().catch(() => RETRY_MILLISECONDS);
    }
  })();
}

/** A kubeconfig for the same cluster with a token as its only credential: JSON, which is YAML. */
export function tokenKubeconfig(
  connection: KubeConnection,
  token: string,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): string {
  const { ca, servername, skipVerify } = connection.tls();
  const cluster = {
    server: connection.server,
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(servername !== undefined && { 'tls-server-name': servername }),
    ...(skipVerify && { 'insecure-skip-tls-verify': true }),
    ...(connection.proxy !== undefined && { 'proxy-url': connection.proxy }),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name: 'cluster', cluster }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: 'cluster', user: name, namespace } }],
  });
}
