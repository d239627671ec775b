import { ClusterError } from '../cli/errors.ts';
import { kindOf, kinds } from '../cli/kinds.ts';
import type { Session } from '../cli/session.ts';
import { isNotFound, KubeError } from '../kubernetes/errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { apiVersionOf, NAMESPACES, type Resource, SECRETS } from '../kubernetes/resource.ts';
import type { Manifest } from './manifests/rehearse.ts';
import { keyOf, type ObjectJson, textAt } from './objects.ts';
import type { SecretName } from './stand-ins.ts';

/** What a plan goes by, of a cluster. */
export interface ReadCluster {
  readonly objects: readonly ObjectJson[];
  /** What could not be read, a sentence each. */
  readonly notes: readonly string[];
  /** ClusterCloudAccounts may not be listed: there may be others than those that `objects` has. */
  readonly mayLackAccounts: boolean;
}

/** The account of the cluster that resources go by which name none. */
const DEFAULT_ACCOUNT = 'default';

/** Reads the resources of Edgeline, and the namespaces and Secrets that the manifests name. Throws `ClusterError`. */
export async function readCluster(
  session: Session,
  manifests: readonly Manifest[],
  namespace: string,
): Promise<ReadCluster> {
  const notes: string[] = [];
  let mayLackAccounts = false;
  const places = [
    ...new Set([namespace, ...manifests.map(({ object }) => textAt(object, 'metadata', 'namespace') ?? namespace)]),
  ];
  const resources = await Promise.all(kinds.map((kind) => listAll(kind)));
  const listed = resources.flat();
  const accounts = mayLackAccounts ? await Promise.all(accountNames().map(readAccount)) : [];
  const objects = [...listed, ...accounts.flat()];
  const homes = [...objects, ...manifests.map(({ object }) => object)].flatMap(
    (one) => textAt(one, 'spec', 'secretNamespace') ?? [],
  );
  const namespaces = await Promise.all([...new Set([...places, ...homes])].map(readNamespace));
  const secrets = manifests.filter(({ object }) => object['kind'] === 'Secret' && object['apiVersion'] === 'v1');
  const names = secrets.map(({ object }) => ({
    namespace: textAt(object, 'metadata', 'namespace') ?? namespace,
    name: textAt(object, 'metadata', 'name') ?? '',
  }));
  const { found, forbidden } = await readSecrets(session, names);
  for (const secret of forbidden)
    notes.push(
      `You may not read the Secret ${secret.namespace}/${secret.name}, so it is not known whether the manifest changes it.`,
    );
  return { objects: [...objects, ...namespaces.flat(), ...found], notes, mayLackAccounts };

  /** The accounts of the cluster that anything names; who names none may mean the default one. */
  function accountNames(): string[] {
    const named = [...listed, ...manifests.map(({ object }) => object)].flatMap((object) =>
      (['spec', 'status'] as const).flatMap((part) =>
        textAt(object, part, 'accountRef', 'kind') === 'ClusterCloudAccount'
          ? (textAt(object, part, 'accountRef', 'name') ?? [])
          : [],
      ),
    );
    return [...new Set([DEFAULT_ACCOUNT, ...named])];
  }

  /** Whoever may not list them may be allowed to read the one. */
  async function readAccount(name: string): Promise<ObjectJson[]> {
    const kind = kindOf('ClusterCloudAccount');
    try {
      return typed(kind, [await session.get(kind, undefined, name)]);
    } catch (error) {
      if (isMissing(error) || isForbidden(error)) return [];
      throw error;
    }
  }

  async function listAll(kind: Resource): Promise<ObjectJson[]> {
    try {
      return typed(kind, await session.list(kind, undefined));
    } catch (error) {
      if (!isForbidden(error)) throw error;
      if (!kind.namespaced) {
        mayLackAccounts = true;
        notes.push(`You may not list ${kind.plural}: only those that something names were looked for.`);
        return [];
      }
      const lists = await Promise.all(places.map((place) => session.list(kind, place)));
      notes.push(
        `You may list ${kind.plural} in ${places.join(', ')} only: what those of other namespaces have is not seen.`,
      );
      return typed(kind, lists.flat());
    }
  }

  async function readNamespace(name: string): Promise<ObjectJson[]> {
    try {
      return typed(NAMESPACES, [await session.get(NAMESPACES, undefined, name)]);
    } catch (error) {
      if (isMissing(error)) return [];
      if (!isForbidden(error)) throw error;
      // Whoever may work in a namespace often may not look at it.
      return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }];
    }
  }
}

/** Reads Secrets; those that are not there are left out. Throws `ClusterError`. */
export async function readSecrets(
  session: Session,
  names: readonly SecretName[],
): Promise<{ readonly found: readonly ObjectJson[]; readonly forbidden: readonly SecretName[] }> {
  const found: ObjectJson[] = [];
  const forbidden: SecretName[] = [];
  for (const one of names) {
    try {
      found.push(...typed(SECRETS, [await session.get(SECRETS, one.namespace, one.name)]));
    } catch (error) {
      if (isForbidden(error)) forbidden.push(one);
      else if (!isMissing(error)) throw error;
    }
  }
  return { found, forbidden };
}

/** What has the labels of a selector, in the namespaces given or, undefined, in all; by `keyOf`. Throws `ClusterError`. */
export async function selected(
  session: Session,
  labelSelector: string,
  namespaces: readonly (string | undefined)[],
): Promise<Set<string>> {
  const namespaced = kinds.filter((kind) => kind.namespaced);
  const lists = await Promise.all(
    namespaced.flatMap((kind) =>
      namespaces.map(async (namespace) => {
        const objects = await session.list<KubernetesObject>(kind, namespace, { labelSelector });
        return objects.map(({ metadata }) => keyOf(kind.plural, metadata.namespace, metadata.name));
      }),
    ),
  );
  return new Set(lists.flat());
}

/** Items of lists do not say what they are. */
function typed(resource: Resource, objects: readonly KubernetesObject[]): ObjectJson[] {
  return objects.map((object) => ({ ...object, apiVersion: apiVersionOf(resource), kind: resource.kind }));
}

function isForbidden(error: unknown): boolean {
  return error instanceof ClusterError && error.cause instanceof KubeError && error.cause.status === 403;
}

function isMissing(error: unknown): boolean {
  return error instanceof ClusterError && isNotFound(error.cause);
}
