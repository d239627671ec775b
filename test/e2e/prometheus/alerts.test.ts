import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alertRules } from '../../../scripts/alerts-doc.ts';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { ensurePrometheus } from '../../support/go-tools.ts';
import { alertCases } from './alert-cases.ts';

const run = promisify(execFile);
const rules = alertRules();
const ruleFile = join(packageRoot(), 'deploy', 'prometheus', 'edgeline.rules.yaml');

describe('the alerts', () => {
  let promtool: string;
  let directory: string;
  beforeAll(async () => {
    ({ promtool } = await ensurePrometheus());
    directory = await mkdtemp(join(tmpdir(), 'edgeline-alerts-'));
  }, 1_200_000);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** What promtool says of these tests; it fails, with its words, if one does not hold. */
  async function promtoolTest(tests: readonly object[]): Promise<string> {
    const file = join(directory, `${crypto.randomUUID()}.yaml`);
    await writeFile(file, stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests }));
    const { stdout } = await run(promtool, ['test', 'rules', file]).catch(
      (error: { stdout?: string; stderr?: string }) => {
        throw new Error(`${error.stdout}\n${error.stderr}`);
      },
    );
    return stdout;
  }

  it('are rules that Prometheus accepts, each with a runbook', async () => {
    const { stdout } = await run(promtool, ['check', 'rules', '--lint=all', '--lint-fatal', ruleFile]);
    expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
  });

  const seriesOf = (series: Readonly<Record<string, string>>) =>
    Object.entries(series).map(([name, values]) => ({ series: name, values }));

  it.each(rules)(
    '$alert fires when it should, with what a person needs to know',
    async ({ alert, labels, annotations }) => {
      const { series, at, labels: found, summary } = alertCases[alert].firing;
      const expected = {
        exp_labels: { ...labels, ...found },
        exp_annotations: { ...annotations, summary },
      };
      const said = await promtoolTest([
        {
          interval: '1m',
          input_series: seriesOf(series),
          alert_rule_test: [{ eval_time: `${at}m`, alertname: alert, exp_alerts: [expected] }],
        },
      ]);
      expect(said).toContain('SUCCESS');
    },
  );

  it.each(rules)('$alert is silent when it is no reason', async ({ alert }) => {
    const { series, at } = alertCases[alert].silent;
    const said = await promtoolTest([
      {
        interval: '1m',
        input_series: seriesOf(series),
        alert_rule_test: [{ eval_time: `${at}m`, alertname: alert, exp_alerts: [] }],
      },
    ]);
    expect(said).toContain('SUCCESS');
  });

  it('are silent of an operator that is well', async () => {
    const quiet = rules.filter(({ alert }) => alert !== 'EdgelineDown').map(({ alert }) => alert);
    const said = await promtoolTest([
      {
        interval: '1m',
        input_series: seriesOf(
          Object.assign(
            {},
            ...quiet.map((alert) => (alert === 'EdgelineFleetOffline' ? {} : alertCases[alert].silent.series)),
          ),
        ),
        alert_rule_test: quiet.map((alertname) => ({ eval_time: '20m', alertname, exp_alerts: [] })),
      },
    ]);
    expect(said).toContain('SUCCESS');
  });

  it('would be noticed if they did not fire: promtool fails where an alert is expected and there is none', async () => {
    await expect(
      promtoolTest([
        {
          interval: '1m',
          input_series: [],
          alert_rule_test: [{ eval_time: '20m', alertname: 'EdgelineStalled', exp_alerts: [{ exp_labels: {} }] }],
        },
      ]),
    ).rejects.toThrow('EdgelineStalled');
  });
});
