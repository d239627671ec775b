import { isToldPaused } from '../../kinds/cloud-account/pauses.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { NAMESPACES } from '../../kubernetes/resource.ts';
import { Annotation, isPaused } from '../../reconcile/annotations.ts';
import { ClusterError } from '../errors.ts';
import type { Session } from '../session.ts';
import type { FoundAccount } from './account.ts';
import { AccountStopped } from './errors.ts';

/**
 * Why nothing that writes may be sent through an account from this namespace: a person has stopped one of them, and the
 * operator holds back, too. Undefined: nobody has. Throws nothing: whoever may not read a Namespace is told by the account.
 */
export async function stopOf(
  session: Pick<Session, 'get'>,
  { account, ref, namespace: home }: FoundAccount,
  namespace: string,
): Promise<AccountStopped | undefined> {
  if (isPaused(account)) return stopped(`the ${ref.kind} ${ref.name}`, `${ref.kind.toLowerCase()} ${ref.name}`, home);
  for (const name of new Set([...(home === undefined ? [] : [home]), namespace])) {
    const isStopped = await isNamespacePaused(session, name, name === home && isToldPaused(account));
    if (isStopped) return stopped(`the Namespace ${name}`, `namespace ${name}`, undefined);
  }
  return undefined;
}

async function isNamespacePaused(session: Pick<Session, 'get'>, name: string, isTold: boolean): Promise<boolean> {
  try {
    return isPaused(await session.get<KubernetesObject>(NAMESPACES, undefined, name));
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return isTold;
  }
}

function stopped(what: string, target: string, namespace: string | undefined): AccountStopped {
  const place = namespace === undefined ? '' : `-n ${namespace} `;
  return new AccountStopped(
    `nothing was sent: ${Annotation.paused} is set on ${what}, which stops everything that writes`,
    `Ask whoever set it, or take it off: \`kubectl ${place}annotate ${target} ${Annotation.paused}-\`. \`edgeline api\` with --write and --force sends a request all the same.`,
  );
}
