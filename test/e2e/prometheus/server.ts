import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { freePort } from '../../../src/sandbox/processes/free-port.ts';
import { ensurePrometheus } from '../../support/go-tools.ts';
import { eventually } from '../../support/kubernetes.ts';

/** What Prometheus has to say of a query. */
const answer = z.object({
  status: z.string(),
  error: z.string().optional(),
  data: z.object({ result: z.array(z.object({ metric: z.record(z.string(), z.string()) })) }).optional(),
});
const alertsAnswer = z.object({
  data: z.object({ alerts: z.array(z.object({ labels: z.record(z.string(), z.string()), state: z.string() })) }),
});

/** A Prometheus that scrapes every second, and evaluates as often. */
export interface PrometheusServer {
  /** The series of an instant query. Throws what Prometheus complains of. */
  query(expr: string): Promise<readonly Readonly<Record<string, string>>[]>;
  /** The names of the alerts that fire. */
  firing(): Promise<string[]>;
  /** The labels of each alert of that name that fires. */
  firingAs(alert: string): Promise<Readonly<Record<string, string>>[]>;
  stop(): Promise<void>;
}

/** Starts one, with these rules, and the operators' ports as targets. */
export async function startPrometheus(ports: readonly number[], rules: readonly object[]): Promise<PrometheusServer> {
  const { prometheus } = await ensurePrometheus();
  const directory = await mkdtemp(join(tmpdir(), 'edgeline-prometheus-'));
  const port = await freePort();
  await writeFile(join(directory, 'rules.yaml'), stringify({ groups: [{ name: 'edgeline', interval: '1s', rules }] }));
  await writeFile(
    join(directory, 'prometheus.yaml'),
    stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      scrape_configs: [
        {
          job_name: 'edgeline',
          honor_labels: true,
          static_configs: ports.map((one) => ({ targets: [`127.0.0.1:${one}`], labels: { pod: `pod-${one}` } })),
        },
      ],
    }),
  );
  const child = spawn(
    prometheus,
    [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=promql-experimental-functions',
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const base = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    const { ok } = await fetch(`${base}/-/ready`);
    if (!ok) throw new Error('Prometheus is not ready yet');
  });
  const alerts = async () => alertsAnswer.parse(await (await fetch(`${base}/api/v1/alerts`)).json()).data.alerts;
  const fires = async () => (await alerts()).filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  return {
    async query(expr) {
      const response = await fetch(`${base}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expr }),
      });
      const { status, error, data } = answer.parse(await response.json());
      if (status !== 'success') throw new Error(`${expr}: ${error}`);
      return data?.result.map(({ metric }) => metric) ?? [];
    },
    firing: async () => [...new Set((await fires()).map(({ alertname = '' }) => alertname))].sort(),
    firingAs: async (alert) => (await fires()).filter(({ alertname }) => alertname === alert),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
