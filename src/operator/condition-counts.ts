import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';
import type { ConditionCount } from '../telemetry/metrics.ts';

interface Conditioned extends KubernetesObject {
  status?: { conditions?: readonly Condition[] | undefined } | undefined;
}

/** How many resources have which condition, counted when asked. */
export function countConditions(
  kinds: readonly (readonly [string, { list(): Conditioned[] } | undefined])[],
): ConditionCount[] {
  const counts = new Map<string, ConditionCount>();
  for (const [kind, informer] of kinds) {
    for (const object of informer?.list() ?? []) {
      for (const { type, status, reason } of object.status?.conditions ?? []) {
        const key = `${kind}/${type}/${status}/${reason}`;
        const known = counts.get(key) ?? { kind, type, status, reason, count: 0 };
        known.count++;
        counts.set(key, known);
      }
    }
  }
  return [...counts.values()];
}
