import type { Clock } from '../clock.ts';
import type { Bounds } from '../kubernetes/bounded-text.ts';
import { createKubeClient, type KubeClient } from '../kubernetes/client.ts';
import { type ClusterTime, createClusterTime } from '../kubernetes/cluster-time.ts';
import { loadKubeconfig } from '../kubernetes/config.ts';
import { KubeError } from '../kubernetes/errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { createTransport } from '../kubernetes/transport.ts';
import { ClusterError, clusterError, unreached } from './errors.ts';

/** What a command is given by the process it runs in. */
export interface CliSurroundings {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** 32 hexadecimal digits that nobody can foresee, others each time. */
  readonly nonce: () => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly out: OutStream;
  readonly err: OutStream;
  /** Has the listener called each time a person ends the command, instead of its end, until what is returned is called. */
  readonly onInterrupt?: (listener: () => void) => () => void;
}

/** `process.stdout` is one. */
export interface OutStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Which cluster, and where in it, as kubectl's flags of the same names. */
export interface ClusterFlags {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  readonly allNamespaces?: boolean | undefined;
}

interface Selectors {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/**
 * A cluster as a user of kubectl has it: what a command reads goes through this. Two things are written, by `client`: the
 * annotation of `approve`, and what of an account's hour is about to be sent.
 */
export interface Session {
  readonly client: KubeClient;
  /** What time it is there. */
  readonly time: ClusterTime;
  readonly server: string;
  /** Undefined: all of them. */
  readonly namespace: string | undefined;
  /** One object. Throws `ClusterError`. */
  get<T extends KubernetesObject>(resource: Resource, namespace: string | undefined, name: string): Promise<T>;
  /** All objects, page by page; `namespace` undefined: of all. Throws `ClusterError`. */
  list<T extends KubernetesObject>(
    resource: Resource,
    namespace: string | undefined,
    selectors?: Selectors,
  ): Promise<T[]>;
  /** What a path of the API answers: the parsed JSON, or the text; with bounds the text, and no more of it than they say. Throws `ClusterError`. */
  read(path: string, bounds?: Bounds): Promise<unknown>;
  close(): Promise<void>;
}

/** Milliseconds: a person waits. */
const TIMEOUT_MILLISECONDS = 15_000;
const PAGE_SIZE = 500;

/** Finds the cluster as kubectl does. Throws `KubeconfigError`; nothing is asked of the cluster yet. */
export async function openSession(flags: ClusterFlags, surroundings: CliSurroundings): Promise<Session> {
  const { clock, random, environment, version } = surroundings;
  const connection = await loadKubeconfig({
    clock,
    environment,
    ...(flags.kubeconfig !== undefined && { kubeconfig: flags.kubeconfig }),
    ...(flags.context !== undefined && { context: flags.context }),
  });
  const { server } = connection;
  const time = createClusterTime(clock);
  const client = createKubeClient({
    time,
    transport: createTransport(connection),
    userAgent: `edgeline/${version}`,
    fieldManager: 'edgeline',
    clock,
    random,
  });
  // Whoever waits at a terminal is better told at once than after five tries.
  const options = { retry: false, timeoutMilliseconds: TIMEOUT_MILLISECONDS };
  return {
    client,
    time,
    server,
    namespace: flags.allNamespaces ? undefined : (flags.namespace ?? connection.namespace),

    async get(resource, namespace, name) {
      try {
        return await client.get(resource, namespace, name, options);
      } catch (error) {
        const place = resource.namespaced ? namespace : undefined;
        throw clusterError(error, { verb: 'get', resource, namespace: place, name, server });
      }
    },

    async list<T extends KubernetesObject>(
      resource: Resource,
      namespace: string | undefined,
      selectors: Selectors = {},
    ) {
      const place = resource.namespaced ? namespace : undefined;
      const items: T[] = [];
      let token: string | undefined;
      try {
        do {
          const page = await client.list<T>(resource, place, {
            ...options,
            ...selectors,
            limit: PAGE_SIZE,
            continue: token,
          });
          items.push(...page.items);
          token = page.continue;
        } while (token !== undefined);
      } catch (error) {
        throw clusterError(error, {
          verb: 'list',
          resource,
          namespace: place,
          server,
          labelSelector: selectors.labelSelector,
        });
      }
      return items;
    },

    async read(path, bounds) {
      try {
        return await client.raw('GET', path, undefined, { ...options, bounds });
      } catch (error) {
        if (!(error instanceof KubeError)) throw error;
        throw unreached(error, server) ?? new ClusterError(error.message, error.advice, { cause: error });
      }
    },

    close: () => client.close(),
  };
}
