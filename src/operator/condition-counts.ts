import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';
import { CommonReason } from '../reconcile/verdict.ts';
import type { ConditionCount } from '../telemetry/metrics.ts';

interface Conditioned extends KubernetesObject {
  status?: { conditions?: readonly Condition[] | undefined } | undefined;
}

/** How many plans wait for approval, by kind; of a kind without any, none do. Pure. */
export function plansWaiting(
  kinds: readonly string[],
  counts: readonly ConditionCount[],
): { kind: string; count: number }[] {
  return kinds.map((kind) => {
    const waits = (one: ConditionCount) =>
      one.kind === kind && one.type === 'Synced' && one.reason === CommonReason.ApprovalPending;
    return { kind, count: counts.filter(waits).reduce((sum, { count }) => sum + count, 0) };
  });
}

/** How many resources have which condition, and since when, counted when asked. */
export function countConditions(
  kinds: readonly (readonly [string, { list(): Conditioned[] } | undefined])[],
): ConditionCount[] {
  const counts = new Map<string, ConditionCount>();
  for (const [kind, informer] of kinds) {
    for (const object of informer?.list() ?? []) {
      for (const { type, status, reason, lastTransitionTime } of object.status?.conditions ?? []) {
        const key = `${kind}/${type}/${status}/${reason}`;
        const since = Date.parse(lastTransitionTime);
        const known = counts.get(key) ?? { kind, type, status, reason, count: 0, since };
        known.count++;
        known.since = Math.min(known.since, since);
        counts.set(key, known);
      }
    }
  }
  return [...counts.values()];
}
