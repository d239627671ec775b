import { KubeError } from '../../kubernetes/errors.ts';
import { compareText } from '../../text.ts';
import { ClusterError } from '../errors.ts';
import { type Kind, type KindName, kinds, type Target } from '../kinds.ts';
import { readPresence } from '../presence.ts';
import { unlessMissing } from '../resolve.ts';
import type { Session } from '../session.ts';
import { type Reported, type Standing, standingOf } from '../standing.ts';
import { reportOf, type StatusReport } from './report.ts';

/** A kind of which objects are shown: all, or those of these names. */
export interface Scope {
  readonly kind: Kind;
  readonly names: readonly string[] | undefined;
  /** It was asked for by its name, so that it is an error if it can't be read. */
  readonly isNamed: boolean;
}

/** What the arguments ask for, kind by kind; without any, all kinds. Pure. */
export function scopesOf(targets: readonly Target[]): Scope[] {
  if (targets.length === 0) return kinds.map((kind) => ({ kind, names: undefined, isNamed: false }));
  return kinds.flatMap((kind) => {
    const of = targets.filter((target) => target.kinds.includes(kind));
    if (of.length === 0) return [];
    const isWhole = of.some(({ name }) => name === undefined);
    const names = [...new Set(of.flatMap(({ name }) => name ?? []))];
    return [{ kind, names: isWhole ? undefined : names, isNamed: of.some((target) => target.kinds.length === 1) }];
  });
}

/** Reads what is asked for, and who looks after it; `onMissing` is told of names that are not there. Throws `ClusterError`. */
export async function fetchReport(
  session: Session,
  scopes: readonly Scope[],
  labelSelector: string | undefined,
  now: number,
  onMissing?: (error: ClusterError) => void,
): Promise<StatusReport> {
  const notShown: { kind: KindName; why: string }[] = [];
  const found = await Promise.all(
    scopes.map(async (scope) => {
      try {
        return await objectsOf(session, scope, labelSelector, onMissing);
      } catch (error) {
        if (!isOptional(scope, error)) throw withWayOut(session, scope, error);
        notShown.push({ kind: scope.kind.kind, why: error.message });
        return [];
      }
    }),
  );
  const all = scopes.flatMap(({ kind }, index) => (found[index] ?? []).map((object) => standingOf(kind, object)));
  const presence = await readPresence(session, placesOf(found.flat()), now);
  return reportOf(
    scopes.map(({ kind }) => kind.kind),
    all.sort(byPlace(scopes)),
    presence,
    notShown,
  );
}

/** ClusterCloudAccounts are in no namespace, so that users of one may often not see them. */
function isOptional({ kind, isNamed, names }: Scope, error: unknown): error is ClusterError {
  return error instanceof ClusterError && !kind.namespaced && !isNamed && names === undefined;
}

/** Who may read some kinds only has to name them: what was not looked at must not count as ready. */
function withWayOut(session: Session, { isNamed, names }: Scope, error: unknown): unknown {
  if (isNamed || names !== undefined || !(error instanceof ClusterError)) return error;
  if (!(error.cause instanceof KubeError) || error.cause.status !== 403) return error;
  const otherwise =
    session.namespace === undefined
      ? 'name a namespace with -n'
      : 'name the kinds that you may read, for example `edgeline status sim`';
  return new ClusterError(error.message, `${error.advice} Or ${otherwise}.`, { cause: error.cause });
}

async function objectsOf(
  session: Session,
  { kind, names }: Scope,
  labelSelector: string | undefined,
  onMissing?: (error: ClusterError) => void,
): Promise<Reported[]> {
  if (names === undefined) return session.list<Reported>(kind, session.namespace, { labelSelector });
  const found = await Promise.all(
    names.map((name) => unlessMissing(session.get<Reported>(kind, session.namespace, name), onMissing)),
  );
  return found.flatMap((object) => (object ? [{ ...object, kind: kind.kind }] : []));
}

/** The namespaces whose Lease says who looks after an object; that of a ClusterCloudAccount is the one of its Secrets. */
export function placesOf(objects: readonly Reported[]): string[] {
  return objects.flatMap(({ metadata, spec }) => {
    const secrets = spec?.['secretNamespace'];
    return metadata.namespace ?? (typeof secrets === 'string' ? secrets : []);
  });
}

/** By kind, namespace and name. */
function byPlace(scopes: readonly Scope[]): (a: Standing, b: Standing) => number {
  const order = new Map(scopes.map(({ kind }, index) => [kind.kind, index]));
  return (a, b) =>
    (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0) ||
    compareText(a.namespace ?? '', b.namespace ?? '') ||
    compareText(a.name, b.name);
}
