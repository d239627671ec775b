import type { Clock } from '../clock.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import { HOLDER_LEASE } from '../kubernetes/holdings.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { mergeConditions, type Verdict } from '../reconcile/conditions.ts';
import { CommonReason } from '../reconcile/verdict.ts';

/** What has a status with conditions. */
export interface Reported extends KubernetesObject {
  readonly status?: { readonly observedGeneration?: number | undefined; readonly conditions?: Condition[] | undefined };
}

/** A kind whose objects may be in namespaces that another installation holds. */
export interface ReportedKind {
  readonly kind: string;
  readonly resource: Resource;
  readonly informer: Pick<Informer<Reported>, 'list' | 'put'>;
}

/** What the status of a resource says that nobody has answered; `holder` has the Lease in `namespace`. */
export function heldMessage(namespace: string, holder: string, identity: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return (
    `The installation ${holder} of the operator holds namespace ${namespace} and has not answered, so ${identity} does nothing. ` +
    `Only one may look after a namespace: uninstall the other, or take the namespace from one of them. If ${holder} is gone, ` +
    `${identity} takes over ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} after it began to wait; at once after: kubectl -n ${namespace} delete lease ${HOLDER_LEASE}`
  );
}

/** The conditions of a resource that its holder leaves without an answer. Pure. */
export function heldConditions(object: Reported, isManaged: boolean, message: string, now: number): Condition[] {
  const why = { reason: CommonReason.HeldElsewhere, message };
  const verdicts: Verdict[] = [
    { type: 'Ready', status: 'False', ...why },
    ...(isManaged ? ([{ type: 'Synced', status: 'False', ...why }] as const) : []),
    { type: 'Stalled', status: 'True', ...why },
  ];
  return mergeConditions(object.status?.conditions ?? [], verdicts, object.metadata.generation ?? 0, now);
}

/**
 * Where another installation holds a namespace, its word counts, and nothing is written over it. Only what it leaves without
 * an answer gets one from here: a status older than its spec, after a while, once for each generation. `observedGeneration`
 * stays as it is, so whoever does the work still sees that it is news. Two operators cannot fight over that.
 */
export async function reportHeld(options: {
  readonly client: KubeClient;
  readonly kinds: readonly ReportedKind[];
  /** The namespace whose Lease decides about an object, and the other installation that has it; undefined: none has. */
  readonly rivalOf: (
    kind: string,
    object: Reported,
  ) => { readonly namespace: string; readonly holder: string } | undefined;
  readonly identity: string;
  /** For so long a Lease is held that nobody renews. */
  readonly holdSeconds: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { client, kinds, rivalOf, identity, holdSeconds, clock, signal } = options;
  const patience = (holdSeconds * 1000) / 15;
  /** Since when each generation waits for an answer; infinity: it got one from here. */
  let waiting = new Map<string, number>();

  for (;;) {
    await clock.sleep(patience / 6, signal);
    const now = clock.monotonic();
    const known = waiting;
    waiting = new Map();
    for (const { kind, resource, informer } of kinds) {
      for (const object of informer.list()) {
        const { namespace, name, uid, resourceVersion, generation = 0 } = object.metadata;
        if ((object.status?.observedGeneration ?? -1) >= generation) continue;
        const rival = rivalOf(kind, object);
        if (!rival) continue;
        const key = `${uid}/${generation}`;
        const since = known.get(key) ?? now;
        waiting.set(key, since);
        if (now - since < patience) continue;
        waiting.set(key, Number.POSITIVE_INFINITY);
        const message = heldMessage(rival.namespace, rival.holder, identity, holdSeconds);
        const conditions = heldConditions(object, !kind.endsWith('CloudAccount'), message, clock.now());
        const patch = { metadata: { uid, resourceVersion }, status: { conditions } };
        await client
          .mergePatch<Reported>(resource, namespace, name, patch, { subresource: 'status' })
          .then((written) => informer.put(written))
          .catch((error: unknown) => {
            if (!(error instanceof KubeError) && !(error instanceof NotLeaderError)) throw error;
          });
      }
    }
  }
}
