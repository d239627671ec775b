import type { Clock } from '../../clock.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { keyOf, type ObjectKey } from '../../reconcile/reconciler.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { AccountRegistry } from './registry.ts';
import type { Account } from './schema.ts';

/** What of an hour is on record. */
export type Budget = NonNullable<NonNullable<Account['status']>['budget']>;

/**
 * Takes from the record of each account what was to be sent and no longer will be; for the end of the process, once nothing
 * is sent any more: the next process would count it as sent. `isOwn`: this process wrote that record. Never throws.
 */
export function createGiveBack(
  options: {
    readonly kind: string;
    readonly resource: Resource;
    readonly informer: Informer<Account>;
    readonly client: KubeClient;
    readonly registry: Pick<AccountRegistry, 'get'>;
    readonly log: Logger;
    readonly clock: Clock;
  },
  isOwn: (key: ObjectKey, budget: Budget) => boolean,
): () => Promise<void> {
  const { kind, resource, informer, client, registry, log, clock } = options;

  async function giveBackOf(account: Account): Promise<void> {
    const { namespace, name, uid, resourceVersion } = account.metadata;
    const { budget } = account.status ?? {};
    const key = keyOf(kind, account.metadata);
    const session = registry.get(key);
    // What another process put on record is not this one's to take back.
    if (!budget?.reserved || !session?.verified || !isOwn(key, budget)) return;
    session.limiter.forgetRecord();
    const { used, limit, resetsAt, reserved } = session.limiter.record();
    const next = {
      used,
      limit,
      resetsAt: used > 0 && resetsAt !== undefined ? timestamp(resetsAt) : null,
      reserved: reserved > 0 ? reserved : null,
      recordedAt: timestamp(clock.now()),
    };
    const patch = { metadata: { uid, resourceVersion }, status: { budget: next } };
    await client.mergePatch<Account>(resource, namespace, name, patch, { subresource: 'status' });
  }

  return async () => {
    const ended = await Promise.allSettled(informer.list().map(giveBackOf));
    for (const one of ended) {
      if (one.status === 'rejected') log.info({ err: one.reason }, 'what was reserved of an hour stays so');
    }
  };
}
