import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { SandboxFailed } from '../errors.ts';
import { demoNamespace, madeBySandbox, operator } from '../names.ts';
import { packageRoot } from '../package-root.ts';
import type { Cluster } from './cluster.ts';
import { type Manifest, type ManifestObject, nameOf, readManifestFile, readManifests } from './manifests.ts';

/** What the operator needs in a cluster before it can start, all of it marked as the sandbox's. */
export interface Installation {
  readonly namespaces: readonly Manifest[];
  readonly crds: readonly Manifest[];
  readonly rbac: readonly Manifest[];
}

/** Seconds until the apiserver must have established a CRD. */
const ESTABLISH_LIMIT_SECONDS = 30;

/** Reads what ships with the operator: the CRDs, and its ServiceAccount with its roles. */
export function readInstallation(): Installation {
  const root = packageRoot();
  const marked = ({ object, source }: Manifest): Manifest => ({
    source,
    object: {
      ...object,
      metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...madeBySandbox } },
    },
  });
  const namespace = (name: string): Manifest => ({
    source: 'made by the sandbox',
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  });
  return {
    namespaces: [operator.namespace, demoNamespace].map(namespace).map(marked),
    crds: readManifests(join(root, 'crds')).map(marked),
    rbac: [join('base', 'rbac.yaml'), join('overlays', 'cluster-wide', 'rbac.yaml')]
      .flatMap((file) => readManifestFile(join(root, 'deploy', file)))
      .map(marked),
  };
}

/**
 * Looks at what a cluster that was there before has already. CRDs somebody else put there are used as they are.
 *
 * @returns the installation without what is there.
 * @throws {SandboxFailed} when the cluster has an operator, or a namespace of these names, of somebody else's.
 */
export async function withoutForeign(cluster: Cluster, installation: Installation): Promise<Installation> {
  const { namespaces, crds, rbac } = installation;
  const foreign = async (manifests: readonly Manifest[]) => {
    const found = await Promise.all(
      manifests.map(async ({ object }) => ((await isForeign(cluster, object)) ? [object] : [])),
    );
    return found.flat();
  };
  const [inTheWay] = [...(await foreign(namespaces)), ...(await foreign(rbac))];
  if (inTheWay) {
    throw new SandboxFailed(
      `The cluster has a ${nameOf(inTheWay)} that the sandbox did not make`,
      'Edgeline seems to be installed there already. Use another cluster, or leave --kubeconfig out for one of the sandbox’s own.',
    );
  }
  const kept = new Set((await foreign(crds)).map(({ metadata }) => metadata.name));
  return { namespaces, rbac, crds: crds.filter(({ object }) => !kept.has(object.metadata.name)) };
}

async function isForeign(cluster: Cluster, object: ManifestObject): Promise<boolean> {
  const found = await cluster.read(object);
  const [label, value] = Object.entries(madeBySandbox)[0] ?? ['', ''];
  return found !== undefined && found.metadata.labels?.[label] !== value;
}

/**
 * Applies the installation and resolves when the apiserver serves the CRDs.
 *
 * @throws {SandboxFailed} saying which object was refused.
 */
export async function install(
  cluster: Cluster,
  { namespaces, crds, rbac }: Installation,
  options: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const applyAll = (manifests: readonly Manifest[]) =>
    Promise.all(manifests.map((manifest) => cluster.apply(manifest)));
  await Promise.all([
    applyAll(crds).then(() => Promise.all(crds.map(({ object }) => established(cluster, object, options)))),
    applyAll(namespaces).then(() => applyAll(rbac)),
  ]);
}

const crdStatus = z.object({
  status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]) }),
});

async function established(
  cluster: Cluster,
  crd: ManifestObject,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const deadline = clock.monotonic() + ESTABLISH_LIMIT_SECONDS * 1_000;
  while (clock.monotonic() < deadline) {
    const found = crdStatus.safeParse(await cluster.read(crd));
    if (found.data?.status.conditions.some(({ type, status }) => type === 'Established' && status === 'True')) return;
    await clock.sleep(50, signal);
  }
  throw new SandboxFailed(
    `The apiserver has not established ${nameOf(crd)} within ${ESTABLISH_LIMIT_SECONDS} s`,
    `Look at \`kubectl describe crd ${crd.metadata.name}\`.`,
  );
}
