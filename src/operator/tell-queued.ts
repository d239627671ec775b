import type { Clock } from '../clock.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import { mergeConditions } from '../reconcile/conditions.ts';
import type { CommonStatus, ManagedObject } from '../reconcile/kind.ts';
import { CommonReason } from '../reconcile/verdict.ts';
import type { WiredKind } from './wiring.ts';

/** Between two looks. Milliseconds. */
const INTERVAL = 10_000;
/** A queue that is worked off within this is no news. Seconds. */
const SOON = 30;
/** Statuses written at one look: the apiserver has better to do. */
const AT_ONCE = 200;

/**
 * Tells resources that have waited for their first pass, and will for a while, that they do: a thousand SIMs at five
 * requests a second take a quarter of an hour, and a person should see why. Where the queue moves, nothing is written:
 * the first status is then the one that says Ready.
 */
export async function tellQueued(options: {
  readonly client: KubeClient;
  readonly kinds: readonly WiredKind[];
  readonly queue: { readonly length: number };
  /** Passes finished so far. */
  readonly finished: () => number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { client, kinds, queue, clock, signal } = options;
  for (let before = options.finished(); !signal.aborted; before = options.finished()) {
    await clock.sleep(INTERVAL, signal);
    const rate = (options.finished() - before) / (INTERVAL / 1000);
    const waiting = queue.length;
    if (waiting === 0 || waiting / rate < SOON) continue;
    for (const { reconciler, informer } of kinds) {
      const silent = informer.list().filter((object) => isSilent(object, clock.now()));
      for (const object of silent.slice(0, AT_ONCE)) {
        await tell(object, waiting).catch((error: unknown) => {
          if (error instanceof KubeError || error instanceof NotLeaderError) return;
          throw error;
        });
      }

      /** Guarded by the resource version: whoever has written since knows better. */
      async function tell(object: ManagedObject, others: number): Promise<void> {
        const { namespace, name, uid, resourceVersion, generation = 0 } = object.metadata;
        const patch = { metadata: { uid, resourceVersion }, status: queuedStatus(generation, others, clock.now()) };
        await client.mergePatch(reconciler.resource, namespace, name, patch, { subresource: 'status' });
      }
    }
  }
}

/** The first status of a resource that waits with so many others. Pure. */
export function queuedStatus(observedGeneration: number, others: number, now: number): CommonStatus {
  const message = `Waiting for its turn: ${others} resources are in the queue, and the account's limits say how fast they may go.`;
  const verdict = { reason: CommonReason.Queued, message };
  const conditions = mergeConditions(
    [],
    [
      { type: 'Ready', status: 'False', ...verdict },
      { type: 'Synced', status: 'False', ...verdict },
      { type: 'Reconciling', status: 'True', ...verdict },
    ],
    observedGeneration,
    now,
  );
  return { observedGeneration, conditions };
}

/** Nothing was ever said about it, and it has been there for a while. */
function isSilent(object: ManagedObject, now: number): boolean {
  const age = now - Date.parse(object.metadata.creationTimestamp ?? '');
  return !object.status?.conditions && !object.metadata.deletionTimestamp && age > INTERVAL;
}
