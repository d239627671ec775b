import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { whyUnreadable } from '../file-errors.ts';
import { trimEndOf } from '../text.ts';
import { KubeconfigError } from './errors.ts';
import { readKubeconfig } from './kubeconfig-files.ts';

/** What the TLS connection to the apiserver is made with; PEM throughout. */
export interface KubeTls {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  /** Only where the kubeconfig says `insecure-skip-tls-verify`. */
  skipVerify: boolean;
}

/** How to reach one apiserver, and as whom. */
export interface KubeConnection {
  /** `https://host:port`, perhaps with a path, without a slash at the end. */
  server: string;
  /** The current material: the same object as long as nothing changed, a new one after a rotation of certificates. */
  tls(): KubeTls;
  /** Authorization and impersonation for the next request: tokens are reread and refreshed as they age. */
  headers(): Promise<Record<string, string>>;
  /** Forgets what credentials are cached: the apiserver answered 401 to them. */
  refresh(): void;
  /** The context's namespace, or `default`. */
  namespace: string;
  /** `proxy-url` of the kubeconfig: an HTTP CONNECT proxy. */
  proxy?: string;
}

/** Files and exec credentials are looked at again after this long, as client-go does. */
const REREAD_MILLISECONDS = 60_000;

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface LoadKubeconfigOptions {
  /** A file; without it, those of `KUBECONFIG`, or `~/.kube/config`, as kubectl does. */
  kubeconfig?: string;
  context?: string;
  clock: Clock;
  /** The process's variables: those of a pod say where its cluster is. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Where the service account is mounted. */
  serviceAccountPath?: string;
}

/**
 * Finds the cluster. A kubeconfig given by name is used; inside a pod, without one, the service account is; otherwise
 * kubectl's own look-up order applies. Throws `KubeconfigError`.
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions): Promise<KubeConnection> {
  const { environment } = options;
  const inPod = environment.KUBERNETES_SERVICE_HOST !== undefined && environment.KUBERNETES_SERVICE_PORT !== undefined;
  if (options.kubeconfig === undefined && options.context === undefined && !environment.KUBECONFIG && inPod) {
    return inCluster(options, environment);
  }
  return fromKubeconfig(options);
}

/** The service account needs two files and two variables, so the operator in a pod never pays for client-node. */
function inCluster(options: LoadKubeconfigOptions, environment: LoadKubeconfigOptions['environment']): KubeConnection {
  const directory = options.serviceAccountPath ?? SERVICE_ACCOUNT;
  const host = environment.KUBERNETES_SERVICE_HOST ?? '';
  const readToken = () => readFileSync(`${directory}/token`, 'utf8').trim();
  const readCa = (): KubeTls => ({ ca: readFileSync(`${directory}/ca.crt`, 'utf8'), skipVerify: false });
  let token = rereading(options.clock, readToken);
  const tls = stable(rereading(options.clock, readCa));
  try {
    tls();
    token();
    return {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${environment.KUBERNETES_SERVICE_PORT}`,
      tls,
      headers: async () => ({ authorization: `Bearer ${token()}` }),
      refresh() {
        token = rereading(options.clock, readToken);
      },
      namespace: readFileSync(`${directory}/namespace`, 'utf8').trim() || 'default',
    };
  } catch (error) {
    throw new KubeconfigError(
      `the service account in ${directory} cannot be read: ${messageOf(error)}`,
      'Let the pod mount its service account token (automountServiceAccountToken: true).',
      { cause: error },
    );
  }
}

async function fromKubeconfig(options: LoadKubeconfigOptions): Promise<KubeConnection> {
  // Its import costs hundreds of milliseconds, so only those who use a kubeconfig pay for it.
  const { KubeConfig } = await import('./kube-config.ts');
  const loadConfig = () => readKubeconfig(() => new KubeConfig(), options);
  let config = loadConfig();
  const cluster = config.getCurrentCluster();
  if (!cluster?.server) {
    const names = config.getContexts().map(({ name }) => name);
    throw new KubeconfigError(
      options.context !== undefined && !names.includes(options.context)
        ? `the kubeconfig has no context ${options.context}`
        : `the kubeconfig has no cluster for context ${config.getCurrentContext() || '(none)'}`,
      `${options.context === undefined ? 'Set current-context, or name' : 'Name'} one of the contexts listed by \`kubectl config get-contexts\`${names.length === 0 ? '' : `: ${names.slice(0, 20).join(', ')}`}.`,
    );
  }
  for (const [member, address] of [
    ['server', cluster.server],
    ['proxy-url', cluster.proxyUrl],
  ])
    if (address && !(/^https?:\/\//.test(address) && URL.canParse(address)))
      throw new KubeconfigError(
        `the kubeconfig has the ${member} ${address}, which is no address`,
        `Correct it in the cluster ${cluster.name}, for example to https://127.0.0.1:6443.`,
      );
  let fromExec: Partial<KubeTls> = {};
  const files = rereading(options.clock, () => readTls(config));
  const tls = stable(() => ({ ...files(), ...fromExec }));
  const credentials = refreshing(options.clock, async () => {
    const answer = await authenticate(config);
    fromExec = answer.certificate;
    return answer.headers;
  });
  tls();
  return {
    server: trimEndOf(cluster.server, (character) => character === '/'),
    tls,
    headers: () => credentials.get(),
    refresh() {
      // client-node keeps an exec credential without an expiry for ever; a new KubeConfig knows of none.
      config = loadConfig();
      credentials.drop();
    },
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    ...(cluster.proxyUrl ? { proxy: cluster.proxyUrl } : {}),
  };
}

function readTls(config: KubeConfig): KubeTls {
  const cluster = config.getCurrentCluster();
  const user = config.getCurrentUser();
  const ca = pem(cluster?.caFile, cluster?.caData);
  if (cluster?.caData && !cluster.caFile && !ca?.includes('-----BEGIN')) {
    throw new KubeconfigError(
      `the kubeconfig has no PEM in certificate-authority-data of the cluster ${cluster.name}`,
      'Correct it there, or log in to the cluster again, which writes a new kubeconfig.',
    );
  }
  const cert = pem(user?.certFile, user?.certData);
  const key = pem(user?.keyFile, user?.keyData);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(cluster?.tlsServerName ? { servername: cluster.tlsServerName } : {}),
    skipVerify: cluster?.skipTLSVerify ?? false,
  };
}

function pem(file: string | undefined, data: string | undefined): string | undefined {
  if (file) {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new KubeconfigError(
        `the kubeconfig names a file that cannot be used: ${whyUnreadable(file, error).message}`,
        'Correct it there, or log in to the cluster again, which writes a new kubeconfig.',
        { cause: error },
      );
    }
  }
  return data ? Buffer.from(data, 'base64').toString('utf8') : undefined;
}

