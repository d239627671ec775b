import { describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/telemetry/metrics.ts';

/** The samples of the text format, without histogram buckets. */
async function samples(metrics: Metrics): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'));
}

async function samplesOf(record: (metrics: Metrics) => void, prefix: string): Promise<string[]> {
  const metrics = createMetrics({ process: false });
  record(metrics);
  return (await samples(metrics)).filter((line) => line.startsWith(prefix));
}

describe('the metrics', () => {
  it('have these names, types and units, which dashboards depend on', async () => {
    const text = await createMetrics({ process: false }).text();
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('# TYPE'))
        .map((line) => line.slice(7)),
    ).toEqual([
      'controller_runtime_reconcile_total counter',
      'controller_runtime_reconcile_errors_total counter',
      'controller_runtime_reconcile_time_seconds histogram',
      'controller_runtime_active_workers gauge',
      'workqueue_depth gauge',
      'workqueue_adds_total counter',
      'workqueue_retries_total counter',
      'workqueue_queue_duration_seconds histogram',
      'workqueue_work_duration_seconds histogram',
      'rest_client_requests_total counter',
      'leader_election_master_status gauge',
      'edgeline_api_requests_total counter',
      'edgeline_api_request_duration_seconds histogram',
      'edgeline_api_budget_remaining gauge',
      'edgeline_api_throttled_total counter',
      'edgeline_circuit_open gauge',
      'edgeline_resource_condition gauge',
      'edgeline_resource_condition_since_timestamp_seconds gauge',
      'edgeline_drift_detected_total counter',
      'edgeline_plans_waiting gauge',
      'edgeline_approvals_total counter',
      'edgeline_site_certificate_not_after_timestamp_seconds gauge',
      'edgeline_certificate_upload_lag_seconds histogram',
      'edgeline_build_info gauge',
    ]);
  });

  const cases: [string, (metrics: Metrics) => void, string, string[]][] = [
    [
      'reconciles',
      (m) => {
        m.reconciled('sim', 'success', 0.25);
        m.reconciled('sim', 'error', 0.5);
      },
      'controller_runtime_reconcile',
      [
        'controller_runtime_reconcile_total{controller="sim",result="success"} 1',
        'controller_runtime_reconcile_total{controller="sim",result="error"} 1',
        'controller_runtime_reconcile_errors_total{controller="sim"} 1',
        'controller_runtime_reconcile_time_seconds_sum{controller="sim"} 0.75',
        'controller_runtime_reconcile_time_seconds_count{controller="sim"} 2',
      ],
    ],
    [
      'workers',
      (m) => {
        m.activeWorkers('sim', 1);
        m.activeWorkers('sim', 1);
        m.activeWorkers('sim', -1);
      },
      'controller_runtime_active',
      ['controller_runtime_active_workers{controller="sim"} 1'],
    ],
    [
      'a queue',
      (m) => {
        const queue = m.queue('sim', () => 7);
        queue.added();
        queue.retried();
        queue.started(0.5);
        queue.finished(2);
      },
      'workqueue',
      [
        'workqueue_depth{name="sim",controller="sim"} 7',
        'workqueue_adds_total{name="sim",controller="sim"} 1',
        'workqueue_retries_total{name="sim",controller="sim"} 1',
        'workqueue_queue_duration_seconds_sum{name="sim",controller="sim"} 0.5',
        'workqueue_queue_duration_seconds_count{name="sim",controller="sim"} 1',
        'workqueue_work_duration_seconds_sum{name="sim",controller="sim"} 2',
        'workqueue_work_duration_seconds_count{name="sim",controller="sim"} 1',
      ],
    ],
    [
      'requests to the apiserver',
      (m) => m.kubernetesRequest({ method: 'GET', code: '200' }),
      'rest_client',
      ['rest_client_requests_total{code="200",method="GET"} 1'],
    ],
    [
      'leadership',
      (m) => {
        m.leader('edgeline', true);
        m.leader('other', false);
      },
      'leader',
      ['leader_election_master_status{name="edgeline"} 1', 'leader_election_master_status{name="other"} 0'],
    ],
    [
      'requests to the service',
      (m) => m.apiRequest({ api: 'webaccel', route: 'GET /site/{id}', code: '200', throttled: false, seconds: 0.125 }),
      'edgeline_api_request',
      [
        'edgeline_api_requests_total{api="webaccel",route="GET /site/{id}",code="200"} 1',
        'edgeline_api_request_duration_seconds_sum{api="webaccel",route="GET /site/{id}"} 0.125',
        'edgeline_api_request_duration_seconds_count{api="webaccel",route="GET /site/{id}"} 1',
      ],
    ],
    [
      'budget, throttling and circuit',
      (m) => {
        m.apiBudget(() => [{ account: 'a/x', api: 'webaccel', remaining: 120 }]);
        m.apiRequest({ api: 'webaccel', route: 'GET /site', code: '429', throttled: true, seconds: 1 });
        m.circuits(() => [{ account: 'a/x', api: 'webaccel', open: true }]);
      },
      'edgeline_',
      [
        'edgeline_api_requests_total{api="webaccel",route="GET /site",code="429"} 1',
        'edgeline_api_request_duration_seconds_sum{api="webaccel",route="GET /site"} 1',
        'edgeline_api_request_duration_seconds_count{api="webaccel",route="GET /site"} 1',
        'edgeline_api_budget_remaining{account="a/x",api="webaccel"} 120',
        'edgeline_api_throttled_total{api="webaccel"} 1',
        'edgeline_circuit_open{account="a/x",api="webaccel"} 1',
        'edgeline_certificate_upload_lag_seconds_sum 0',
        'edgeline_certificate_upload_lag_seconds_count 0',
      ],
    ],
    [
      'conditions',
      (m) =>
        m.conditions(() => [
          { kind: 'Sim', type: 'Ready', status: 'False', reason: 'NoGateway', count: 3, since: 1500 },
        ]),
      'edgeline_resource',
      [
        'edgeline_resource_condition{kind="Sim",type="Ready",status="False",reason="NoGateway"} 3',
        'edgeline_resource_condition_since_timestamp_seconds{kind="Sim",type="Ready",status="False",reason="NoGateway"} 1.5',
      ],
    ],
    [
      'certificates',
      (m) => {
        m.certificates(() => [{ namespace: 'a', name: 'www', site: 'www.example.jp', notAfter: 1_800_000_000 }]);
        m.certificateUploaded(42);
      },
      'edgeline_',
      [
        'edgeline_site_certificate_not_after_timestamp_seconds{namespace="a",name="www",site="www.example.jp"} 1800000000',
        'edgeline_certificate_upload_lag_seconds_sum 42',
        'edgeline_certificate_upload_lag_seconds_count 1',
      ],
    ],
    [
      'drift',
      (m) => m.driftDetected('Sim', 'activated'),
      'edgeline_drift',
      ['edgeline_drift_detected_total{kind="Sim",field="activated"} 1'],
    ],
    [
      'approvals',
      (m) => {
        m.plansWaiting(() => [{ kind: 'Sim', count: 2 }]);
        m.approval('Sim', 'approved');
      },
      'edgeline_',
      [
        'edgeline_plans_waiting{kind="Sim"} 2',
        'edgeline_approvals_total{kind="Sim",outcome="approved"} 1',
        'edgeline_certificate_upload_lag_seconds_sum 0',
        'edgeline_certificate_upload_lag_seconds_count 0',
      ],
    ],
    [
      'the build',
      (m) => m.buildInfo('1.0', 'abc'),
      'edgeline_build',
      ['edgeline_build_info{version="1.0",commit="abc"} 1'],
    ],
  ];
  it.each(cases)('show %s', async (_, record, prefix, expected) => {
    expect(await samplesOf(record, prefix)).toEqual(expected);
  });

  it('show what is there now, and nothing that is gone', async () => {
    const metrics = createMetrics({ process: false });
    let kinds = ['Sim', 'MobileGateway'];
    metrics.conditions(() =>
      kinds.map((kind) => ({ kind, type: 'Ready', status: 'True', reason: 'Ok', count: 1, since: 1000 })),
    );
    expect((await samples(metrics)).filter((line) => line.includes('Ready'))).toHaveLength(4);
    kinds = ['Sim'];
    expect((await samples(metrics)).filter((line) => line.includes('Ready'))).toEqual([
      'edgeline_resource_condition{kind="Sim",type="Ready",status="True",reason="Ok"} 1',
      'edgeline_resource_condition_since_timestamp_seconds{kind="Sim",type="Ready",status="True",reason="Ok"} 1',
    ]);
  });

  it('tell of the process', async () => {
    const text = await createMetrics().text();
    for (const name of [
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(text).toContain(`# TYPE ${name} `);
    }
  });
});
