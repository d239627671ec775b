import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { EdgelineError, messageOf } from '../../errors.ts';
import { createKubeClient, type KubeClient } from '../../kubernetes/client.ts';
import { type KubeConnection, loadKubeconfig } from '../../kubernetes/config.ts';
import { isNotFound, KubeError } from '../../kubernetes/errors.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { createTransport } from '../../kubernetes/transport.ts';
import { version } from '../../version.ts';
import { SandboxFailed } from '../errors.ts';
import { type Manifest, type ManifestObject, nameOf } from './manifests.ts';

/** The cluster the sandbox works in, as its administrator. */
export interface Cluster {
  readonly connection: KubeConnection;
  readonly client: KubeClient;
  /** Where objects of a kind live; asks the apiserver once per group and version. */
  resourceOf(apiVersion: string, kind: string): Promise<Resource>;
  /** The object as it is; undefined when there is none. */
  read(object: ManifestObject): Promise<ManifestObject | undefined>;
  /** Server-side applies an object. @throws {SandboxFailed} saying which, from where, and why not. */
  apply(manifest: Manifest): Promise<void>;
  /** Deletes it, if it's there. */
  remove(object: ManifestObject): Promise<void>;
}

const resourceList = z.object({
  resources: z.array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});

/** How long a CRD that is established may take to be served. Milliseconds. */
const DISCOVERY_DELAY_MILLISECONDS = 5_000;

/**
 * Connects to the cluster of a kubeconfig.
 *
 * @throws {SandboxFailed} when it can't be reached. {KubeconfigError} when the kubeconfig can't be used.
 */
export async function connectCluster(options: {
  readonly kubeconfig: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}): Promise<Cluster> {
  const { kubeconfig, clock, random, signal } = options;
  const connection = await loadKubeconfig({ kubeconfig, clock, environment: process.env });
  const client = createKubeClient({
    transport: createTransport(connection),
    userAgent: `edgeline-sandbox/${version}`,
    fieldManager: 'edgeline-sandbox',
    clock,
    random,
  });
  try {
    await client.raw('GET', '/version', undefined, { signal, retry: false, timeoutMilliseconds: 10_000 });
  } catch (error) {
    await client.close();
    if (signal.aborted) throw signal.reason;
    throw new SandboxFailed(
      `The cluster ${connection.server} of ${kubeconfig} does not answer: ${messageOf(error)}`,
      'Try `kubectl version` with the same kubeconfig, or leave --kubeconfig out for a control plane of the sandbox’s own.',
      { cause: error },
    );
  }

  const known = new Map<string, Resource>();
  async function resourceOf(apiVersion: string, kind: string): Promise<Resource> {
    const key = `${apiVersion} ${kind}`;
    const deadline = clock.monotonic() + DISCOVERY_DELAY_MILLISECONDS;
    for (;;) {
      const found = known.get(key) ?? (await discover(apiVersion, kind));
      if (found) return found;
      if (clock.monotonic() > deadline) {
        throw new SandboxFailed(
          `The cluster has no kind ${kind} in ${apiVersion}`,
          'Correct apiVersion and kind, or install the CRD first.',
        );
      }
      await clock.sleep(100, signal);
    }
  }
  async function discover(apiVersion: string, kind: string): Promise<Resource | undefined> {
    const [group, name] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const path = group ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      const { resources } = resourceList.parse(await client.raw('GET', path));
      const one = resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
      if (!one) return undefined;
      const resource = { group: group ?? '', version: name ?? '', plural: one.name, kind, namespaced: one.namespaced };
      known.set(`${apiVersion} ${kind}`, resource);
      return resource;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    connection,
    client,
    resourceOf,
    async read(object) {
      const { name, namespace } = object.metadata;
      try {
        const { apiVersion, kind } = object;
        const resource = known.get(`${apiVersion} ${kind}`) ?? (await discover(apiVersion, kind));
        return resource && (await client.get<ManifestObject>(resource, namespace, name));
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw refused(`${nameOf(object)} can't be read`, error);
      }
    },
    async apply({ object, source }) {
      try {
        const resource = await resourceOf(object.apiVersion, object.kind);
        const { name, namespace } = object.metadata;
        await client.applyServerSide(resource, namespace, name, object, { force: true, signal });
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw refused(`${nameOf(object)} (${source}) can't be applied`, error);
      }
    },
    async remove(object) {
      try {
        const { apiVersion, kind, metadata } = object;
        const resource = known.get(`${apiVersion} ${kind}`) ?? (await discover(apiVersion, kind));
        if (resource) await client.delete(resource, metadata.namespace, metadata.name);
      } catch (error) {
        if (!isNotFound(error)) throw refused(`${nameOf(object)} can't be removed`, error);
      }
    },
  };
}

/** The apiserver's word, with advice for whoever runs the sandbox: what a KubeError says is meant for the operator. */
function refused(what: string, error: unknown): SandboxFailed {
  const advice =
    error instanceof KubeError && error.status === 403
      ? 'The user of the kubeconfig must be allowed to do this: the sandbox needs an administrator of the cluster.'
      : error instanceof EdgelineError
        ? error.advice
        : 'Look at the log of the Kubernetes API server.';
  return new SandboxFailed(`${what}: ${messageOf(error)}`, advice, { cause: error });
}
