import { KubeError } from '../../kubernetes/errors.ts';
import { NAMESPACES } from '../../kubernetes/resource.ts';
import { ClusterError } from '../errors.ts';
import type { Session } from '../session.ts';
import { harmless } from '../text/harmless.ts';
import type { Scope } from './fetch.ts';
import type { StatusReport } from './report.ts';

/**
 * Where nothing was found in a namespace, it may be misspelled: what is not there must not pass for ready. Who may not read
 * namespaces is not told. Throws `ClusterError`.
 */
export async function refuseNowhere(
  session: Pick<Session, 'namespace' | 'get'>,
  scopes: readonly Scope[],
  { all }: Pick<StatusReport, 'all'>,
): Promise<void> {
  const { namespace } = session;
  const isAsked = scopes.some(({ kind }) => kind.namespaced);
  if (namespace === undefined || !isAsked || all.some((one) => one.namespace === namespace)) return;
  try {
    await session.get(NAMESPACES, undefined, namespace);
  } catch (error) {
    if (!(error instanceof ClusterError && error.cause instanceof KubeError) || error.cause.status !== 404) return;
    throw new ClusterError(
      `the namespace ${harmless(namespace)} does not exist`,
      'Check -n and the context: `kubectl get namespaces` lists what there is.',
      { cause: error.cause },
    );
  }
}
