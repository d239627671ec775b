import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { families, onRequest } from '../../../src/telemetry/families/all.ts';
import { type FigureRow, figureRows } from '../../../src/telemetry/families/fleet.ts';
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

const namesOf = ({ name, total }: FigureRow) => (total ? [name, total.name] : [name]);

describe('the metrics', () => {
  it('have these names, types and units, which dashboards depend on', async () => {
    const text = await createMetrics({ process: false }).text();
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('# TYPE'))
        .map((line) => line.slice(7)),
    ).toEqual(families.map(({ name, type }) => `${name} ${type}`));
  });

  it('are named as Prometheus wants it: counters end with _total and nothing else does, times and sizes are in base units', () => {
    const wrong = families.filter(({ name, type }) => {
      const isCounter = name.endsWith('_total');
      return isCounter !== (type === 'counter') || /_(ms|milliseconds|minutes|hours|kb|mb|percent|count)$/.test(name);
    });
    expect(wrong).toEqual([]);
    expect(families.filter(({ type, name }) => type === 'histogram' && !name.endsWith('_seconds'))).toEqual([]);
  });

  it('are each shown by somebody: one that is only in the table would be in the reference, and have no sample ever', () => {
    const source = readdirSync(join(packageRoot(), 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith(join('telemetry', 'families')))
      .map((path) => readFileSync(join(packageRoot(), 'src', path), 'utf8'))
      .join('\n');
    const ofFigures = new Set<string>(Object.values(figureRows).flatMap((rows) => rows.flatMap(namesOf)));
    const unshown = families.filter(({ name }) => !ofFigures.has(name) && !source.includes(`'${name}'`));
    expect(unshown).toEqual([]);
  });

  it('have no label that tells a SIM, a device or a secret, but the ICCID of one that is there on request', () => {
    const telling = families.filter(({ labels }) => labels.some((label) => /iccid|imsi|imei|secret|token/.test(label)));
    expect(telling.map(({ name }) => name)).toEqual(['edgeline_sim_info']);
    expect(onRequest.has('edgeline_sim_info')).toBe(true);
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
        'workqueue_adds_total{name="sim",controller="sim"} 1',
        'workqueue_retries_total{name="sim",controller="sim"} 1',
        'workqueue_queue_duration_seconds_sum{name="sim",controller="sim"} 0.5',
        'workqueue_queue_duration_seconds_count{name="sim",controller="sim"} 1',
        'workqueue_work_duration_seconds_sum{name="sim",controller="sim"} 2',
        'workqueue_work_duration_seconds_count{name="sim",controller="sim"} 1',
        'workqueue_depth{name="sim",controller="sim"} 7',
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
      'throttling',
      (m) => m.apiRequest({ api: 'webaccel', route: 'GET /site', code: '429', throttled: true, seconds: 1 }),
      'edgeline_api_throttled',
      ['edgeline_api_throttled_total{api="webaccel"} 1'],
    ],
    [
      'writes by cause',
      (m) => {
        m.written({ kind: 'Sim', cause: 'DriftRepaired', outcome: 'done' });
        m.written({ kind: 'Sim', cause: 'DriftRepaired', outcome: 'done' });
      },
      'edgeline_writes',
      ['edgeline_writes_total{kind="Sim",cause="DriftRepaired",outcome="done"} 2'],
    ],
    [
      'the lag of a certificate',
      (m) => m.certificateUploaded(42),
      'edgeline_certificate',
      ['edgeline_certificate_upload_lag_seconds_sum 42', 'edgeline_certificate_upload_lag_seconds_count 1'],
    ],
    [
      'drift',
      (m) => m.driftDetected('Sim', 'activated'),
      'edgeline_drift',
      ['edgeline_drift_detected_total{kind="Sim",field="activated"} 1'],
    ],
    [
      'approvals',
      (m) => m.approval('Sim', 'approved'),
      'edgeline_approvals',
      ['edgeline_approvals_total{kind="Sim",outcome="approved"} 1'],
    ],
    [
      'events that were given up',
      (m) => m.eventDropped(),
      'edgeline_events_dropped',
      ['edgeline_events_dropped_total 1'],
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
    let accounts = ['a', 'b'];
    metrics.ask((show) => accounts.forEach((account) => show('edgeline_account_sims', { account }, 3)));
    const shown = async () => (await samples(metrics)).filter((line) => line.startsWith('edgeline_account'));
    expect(await shown()).toEqual(['edgeline_account_sims{account="a"} 3', 'edgeline_account_sims{account="b"} 3']);
    accounts = ['b'];
    expect(await shown()).toEqual(['edgeline_account_sims{account="b"} 3']);
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
