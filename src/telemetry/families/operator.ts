import { counter, gauge, histogram } from './family.ts';

/** client-go's own buckets for a queue. */
const QUEUE_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000];
const RECONCILE_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const API_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LAG_BUCKETS = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400];

/**
 * What is counted as it happens. The names that dashboards for Go operators know are kept as they are; ours begin with
 * `edgeline_`. Durations are seconds.
 */
export const toldFamilies = {
  controller_runtime_reconcile_total: counter('Reconciles, by controller and result.', 'controller', 'result'),
  controller_runtime_reconcile_errors_total: counter('Reconciles that failed, by controller.', 'controller'),
  controller_runtime_reconcile_time_seconds: histogram(
    'How long reconciles took, by controller.',
    RECONCILE_BUCKETS,
    'controller',
  ),
  controller_runtime_active_workers: gauge(
    'Reconciles under way, by controller, including those that wait for the service.',
    'controller',
  ),
  workqueue_adds_total: counter('Keys added, by queue.', 'name', 'controller'),
  workqueue_retries_total: counter('Keys to be tried again, by queue.', 'name', 'controller'),
  workqueue_queue_duration_seconds: histogram(
    'How long keys waited for a worker, by queue.',
    QUEUE_BUCKETS,
    'name',
    'controller',
  ),
  workqueue_work_duration_seconds: histogram(
    'How long keys were worked on, by queue.',
    QUEUE_BUCKETS,
    'name',
    'controller',
  ),
  rest_client_requests_total: counter('Requests to the Kubernetes API, by status code and method.', 'code', 'method'),
  leader_election_master_status: gauge('Whether this process holds the Lease (1) or not (0).', 'name'),
  edgeline_api_requests_total: counter(
    'Requests to the service, by API, route and status code.',
    'api',
    'route',
    'code',
  ),
  edgeline_api_request_duration_seconds: histogram(
    'How long requests to the service took, by API and route.',
    API_BUCKETS,
    'api',
    'route',
  ),
  edgeline_api_throttled_total: counter('Requests the service refused as too many, by API.', 'api'),
  edgeline_writes_total: counter(
    'Requests that write at the service, as in the log of changes, by kind, cause and outcome.',
    'kind',
    'cause',
    'outcome',
  ),
  edgeline_drift_detected_total: counter(
    'Fields at the service found to differ from the spec, by kind and field.',
    'kind',
    'field',
  ),
  edgeline_approvals_total: counter(
    'Approvals, by kind and outcome: approved, mismatched (the annotation is not the hash of the plan that waits), outdated (something else became necessary before it was carried out), withdrawn.',
    'kind',
    'outcome',
  ),
  edgeline_events_dropped_total: counter(
    'Events for `kubectl describe` that were given up: of those that only repeat the status or the log of changes, more than 50 of one reason and cause came at once in a namespace, and then more than 6 a minute; more than 1,000 waited; or the apiserver refused. The log of changes has all writes.',
  ),
  edgeline_certificate_upload_lag_seconds: histogram(
    'How long a renewed certificate took from the cluster to the site.',
    LAG_BUCKETS,
  ),
  edgeline_build_info: gauge('The build that is running; always 1.', 'version', 'commit'),
};

/** What is asked for at each scrape, so that what is gone is gone from it too. */
export const askedFamilies = {
  workqueue_depth: gauge('Keys that are due and waiting, by queue.', 'name', 'controller'),
  edgeline_api_budget_remaining: gauge(
    'Requests to the service left in the current window, by account and API.',
    'account',
    'api',
  ),
  edgeline_api_budget_limit: gauge('Requests to the service that a window has, by account and API.', 'account', 'api'),
  edgeline_api_rate_limit: gauge(
    'Requests a second that the limits of the account allow, by account and API.',
    'account',
    'api',
  ),
  edgeline_api_rate_allowed: gauge(
    'Requests a second that go now at most, by account and API: fewer than the limit while the service has too much to do, and 0 while it wants none (`Retry-After`).',
    'account',
    'api',
  ),
  edgeline_api_lane_requests_total: counter(
    'Requests sent to the service, by account, API and lane (what they are for).',
    'account',
    'api',
    'lane',
  ),
  edgeline_api_lane_waiting: gauge(
    'Requests to the service that wait for their turn, by account, API and lane.',
    'account',
    'api',
    'lane',
  ),
  edgeline_circuit_open: gauge(
    'Whether an API is not called for an account because its credentials were refused (1) or not (0).',
    'account',
    'api',
  ),
  edgeline_poll_success_timestamp_seconds: gauge(
    'When the last list that came whole was asked for, in seconds since the Unix epoch.',
    'account',
    'list',
    'zone',
  ),
  edgeline_poll_interval_seconds: gauge('Seconds between two polls of a list.', 'account', 'list', 'zone'),
  edgeline_poll_duration_seconds: gauge(
    'How long the last list that came whole took, waiting for its turn included.',
    'account',
    'list',
    'zone',
  ),
  edgeline_poll_failed: gauge('Whether the last poll of a list failed (1) or not (0).', 'account', 'list', 'zone'),
  edgeline_poll_items: gauge('Objects at the service that the last list showed.', 'account', 'list', 'zone'),
  edgeline_resource_condition: gauge(
    'Resources, by kind and by type, status and reason of a condition.',
    'kind',
    'type',
    'status',
    'reason',
  ),
  edgeline_resource_condition_since_timestamp_seconds: gauge(
    'Since when the resource that has had this condition longest has had it, in seconds since the Unix epoch.',
    'kind',
    'type',
    'status',
    'reason',
  ),
  edgeline_site_certificate_not_after_timestamp_seconds: gauge(
    'When the certificate on a site expires, in seconds since the Unix epoch.',
    'namespace',
    'name',
    'site',
  ),
};
