import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

/** How one reconcile ended, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** How many resources have a condition with this status and reason. */
export interface ConditionCount {
  kind: string;
  type: string;
  status: string;
  reason: string;
  count: number;
  /** Since when the first of them has this status, milliseconds since the epoch. */
  since: number;
}

/** Until when the certificate on a site is valid. */
export interface SiteCertificateExpiry {
  namespace: string;
  name: string;
  site: string;
  /** Seconds since the Unix epoch. */
  notAfter: number;
}

/** What `# HELP` and `# TYPE` say of a metric, and its labels. */
export interface MetricFamily {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

/** What a work queue tells of itself; it fits `WorkQueueObserver`. */
export interface QueueMetrics {
  added(): void;
  retried(): void;
  started(waitedSeconds: number): void;
  finished(workedSeconds: number): void;
}

/**
 * Everything the process counts. The names that dashboards for Go operators know are kept as they are; ours begin with
 * `edgeline_`. Durations are seconds.
 */
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
  /** Asked at each scrape: requests left in the window, by account and API. */
  apiBudget(remaining: () => Iterable<{ account: string; api: string; remaining: number }>): void;
  /** Asked at each scrape: whether an account's requests to an API wait because its credentials were refused. */
  circuits(states: () => Iterable<{ account: string; api: string; open: boolean }>): void;
  driftDetected(kind: string, field: string): void;
  /** What became of an approval (`edgeline_approvals_total`). */
  approval(kind: string, outcome: string): void;
  /** Asked at each scrape: plans that wait for approval, by kind. */
  plansWaiting(counts: () => Iterable<{ kind: string; count: number }>): void;
  certificateUploaded(lagSeconds: number): void;
  /** Asked at each scrape. */
  conditions(counts: () => Iterable<ConditionCount>): void;
  /** Asked at each scrape. */
  certificates(expiries: () => Iterable<SiteCertificateExpiry>): void;
  buildInfo(version: string, commit: string): void;
  /** In the Prometheus text format, of `contentType`. */
  text(): Promise<string>;
  readonly contentType: string;
  /** All metrics but those of the process itself. */
  readonly families: readonly MetricFamily[];
}

/** client-go's own buckets for a queue. */
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];
const RECONCILE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const API_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LAG_BUCKETS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