/** What the kubeconfig's user says of itself: headers, and a client certificate where a plugin gave one. */
async function authenticate(
  config: KubeConfig,
): Promise<{ headers: Record<string, string>; certificate: Partial<KubeTls> }> {
  const answer: RequestOptions = {};
  await config.applyToHTTPSOptions(answer);
  const user = config.getCurrentUser();
  const headers = Object.fromEntries(
    Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  if (user?.username) {
    headers.authorization = `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
  }
  const { cert, key } = answer;
  const fromPlugin = user?.exec !== undefined && typeof cert === 'string' && typeof key === 'string';
  return { headers, certificate: fromPlugin ? { cert, key } : {} };
}

/** Asks for the headers anew each minute; when that fails, the last ones serve until the apiserver refuses them. */
function refreshing(clock: Clock, read: () => Promise<Record<string, string>>) {
  let current: Promise<Record<string, string>> | undefined;
  let readAt = 0;
  return {
    get(): Promise<Record<string, string>> {
      const now = clock.monotonic();
      if (current !== undefined && now - readAt <= REREAD_MILLISECONDS) return current;
      readAt = now;
      const previous = current;
      current = read().catch((error: unknown) => {
        if (previous !== undefined) return previous;
        current = undefined;
        throw new KubeconfigError(
          `the credentials of the kubeconfig cannot be obtained: ${messageOf(error)}`,
          'Run the same command with kubectl to see what its credential plugin says.',
          { cause: error },
        );
      });
      return current;
    },
    drop(): void {
      current = undefined;
    },
  };
}

/** Keeps what `read` gave for a minute; a read that fails later keeps the old value, for files are rotated in steps. */
function rereading<T>(clock: Clock, read: () => T) {
  let kept: { value: T; at: number } | undefined;
  return (): T => {
    const now = clock.monotonic();
    if (kept !== undefined && now - kept.at <= REREAD_MILLISECONDS) return kept.value;
    try {
      kept = { value: read(), at: now };
    } catch (error) {
      if (kept === undefined) throw error;
      kept = { value: kept.value, at: now };
    }
    return kept.value;
  };
}

/** Gives the same object again while nothing in it changed, so that connections survive a reread. */
function stable(read: () => KubeTls): () => KubeTls {
  let last: KubeTls | undefined;
  return () => {
    const next = read();
    if (last === undefined || !sameTls(last, next)) last = next;
    return last;
  };
}

function sameTls(a: KubeTls, b: KubeTls): boolean {
  return (['ca', 'cert', 'key', 'servername', 'skipVerify'] as const).every((member) => a[member] === b[member]);
}
