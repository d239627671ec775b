import { ClusterError } from '../cli/errors.ts';
import { kindOf } from '../cli/kinds.ts';
import type { Session } from '../cli/session.ts';
import type { Reported } from '../cli/standing.ts';
import type { Manifest } from '../import/terraform/result.ts';

/** A resource of the namespace in which the manifests would be applied. */
export interface There {
  readonly kind: Manifest['kind'];
  readonly object: Reported;
  /** As manifests are named: `Sim truck-17`. */
  readonly title: string;
}

/** What a namespace has of the kinds of the manifests; undefined where that may not be seen. */
export async function readThere(
  session: Pick<Session, 'list'>,
  namespace: string,
  manifests: readonly Manifest[],
): Promise<readonly There[] | undefined> {
  const kinds = [...new Set(manifests.map(({ kind }) => kind))];
  try {
    const lists = await Promise.all(
      kinds.map(async (kind) => {
        const objects = await session.list<Reported>(kindOf(kind), namespace);
        return objects.map((object) => ({ kind, object, title: `${kind} ${object.metadata.name}` }));
      }),
    );
    return lists.flat();
  } catch (error) {
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}