export interface MetricsOptions {
  /** Also memory, CPU, event loop and garbage collection of the process; default true. */
  process?: boolean;
}

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.process !== false) {
    // The library's own rhythms would wake an idle process a hundred times a second.
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50, eventLoopUtilizationTimeout: 5000 });
  }

  const families: MetricFamily[] = [];
  function counter<L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> {
    families.push({ name, type: 'counter', help, labels: labelNames });
    return new Counter({ name, help, labelNames, registers });
  }
  function gauge<L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> {
    families.push({ name, type: 'gauge', help, labels: labelNames });
    return new Gauge({ name, help, labelNames, registers });
  }
  function histogram<L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) {
    families.push({ name, type: 'histogram', help, labels: labelNames });
    return new Histogram({ name, help, buckets, labelNames, registers });
  }
  /** A gauge whose every value is asked for at the scrape, so that what is gone is gone from it too. */
  function asked(name: string, help: string, ...labelNames: string[]) {
    families.push({ name, type: 'gauge', help, labels: labelNames });
    const sources: ((set: (labels: Record<string, string>, value: number) => void) => void)[] = [];
    const asking: Gauge<string> = new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        asking.reset();
        for (const source of sources) source((labels, value) => asking.set(labels, value));
      },
    });
    return (source: (typeof sources)[number]) => {
      sources.push(source);
    };
  }

  const reconciles = counter(
    'controller_runtime_reconcile_total',
    'Reconciles, by controller and result.',
    'controller',
    'result',
  );
  const reconcileErrors = counter(
    'controller_runtime_reconcile_errors_total',
    'Reconciles that failed, by controller.',
    'controller',
  );
  const reconcileTime = histogram(
    'controller_runtime_reconcile_time_seconds',
    'How long reconciles took, by controller.',
    RECONCILE_BUCKETS,
    'controller',
  );
  const workers = gauge(
    'controller_runtime_active_workers',
    'Reconciles under way, by controller, including those that wait for the service.',
    'controller',
  );
  const queueDepth = asked('workqueue_depth', 'Keys that are due and waiting, by queue.', 'name', 'controller');
  const queueAdds = counter('workqueue_adds_total', 'Keys added, by queue.', 'name', 'controller');
  const queueRetries = counter('workqueue_retries_total', 'Keys to be tried again, by queue.', 'name', 'controller');
  const queueWait = histogram(
    'workqueue_queue_duration_seconds',
    'How long keys waited for a worker, by queue.',
    QUEUE_BUCKETS,
    'name',
    'controller',
  );
  const queueWork = histogram(
    'workqueue_work_duration_seconds',
    'How long keys were worked on, by queue.',
    QUEUE_BUCKETS,
    'name',
    'controller',
  );
  const restRequests = counter(
    'rest_client_requests_total',
    'Requests to the Kubernetes API, by status code and method.',
    'code',
    'method',
  );
  const leaderStatus = gauge(
    'leader_election_master_status',
    'Whether this process holds the Lease (1) or not (0).',
    'name',
  );
  const apiRequests = counter(
    'edgeline_api_requests_total',
    'Requests to the service, by API, route and status code.',
    'api',
    'route',
    'code',
  );
  const apiTime = histogram(
    'edgeline_api_request_duration_seconds',
    'How long requests to the service took, by API and route.',
    API_BUCKETS,
    'api',
    'route',
  );
  const budget = asked(
    'edgeline_api_budget_remaining',
    'Requests to the service left in the current window, by account and API.',
    'account',
    'api',
  );
  const throttled = counter('edgeline_api_throttled_total', 'Requests the service refused as too many, by API.', 'api');
  const circuitOpen = asked(
    'edgeline_circuit_open',
    'Whether an API is not called for an account because its credentials were refused (1) or not (0).',
    'account',
    'api',
  );
  const conditionCounts = asked(
    'edgeline_resource_condition',
    'Resources, by kind and by type, status and reason of a condition.',
    'kind',
    'type',
    'status',
    'reason',
  );
  const conditionSince = asked(
    'edgeline_resource_condition_since_timestamp_seconds',
    'Since when the resource that has had this condition longest has had it, in seconds since the Unix epoch.',
    'kind',
    'type',
    'status',
    'reason',
  );
  const drift = counter(
    'edgeline_drift_detected_total',
    'Fields at the service found to differ from the spec, by kind and field.',
    'kind',
    'field',
  );
  const plansWaiting = asked('edgeline_plans_waiting', 'Plans that wait for approval, by kind.', 'kind');
  const approvals = counter(
    'edgeline_approvals_total',
    'Approvals, by kind and outcome: approved, mismatched (the annotation is not the hash of the plan that waits), outdated (something else became necessary before it was carried out), withdrawn.',
    'kind',
    'outcome',
  );
  const notAfter = asked(
    'edgeline_site_certificate_not_after_timestamp_seconds',
    'When the certificate on a site expires, in seconds since the Unix epoch.',
    'namespace',
    'name',
    'site',
  );
  const uploadLag = histogram(
    'edgeline_certificate_upload_lag_seconds',
    'How long a renewed certificate took from the cluster to the site.',
    LAG_BUCKETS,
  );
  const build = gauge('edgeline_build_info', 'The build that is running; always 1.', 'version', 'commit');

  return {
    reconciled(controller, result, seconds) {
      reconciles.inc({ controller, result });
      if (result === 'error') reconcileErrors.inc({ controller });
      reconcileTime.observe({ controller }, seconds);
    },
    activeWorkers: (controller, change) => (change === 1 ? workers.inc({ controller }) : workers.dec({ controller })),
    queue(name, depth) {
      const labels = { name, controller: name };
      queueDepth((set) => set(labels, depth()));
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
    apiBudget(remaining) {
      budget((set) => {
        for (const { account, api, remaining: left } of remaining()) set({ account, api }, left);
      });
    },
    circuits(states) {
      circuitOpen((set) => {
        for (const { account, api, open } of states()) set({ account, api }, open ? 1 : 0);
      });
    },
    driftDetected: (kind, field) => drift.inc({ kind, field }),
    approval: (kind, outcome) => approvals.inc({ kind, outcome }),
    plansWaiting(counts) {
      plansWaiting((set) => {
        for (const { kind, count } of counts()) set({ kind }, count);
      });
    },
    certificateUploaded: (lagSeconds) => uploadLag.observe(lagSeconds),
    conditions(counts) {
      conditionCounts((set) => {
        for (const { count, since: _since, ...labels } of counts()) set(labels, count);
      });
      conditionSince((set) => {
        for (const { count: _count, since, ...labels } of counts()) set(labels, since / 1000);
      });
    },
    certificates(expiries) {
      notAfter((set) => {
        for (const { notAfter: seconds, ...labels } of expiries()) set(labels, seconds);
      });
    },
    buildInfo: (version, commit) => build.set({ version, commit }, 1),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    families,
  };
}
