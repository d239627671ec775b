import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { exposed, type Show } from './exposition.ts';
import { askedFamilies } from './families/all.ts';
import type { Family } from './families/family.ts';
import { toldFamilies } from './families/operator.ts';

/** How one reconcile ended, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** What a work queue tells of itself; it fits `WorkQueueObserver`. */
export interface QueueMetrics {
  added(): void;
  retried(): void;
  started(waitedSeconds: number): void;
  finished(workedSeconds: number): void;
}

/** Shows samples of what there is at a scrape. */
export type MetricSource = (show: Show<typeof askedFamilies>) => void;

/** Everything the process counts, and what it is asked for at each scrape. Durations are seconds. */
export interface Metrics {
  reconciled(controller: string, result: ReconcileResult, seconds: number): void;
  /** One worker began (1) or ended (-1) a reconcile. */
  activeWorkers(controller: string, change: 1 | -1): void;
  /** The metrics of the queue of that name; `depth` is asked at each scrape. */
  queue(name: string, depth: () => number): QueueMetrics;
  kubernetesRequest(request: { method: string; code: string }): void;
  leader(lease: string, leads: boolean): void;
  /** One request to the service; `route` is the template, never the path with its IDs. */
  apiRequest(request: { api: string; route: string; code: string; throttled: boolean; seconds: number }): void;
  /** One line of the log of changes. */
  written(change: { kind: string; cause: string; outcome: string }): void;
  driftDetected(kind: string, field: string): void;
  /** An Event was given up (`edgeline_events_dropped_total`). */
  eventDropped(): void;
  /** What became of an approval (`edgeline_approvals_total`). */
  approval(kind: string, outcome: string): void;
  certificateUploaded(lagSeconds: number): void;
  buildInfo(version: string, commit: string): void;
  /** Asked at each scrape: what it does not show then is not there. */
  ask(source: MetricSource): void;
  /** In the Prometheus text format, of `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface MetricsOptions {
  /** Also memory, CPU, event loop and garbage collection of the process; default true. */
  process?: boolean;
}

type Told = typeof toldFamilies;
type NameOf<T extends 'counter' | 'gauge' | 'histogram'> = {
  [N in keyof Told]: Told[N] extends Family<string, T> ? N : never;
}[keyof Told];
type LabelsOf<N extends keyof Told> = Told[N]['labels'][number];

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process !== false) {
    // The library's own rhythms would wake an idle process a hundred times a second.
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50, eventLoopUtilizationTimeout: 5000 });
  }
  const sources: MetricSource[] = [];
  const counter = <N extends NameOf<'counter'>>(name: N): Counter<LabelsOf<N>> => {
    const { help, labels } = toldFamilies[name];
    return new Counter({ name, help, labelNames: labels, registers });
  };
  const gauge = <N extends NameOf<'gauge'>>(name: N): Gauge<LabelsOf<N>> => {
    const { help, labels } = toldFamilies[name];
    return new Gauge({ name, help, labelNames: labels, registers });
  };
  const histogram = <N extends NameOf<'histogram'>>(name: N): Histogram<LabelsOf<N>> => {
    const { help, labels, buckets = [] } = toldFamilies[name];
    return new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers });
  };

  const reconciles = counter('controller_runtime_reconcile_total');
  const reconcileErrors = counter('controller_runtime_reconcile_errors_total');
  const reconcileTime = histogram('controller_runtime_reconcile_time_seconds');
  const workers = gauge('controller_runtime_active_workers');
  const queueAdds = counter('workqueue_adds_total');
  const queueRetries = counter('workqueue_retries_total');
  const queueWait = histogram('workqueue_queue_duration_seconds');
  const queueWork = histogram('workqueue_work_duration_seconds');
  const restRequests = counter('rest_client_requests_total');
  const leaderStatus = gauge('leader_election_master_status');
  const apiRequests = counter('edgeline_api_requests_total');
  const apiTime = histogram('edgeline_api_request_duration_seconds');
  const throttled = counter('edgeline_api_throttled_total');
  const writes = counter('edgeline_writes_total');
  const drift = counter('edgeline_drift_detected_total');
  const approvals = counter('edgeline_approvals_total');
  const eventsDropped = counter('edgeline_events_dropped_total');
  const uploadLag = histogram('edgeline_certificate_upload_lag_seconds');
  const build = gauge('edgeline_build_info');

  return {
    reconciled(controller, result, seconds) {
      reconciles.inc({ controller, result });
      if (result === 'error') reconcileErrors.inc({ controller });
      reconcileTime.observe({ controller }, seconds);
    },
    activeWorkers: (controller, change) => (change === 1 ? workers.inc({ controller }) : workers.dec({ controller })),
    queue(name, depth) {
      const labels = { name, controller: name };
      sources.push((show) => show('workqueue_depth', labels, depth()));
      // There from the start, so that a rate over them has a beginning.
      queueAdds.inc(labels, 0);
      queueRetries.inc(labels, 0);
      return {
        added: () => queueAdds.inc(labels),
        retried: () => queueRetries.inc(labels),
        started: (seconds) => queueWait.observe(labels, seconds),
        finished: (seconds) => queueWork.observe(labels, seconds),
      };
    },
    kubernetesRequest: ({ method, code }) => restRequests.inc({ code, method }),
    leader: (lease, leads) => leaderStatus.set({ name: lease }, leads ? 1 : 0),
    apiRequest({ api, route, code, throttled: isThrottled, seconds }) {
      apiRequests.inc({ api, route, code });
      if (isThrottled) throttled.inc({ api });
      apiTime.observe({ api, route }, seconds);
    },
    written: ({ kind, cause, outcome }) => writes.inc({ kind, cause, outcome }),
    eventDropped: () => eventsDropped.inc(),
    driftDetected: (kind, field) => drift.inc({ kind, field }),
    approval: (kind, outcome) => approvals.inc({ kind, outcome }),
    certificateUploaded: (lagSeconds) => uploadLag.observe(lagSeconds),
    buildInfo: (version, commit) => build.set({ version, commit }, 1),
    ask: (source) => void sources.push(source),
    text: async () => `${await registry.metrics()}\n${exposed(askedFamilies, sources)}`,
    contentType: registry.contentType,
  };
}
