import { isNotFound } from '../kubernetes/errors.ts';
import { ClusterError, UsageError } from './errors.ts';
import type { Target } from './kinds.ts';
import type { Session } from './session.ts';
import type { Reported } from './standing.ts';

/** Finds the object of a `KIND/NAME`; a word that names several kinds means the first that has it. Throws `ClusterError`. */
export async function findObject(session: Session, target: Target): Promise<{ target: Target; object: Reported }> {
  const { name } = target;
  if (name === undefined) throw new UsageError('no name was given', 'Write KIND/NAME, for example sim/truck-17.');
  let missing: unknown;
  for (const kind of target.kinds) {
    try {
      const object = await session.get<Reported>(kind, session.namespace, name);
      return { target: { kinds: [kind], name }, object: { ...object, kind: kind.kind } };
    } catch (error) {
      if (!(error instanceof ClusterError) || !isNotFound(error.cause)) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/**
 * The same targets, each word that means several kinds replaced by the one of them that has the name. What is not there is
 * left out where `onMissing` is told of it. Throws `ClusterError`.
 */
export async function resolveTargets(
  session: Session,
  targets: readonly Target[],
  onMissing?: (error: ClusterError) => void,
): Promise<Target[]> {
  const resolved: Target[] = [];
  for (const target of targets) {
    const isAmbiguous = target.name !== undefined && target.kinds.length > 1;
    const found = isAmbiguous ? await unlessMissing(findObject(session, target), onMissing) : { target };
    if (found) resolved.push(found.target);
  }
  return resolved;
}

/** What is found; undefined, and told, if it is not there. */
export async function unlessMissing<T>(
  finding: Promise<T>,
  onMissing?: (error: ClusterError) => void,
): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (!onMissing || !(error instanceof ClusterError) || !isNotFound(error.cause)) throw error;
    onMissing(error);
    return undefined;
  }
}
