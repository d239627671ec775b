import { ClusterError } from '../cli/errors.ts';
import { kindOf } from '../cli/kinds.ts';
import type { Session } from '../cli/session.ts';
import type { Reported } from '../cli/standing.ts';
import type { Manifest } from '../import/terraform/result.ts';

/**
 * Those of the manifests, as `Sim truck-17`, whose resource is in the namespace already and writes at the service: applied over it,
 * a manifest un-sets what it does not have. Undefined where that may not be seen.
 */
export async function presentOf(
  session: Pick<Session, 'list'>,
  namespace: string,
  manifests: readonly Manifest[],
): Promise<readonly string[] | undefined> {
  const kinds = [...new Set(manifests.map(({ kind }) => kind))];
  try {
    const lists = await Promise.all(
      kinds.map(async (kind) => {
        const objects = await session.list<Reported>(kindOf(kind), namespace);
        return objects
          .filter(({ spec }) => spec?.['managementPolicy'] !== 'Observe')
          .map(({ metadata }) => `${kind} ${metadata.name}`);
      }),
    );
    const present = new Set(lists.flat());
    return manifests.map(({ kind, name }) => `${kind} ${name}`).filter((one) => present.has(one));
  } catch (error) {
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}
