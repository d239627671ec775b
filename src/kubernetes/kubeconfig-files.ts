import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { messageOf } from '../errors.ts';
import { codeOf, whyUnreadable } from '../file-errors.ts';
import { KubeconfigError } from './errors.ts';

/** Where a kubeconfig is, and which context of it is meant. */
export interface KubeconfigSource {
  /** A file; without it, those of `KUBECONFIG`, or `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The context that client-node makes up where there is no kubeconfig at all, with its server. */
const MADE_UP = { context: 'loaded-context', server: 'http://localhost:8080' };

/**
 * Finds and merges kubeconfigs as kubectl does: of the files of `KUBECONFIG`, those that are missing or empty are passed
 * over, and what several have counts as the first has it. `create`: an empty one. Throws `KubeconfigError`.
 */
export function readKubeconfig(create: () => KubeConfig, source: KubeconfigSource): KubeConfig {
  const { kubeconfig, context, environment } = source;
  const config = kubeconfig === undefined ? readDefault(create, environment) : readFile(create(), kubeconfig);
  if (config.getCurrentContext() === MADE_UP.context && config.getCurrentCluster()?.server === MADE_UP.server) {
    throw nowhere('neither the variable KUBECONFIG nor the file ~/.kube/config names a cluster');
  }
  if (kubeconfig !== undefined && config.clusters.length === 0 && config.contexts.length === 0) {
    throw new KubeconfigError(`${kubeconfig} is no kubeconfig: it has no clusters and no contexts`, CHECK_FILE);
  }
  // Without TLS there is nothing to verify, which client-node would refuse.
  config.clusters = config.clusters.map((cluster) =>
    cluster.server.startsWith('http:') ? { ...cluster, skipTLSVerify: true } : cluster,
  );
  if (context !== undefined) config.setCurrentContext(context);
  return config;
}

/** The names of the contexts that a kubeconfig has, for whoever has to choose one. Throws `KubeconfigError`. */
export async function contextsOf(source: Omit<KubeconfigSource, 'context'>): Promise<string[]> {
  const { KubeConfig: Config } = await import('./kube-config.ts');
  return readKubeconfig(() => new Config(), source)
    .getContexts()
    .map(({ name }) => name);
}

const CHECK_FILE = 'Check the path, and the file with `kubectl config view`.';
const CHECK_DEFAULT =
  'Check the variable KUBECONFIG, or without it the file ~/.kube/config, with `kubectl config view`.';

function readDefault(create: () => KubeConfig, environment: KubeconfigSource['environment']): KubeConfig {
  const files = (environment.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (files.length === 0) return readHome(create());
  const [first, ...others] = files.filter((file) => !isBlank(file)).map((file) => readFile(create(), file));
  if (!first) throw nowhere(`KUBECONFIG names what is not there or empty: ${files.join(', ')}`);
  for (const other of others) merge(first, other);
  return first;
}

function readHome(config: KubeConfig): KubeConfig {
  try {
    config.loadFromDefault();
    return config;
  } catch (error) {
    if (/input is empty/.test(messageOf(error))) throw nowhere('the file ~/.kube/config is empty');
    throw new KubeconfigError(`the kubeconfig cannot be read: ${messageOf(error)}`, CHECK_DEFAULT, { cause: error });
  }
}

function readFile(config: KubeConfig, file: string): KubeConfig {
  try {
    config.loadFromFile(file);
    return config;
  } catch (error) {
    if (codeOf(error) !== undefined) {
      const { message, advice } = whyUnreadable(file, error);
      throw new KubeconfigError(`the kubeconfig cannot be read: ${message}`, advice, { cause: error });
    }
    throw new KubeconfigError(`the kubeconfig ${file} cannot be read: ${messageOf(error)}`, CHECK_FILE, {
      cause: error,
    });
  }
}

/** Whether kubectl passes a file over. */
function isBlank(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').trim() === '';
  } catch (error) {
    // Whatever else is wrong with it is told when it is read.
    return codeOf(error) === 'ENOENT';
  }
}

function merge(first: KubeConfig, other: KubeConfig): void {
  first.clusters = united(first.clusters, other.clusters);
  first.users = united(first.users, other.users);
  first.contexts = united(first.contexts, other.contexts);
  if (!first.getCurrentContext()) first.setCurrentContext(other.getCurrentContext());
}

function united<T extends { readonly name: string }>(first: readonly T[], other: readonly T[]): T[] {
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...other.filter(({ name }) => !names.has(name))];
}

function nowhere(why: string): KubeconfigError {
  return new KubeconfigError(
    `there is no kubeconfig: ${why}`,
    'Name a kubeconfig with --kubeconfig, or set KUBECONFIG to its path.',
  );
}
