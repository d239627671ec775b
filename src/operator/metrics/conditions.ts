import { AccountReason } from '../../kinds/cloud-account/reasons.ts';
import { GatewayReason } from '../../kinds/mobile-gateway/reasons.ts';
import { OwnReason, SimReason } from '../../kinds/sim/reasons.ts';
import { CertificateReason } from '../../kinds/site-certificate/reasons.ts';
import { SiteReason } from '../../kinds/web-accel-site/reasons.ts';
import type { Condition, KubernetesObject } from '../../kubernetes/objects.ts';
import type { Verdict } from '../../reconcile/conditions.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import type { MetricSource } from '../../telemetry/metrics.ts';

interface Conditioned extends KubernetesObject {
  status?: { conditions?: readonly Condition[] | undefined } | undefined;
}

const types: Readonly<Record<Verdict['type'], true>> = {
  Ready: true,
  Synced: true,
  Reconciling: true,
  Stalled: true,
  Braked: true,
  WithinDataLimit: true,
  Online: true,
};

const reasons: ReadonlySet<string> = new Set(
  [
    CommonReason,
    FailureReason,
    AccountReason,
    SimReason,
    OwnReason,
    GatewayReason,
    SiteReason,
    CertificateReason,
  ].flatMap((table) => Object.values(table)),
);

/**
 * How many resources have which condition, and since when the first of them. Some may write the status of a CloudAccount: what
 * the operator itself never writes makes no series, for there could be any number of them, and no condition is older than
 * its resource.
 */
export function conditionSource(
  kinds: readonly (readonly [string, { list(): Conditioned[] } | undefined])[],
): MetricSource {
  return (show) => {
    for (const [kind, informer] of kinds) {
      const counts = new Map<string, { type: string; status: string; reason: string; count: number; since: number }>();
      for (const { metadata, status: written } of informer?.list() ?? []) {
        for (const { type, status, reason, lastTransitionTime } of written?.conditions ?? []) {
          if (!Object.hasOwn(types, type) || !reasons.has(reason)) continue;
          const key = `${type}/${status}/${reason}`;
          const since = latest(metadata.creationTimestamp, lastTransitionTime);
          const known = counts.get(key) ?? { type, status, reason, count: 0, since };
          counts.set(key, { ...known, count: known.count + 1, since: Math.min(known.since, since) });
        }
      }
      for (const { count, since, ...condition } of counts.values()) {
        show('edgeline_resource_condition', { kind, ...condition }, count);
        if (Number.isFinite(since))
          show('edgeline_resource_condition_since_timestamp_seconds', { kind, ...condition }, since / 1000);
      }
    }
  };
}

/** Epoch milliseconds; infinite where none of them is a time. */
function latest(...times: readonly (string | undefined)[]): number {
  const known = times.map((time) => Date.parse(time ?? '')).filter((time) => !Number.isNaN(time));
  return known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known);
}
