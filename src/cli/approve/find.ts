import { isNotFound } from '../../kubernetes/errors.ts';
import { ClusterError, UsageError } from '../errors.ts';
import { type Kind, kinds, parseTarget, type Target } from '../kinds.ts';
import type { Session } from '../session.ts';
import type { Reported } from '../standing.ts';

/** An object whose plan may wait. */
export interface Found {
  readonly kind: Kind;
  readonly object: Reported;
  /** It was asked for by its name. */
  readonly isNamed: boolean;
}

/** An object of Edgeline that a manifest names. */
export interface Named {
  readonly kind: Kind;
  /** Undefined: that of the flags or of the kubeconfig. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** A manifest as far as it says what it is of. */
export interface NamingManifest {
  readonly source: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** The objects of Edgeline among manifests, each once. Throws `UsageError` where one has no name that an object can have. Pure. */
export function namedIn(manifests: readonly NamingManifest[]): Named[] {
  const named = manifests.flatMap(({ source, object }): Named[] => {
    const { apiVersion, kind: name, metadata } = object;
    const kind = kinds.find((one) => one.kind === name && `${one.group}/${one.version}` === apiVersion);
    if (!kind) return [];
    const { name: of, namespace } = membersOf(metadata);
    if (typeof of !== 'string') throw new UsageError(`${source} has no metadata.name`, 'Correct the file.');
    const place = typeof namespace === 'string' && kind.namespaced ? namespace : undefined;
    if (place !== undefined) parseTarget(`${kind.singular}/${place}`);
    return [{ kind, namespace: place, name: parseTarget(`${kind.singular}/${of}`).name ?? of }];
  });
  const keys = named.map(({ kind, namespace, name }) => `${kind.plural}/${namespace ?? ''}/${name}`);
  return named.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

/** What manifests name in the cluster, and what of it is not there. Throws `ClusterError`. */
export async function findNamed(
  session: Session,
  named: readonly Named[],
): Promise<{ readonly found: readonly Found[]; readonly missing: readonly string[] }> {
  const wanted = named.filter(({ kind }) => managedOf([kind]).length > 0);
  const found: Found[] = [];
  const missing: string[] = [];
  for (const { kind, namespace = session.namespace, name } of wanted) {
    try {
      found.push({ kind, object: await session.get<Reported>(kind, namespace, name), isNamed: false });
    } catch (error) {
      if (!(error instanceof ClusterError) || !isNotFound(error.cause)) throw error;
      missing.push(`${kind.kind} ${namespace ?? ''}/${name}`);
    }
  }
  return { found, missing };
}

/** Of accounts nothing is approved. Throws `UsageError`. */
export function refuseForeign(targets: readonly Target[]): void {
  if (targets.every((target) => managedOf(target.kinds).length > 0)) return;
  throw new UsageError('of an account nothing is approved', 'Name the resources whose plans wait, for example sim.');
}

/** Accounts have no plans. */
export function managedOf(all: readonly Kind[]): Kind[] {
  return all.filter(({ kind }) => kind !== 'CloudAccount' && kind !== 'ClusterCloudAccount');
}

/** The objects that targets name, each once. Throws `ClusterError`. */
export async function findTargets(
  session: Session,
  targets: readonly Target[],
  labelSelector?: string,
): Promise<Found[]> {
  const lists = await Promise.all(
    kinds.map(async (kind): Promise<Found[]> => {
      const of = targets.filter((target) => managedOf(target.kinds).includes(kind));
      const isWhole = of.some(({ name }) => name === undefined);
      const names = [...new Set(of.flatMap(({ name }) => name ?? []))];
      const listed = isWhole ? await session.list<Reported>(kind, session.namespace, { labelSelector }) : [];
      const named = await Promise.all(names.map((name) => session.get<Reported>(kind, session.namespace, name)));
      return [
        ...named.map((object) => ({ kind, object, isNamed: true })),
        ...listed
          .filter(({ metadata }) => !names.includes(metadata.name))
          .map((object) => ({ kind, object, isNamed: false })),
      ];
    }),
  );
  return lists.flat();
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
