import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { diff } from '../../kubernetes/merge-patch.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { keyOf } from '../../reconcile/reconciler.ts';
import type { Logger } from '../../telemetry/log.ts';
import { budgetOf } from './record.ts';
import type { Records } from './records.ts';
import type { AccountRegistry } from './registry.ts';
import type { Account } from './schema.ts';

/**
 * Takes from the record of each account what was to be sent and no longer will be; for the end of the process, once nothing
 * is sent any more: the next process would count it as sent. Never throws.
 */
export function createGiveBack(options: {
  readonly kind: string;
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly client: KubeClient;
  readonly registry: Pick<AccountRegistry, 'get'>;
  readonly log: Logger;
  readonly records: Pick<Records, 'isKnown'>;
  readonly time: Pick<ClusterTime, 'latest'>;
}): () => Promise<void> {
  const { kind, resource, informer, client, registry, records, log, time } = options;

  async function giveBackOf(account: Account): Promise<void> {
    const { namespace, name, uid, resourceVersion } = account.metadata;
    const { budget } = account.status ?? {};
    const key = keyOf(kind, account.metadata);
    const session = registry.get(key);
    // What another process put on record is not this one's to take back.
    if (!budget?.reserved || !session?.verified || !records.isKnown(key, budget)) return;
    session.limiter.forgetRecord();
    const next = budgetOf(key, session, {
      ...session.limiter.record(),
      at: time.latest(),
      // What came onto the list since is not counted yet.
      counted: budget.counted,
    });
    const patch = { metadata: { uid, resourceVersion }, status: { budget: diff(budget, next) } };
    await client.mergePatch<Account>(resource, namespace, name, patch, { subresource: 'status' });
  }

  return async () => {
    const ended = await Promise.allSettled(informer.list().map(giveBackOf));
    for (const one of ended) {
      if (one.status === 'rejected') log.info({ err: one.reason }, 'what was reserved of an hour stays so');
    }
  };
}
