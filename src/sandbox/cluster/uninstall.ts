import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { demoNamespace } from '../names.ts';
import type { Cluster } from './cluster.ts';
import type { Installation } from './installation.ts';
import { type Manifest, type ManifestObject, nameOf } from './manifests.ts';

/** Milliseconds the operator gets to let go of its resources, and the cluster to remove namespaces. */
const LET_GO_LIMIT_MILLISECONDS = 20_000;
const GONE_LIMIT_MILLISECONDS = 60_000;
const LOOK_MILLISECONDS = 250;

const crd = z.object({
  spec: z.object({
    group: z.string(),
    scope: z.enum(['Namespaced', 'Cluster']),
    names: z.object({ kind: z.string(), plural: z.string() }),
    versions: z.array(z.object({ name: z.string() })).min(1),
  }),
});

/** Where the objects of a CRD live. */
export function resourceOfCRD({ object }: Manifest): Resource {
  const { group, scope, names, versions } = crd.parse(object).spec;
  return { group, version: versions[0]?.name ?? '', ...names, namespaced: scope === 'Namespaced' };
}

/**
 * Removes from a cluster that was there before what the sandbox put into it: its resources first, while the operator still
 * runs to drop their finalizers, accounts after what uses them, and at last what the operator itself needed.
 *
 * @param options.installation what the sandbox installed; CRDs of somebody else's are not in it, and stay.
 * @param options.kinds all of Edgeline's.
 * @returns a sentence for each thing that is still there.
 */
export async function uninstall(
  cluster: Cluster,
  options: {
    readonly installation: Installation;
    readonly kinds: readonly Resource[];
    readonly stopOperator: () => Promise<unknown>;
    readonly clock: Clock;
  },
): Promise<string[]> {
  const { installation, kinds, clock } = options;
  const namespaced = kinds.filter((kind) => kind.namespaced);
  const isAccount = (kind: Resource) => kind.kind.endsWith('CloudAccount');
  const inDemo = async (resources: readonly Resource[]) => {
    const lists = await Promise.all(
      resources.map(async (resource) =>
        (await cluster.client.list<ManifestObject>(resource, demoNamespace)).items.map((object) => ({
          resource,
          object,
        })),
      ),
    );
    return lists.flat();
  };
  const until = async (milliseconds: number, done: () => Promise<boolean>) => {
    const deadline = clock.monotonic() + milliseconds;
    while (!(await done())) {
      if (clock.monotonic() > deadline) return;
      await clock.sleep(LOOK_MILLISECONDS);
    }
  };

  for (const resources of [namespaced.filter((kind) => !isAccount(kind)), namespaced.filter(isAccount)]) {
    await Promise.all((await inDemo(resources)).map(({ object }) => cluster.remove(object)));
    await until(LET_GO_LIMIT_MILLISECONDS, async () => (await inDemo(resources)).length === 0);
    // The simulated service goes with the sandbox: there is nothing left that a finalizer could protect.
    for (const { resource, object } of await inDemo(resources)) {
      const { name, namespace } = object.metadata;
      await cluster.client.mergePatch(resource, namespace, name, { metadata: { finalizers: null } });
    }
  }
  await options.stopOperator();

  const { namespaces, rbac, crds } = installation;
  const empty = await Promise.all(
    crds.map(async (manifest) => {
      const { items } = await cluster.client.list(resourceOfCRD(manifest), undefined, { limit: 1 });
      return items.length === 0 ? [manifest] : [];
    }),
  );
  const going = [...rbac, ...namespaces, ...empty.flat()];
  await Promise.all(going.map(({ object }) => cluster.remove(object)));
  const left = async () => {
    const found = await Promise.all(going.map(async ({ object }) => ((await cluster.read(object)) ? [object] : [])));
    return found.flat();
  };
  await until(GONE_LIMIT_MILLISECONDS, async () => (await left()).length === 0);
  return [
    ...(await left()).map((object) => `${nameOf(object)} is still there`),
    ...crds
      .filter((manifest) => !empty.flat().includes(manifest))
      .map(({ object }) => `${nameOf(object)} stays: there are objects of that kind outside ${demoNamespace}`),
  ];
}
