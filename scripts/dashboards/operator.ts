import type { DashboardSpec } from './panels.ts';

/** How the operator is: who leads, what it asks and writes, and what waits. */
export const operatorDashboard: DashboardSpec = {
  uid: 'edgeline-operator',
  title: 'Edgeline / Operator',
  description:
    'Whether the operator works, what it asks the service and writes, and what waits. Alerts: docs/alerts.md.',
  variables: [
    { name: 'account', label: 'Account', query: 'label_values(edgeline_poll_interval_seconds, account)', multi: true },
  ],
  rows: [
    {
      title: 'Now',
      panels: [
        {
          title: 'Leading pods',
          description: 'One, if the operator works.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: 'sum(leader_election_master_status{name="edgeline-operator"})' }],
        },
        {
          title: 'Not Ready',
          description: 'Resources whose condition Ready is not True.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: 'sum(edgeline_resource_condition{type="Ready", status!="True"}) or vector(0)' }],
          warn: 1,
        },
        {
          title: 'Not in sync',
          description: 'Resources that do not match their spec.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: 'sum(edgeline_resource_condition{type="Synced", status!="True"}) or vector(0)' }],
          warn: 1,
        },
        {
          title: 'Stalled',
          description: 'Resources that need a person.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: 'sum(edgeline_resource_condition{type="Stalled", status="True"}) or vector(0)' }],
          alarm: 1,
        },
        {
          title: 'Refused credentials',
          description: 'APIs that are not called because the service refused an account’s credentials.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: 'sum(edgeline_circuit_open{account=~"$account"})' }],
          alarm: 1,
        },
        {
          title: 'Build',
          description: 'What runs.',
          show: 'stat',
          unit: 'none',
          queries: [{ expr: 'count by (version) (edgeline_build_info)', legend: '{{version}}' }],
        },
      ],
    },
    {
      title: 'Resources',
      panels: [
        {
          title: 'Why resources are not Ready',
          description: 'By kind and reason, with how many there are.',
          show: 'table',
          unit: 'none',
          queries: [{ expr: 'sum by (kind, reason) (edgeline_resource_condition{type="Ready", status!="True"})' }],
          width: 12,
        },
        {
          title: 'Why resources are not in sync',
          description: 'By kind and reason, with how many there are.',
          show: 'table',
          unit: 'none',
          queries: [{ expr: 'sum by (kind, reason) (edgeline_resource_condition{type="Synced", status!="True"})' }],
          width: 12,
        },
        {
          title: 'Writes by cause',
          description: 'Requests that change something at the service, as in the log of changes.',
          show: 'timeseries',
          unit: 'reqps',
          queries: [{ expr: 'sum by (cause) (rate(edgeline_writes_total[$__rate_interval]))', legend: '{{cause}}' }],
        },
        {
          title: 'Drift found',
          description: 'Fields that differed from the spec.',
          show: 'timeseries',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (kind, field) (increase(edgeline_drift_detected_total[1h]))',
              legend: '{{kind}} {{field}}',
            },
          ],
        },
      ],
    },
    {
      title: 'The service',
      panels: [
        {
          title: 'Requests by lane',
          description: 'What an account’s requests are for.',
          show: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (api, lane) (rate(edgeline_api_lane_requests_total{account=~"$account"}[$__rate_interval]))',
              legend: '{{api}} {{lane}}',
            },
          ],
        },
        {
          title: 'Waiting for their turn',
          description: 'Requests that wait, because of an account’s limits.',
          show: 'timeseries',
          unit: 'short',
          queries: [
            {
              expr: 'sum by (account, lane) (edgeline_api_lane_waiting{account=~"$account"}) > 0',
              legend: '{{account}} {{lane}}',
            },
          ],
        },
        {
          title: 'Used of the hour',
          description: 'The part of the rolling hour of web acceleration that is used.',
          show: 'timeseries',
          unit: 'percentunit',
          queries: [
            {
              expr: '1 - max by (account) (edgeline_api_budget_remaining{account=~"$account"}) / max by (account) (edgeline_api_budget_limit{account=~"$account"})',
              legend: '{{account}}',
            },
          ],
          warn: 0.75,
          alarm: 0.9,
        },
        {
          title: 'Answers',
          description: 'By code; a word means that there was none.',
          show: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (api, code) (rate(edgeline_api_requests_total[$__rate_interval]))',
              legend: '{{api}} {{code}}',
            },
            {
              expr: 'sum by (api) (rate(edgeline_api_throttled_total[$__rate_interval]))',
              legend: '{{api}} throttled',
            },
          ],
        },
        {
          title: 'How long requests take',
          description: 'Nine of ten are faster.',
          show: 'timeseries',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.9, sum by (le, api) (rate(edgeline_api_request_duration_seconds_bucket[$__rate_interval])))',
              legend: '{{api}}',
            },
          ],
        },
        {
          title: 'Age of the lists',
          description: 'Beyond three intervals, the fleet’s metrics are absent.',
          show: 'timeseries',
          unit: 's',
          queries: [
            {
              expr: 'time() - max by (account, list, zone) (edgeline_poll_success_timestamp_seconds{account=~"$account"})',
              legend: '{{account}} {{list}} {{zone}}',
            },
          ],
        },
        {
          title: 'Lists',
          description: 'How long the last one took; its interval; what it showed; whether the last poll failed.',
          show: 'table',
          unit: 'none',
          queries: [
            { expr: 'max by (account, list, zone) (edgeline_poll_items{account=~"$account"})' },
            { expr: 'max by (account, list, zone) (edgeline_poll_duration_seconds{account=~"$account"})' },
            { expr: 'max by (account, list, zone) (edgeline_poll_interval_seconds{account=~"$account"})' },
            { expr: 'max by (account, list, zone) (edgeline_poll_failed{account=~"$account"})' },
          ],
        },
      ],
    },
    {
      title: 'The process',
      panels: [
        {
          title: 'Queue',
          description: 'Keys that are due and wait.',
          show: 'timeseries',
          unit: 'short',
          queries: [{ expr: 'sum by (name) (workqueue_depth)', legend: '{{name}}' }],
        },
        {
          title: 'Reconciles',
          description: 'By controller and result.',
          show: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (controller, result) (rate(controller_runtime_reconcile_total[$__rate_interval]))',
              legend: '{{controller}} {{result}}',
            },
          ],
        },
        {
          title: 'Requests to Kubernetes',
          description: 'By method and code.',
          show: 'timeseries',
          unit: 'reqps',
          queries: [
            {
              expr: 'sum by (method, code) (rate(rest_client_requests_total[$__rate_interval]))',
              legend: '{{method}} {{code}}',
            },
          ],
        },
        {
          title: 'Certificates from cluster to site',
          description: 'Nine of ten renewed certificates were faster.',
          show: 'timeseries',
          unit: 's',
          queries: [
            {
              expr: 'histogram_quantile(0.9, sum by (le) (increase(edgeline_certificate_upload_lag_seconds_bucket[1h])))',
              legend: 'upload lag',
            },
          ],
          alarm: 900,
        },
      ],
    },
  ],
};
