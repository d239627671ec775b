import type { Condition, KubernetesObject } from '../../kubernetes/objects.ts';
import type { MetricSource } from '../../telemetry/metrics.ts';

interface Conditioned extends KubernetesObject {
  status?: { conditions?: readonly Condition[] | undefined } | undefined;
}

/** How many resources have which condition, and since when the first of them. */
export function conditionSource(
  kinds: readonly (readonly [string, { list(): Conditioned[] } | undefined])[],
): MetricSource {
  return (show) => {
    for (const [kind, informer] of kinds) {
      const counts = new Map<string, { type: string; status: string; reason: string; count: number; since: number }>();
      for (const object of informer?.list() ?? []) {
        for (const { type, status, reason, lastTransitionTime } of object.status?.conditions ?? []) {
          const key = `${type}/${status}/${reason}`;
          const since = Date.parse(lastTransitionTime);
          const known = counts.get(key) ?? { type, status, reason, count: 0, since };
          counts.set(key, { ...known, count: known.count + 1, since: Math.min(known.since, since) });
        }
      }
      for (const { count, since, ...condition } of counts.values()) {
        show('edgeline_resource_condition', { kind, ...condition }, count);
        show('edgeline_resource_condition_since_timestamp_seconds', { kind, ...condition }, since / 1000);
      }
    }
  };
}
