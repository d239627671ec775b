import { KubeError } from '../kubernetes/errors.ts';
import { NAMESPACES } from '../kubernetes/resource.ts';
import { ClusterError } from './errors.ts';
import type { Session } from './session.ts';
import { harmless } from './text/harmless.ts';

/**
 * Where nothing was found in the namespace of a session, it may be misspelled: what is not there must not pass for ready, or
 * for unchanged. Who may not read namespaces is not told. Throws `ClusterError`.
 */
export async function refuseNowhere({ namespace, get }: Pick<Session, 'namespace' | 'get'>): Promise<void> {
  if (namespace === undefined) return;
  try {
    await get(NAMESPACES, undefined, namespace);
  } catch (error) {
    if (!(error instanceof ClusterError && error.cause instanceof KubeError) || error.cause.status !== 404) return;
    throw new ClusterError(
      `the namespace ${harmless(namespace)} does not exist`,
      'Check -n and the context: `kubectl get namespaces` lists what there is.',
      { cause: error.cause },
    );
  }
}
