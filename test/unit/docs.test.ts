import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { dashboards } from '../../scripts/dashboards/files.ts';
import { fleetDashboard } from '../../scripts/dashboards/fleet.ts';
import { dashboardOf } from '../../scripts/dashboards/panels.ts';
import { hourRule } from '../../src/cloud/limiter/hour-rule.ts';
import { rateRule } from '../../src/cloud/limiter/rate-rule.ts';
import { managedDefinitions } from '../../src/kinds/index.ts';
import { Annotation } from '../../src/reconcile/annotations.ts';
import { packageRoot } from '../../src/sandbox/package-root.ts';
import { families as table } from '../../src/telemetry/families/all.ts';
import { accountFamilies } from '../../src/telemetry/families/fleet.ts';
import { readPages } from '../support/documents.ts';

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

describe('the documentation', () => {
  it('has pages', () => {
    expect([...byPath.keys()]).toEqual(expect.arrayContaining(['README.md', 'docs/architecture.md']));
  });

  it('links to what is there, also within a page', () => {
    const broken = pages.flatMap(({ path, links }) =>
      links.filter((link) => !leadsSomewhere(path, link)).map((link) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('says of each block of code what it is', () => {
    const languages = new Set(['sh', 'yaml', 'json', 'text', 'ts', 'mermaid', 'promql', 'dockerfile']);
    const unknown = pages.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => !languages.has(language)).map(({ language, text }) => [path, language, text]),
    );
    expect(unknown).toEqual([]);
  });

  it('has commands a shell can read', () => {
    const wrong = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => language === 'sh')
        .map(({ text }) => [path, spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr])
        .filter(([, complaint]) => complaint !== ''),
    );
    expect(wrong).toEqual([]);
  });

  it('names workloads that deploy/ has', () => {
    const named = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => language === 'sh')
        .flatMap(({ text }) => workloadsIn(text).map((workload) => ({ path, workload }))),
    );
    expect(named).not.toEqual([]);
    expect(named.filter(({ workload }) => !workloads.has(workload))).toEqual([]);
  });

  it('leaves out no managed kind where a block names most of them', () => {
    const plurals = Object.values(managedDefinitions).map(({ plural }) => plural);
    const lists = pages.flatMap(({ path, blocks }) =>
      blocks.flatMap(({ text }) =>
        text.split('\n').map((line) => ({
          path,
          line,
          missing: plurals.filter((plural) => !new RegExp(`\\b${plural}\\b`).test(line)),
        })),
      ),
    );
    // A line that names but one or two means those.
    const most = lists.filter(({ missing }) => missing.length * 2 < plurals.length);
    expect(most.length).toBeGreaterThan(3);
    expect(most.filter(({ missing }) => missing.length > 0)).toEqual([]);
  });

  it('has each annotation in the README', () => {
    const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8');
    expect(Object.values(Annotation).filter((name) => !new RegExp(`\\b${name}\\b(?!-)`).test(readme))).toEqual([]);
  });

  it('asks for the Node that package.json asks for', () => {
    const { engines } = z
      .object({ engines: z.object({ node: z.string() }) })
      .parse(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
    const asking = ['README.md', 'docs/tutorial.md', 'docs/install-cli.md', 'src/main.ts', 'scripts/build.ts'];
    const asked = asking.map((path) => {
      const text = readFileSync(join(packageRoot(), path), 'utf8');
      return [path, ...[...text.matchAll(/Node \(?([\d.]+) or newer/g)].map(([, version]) => `>=${version}`)];
    });
    expect(asked).toEqual(asking.map((path) => [path, engines.node]));
  });

  it('says of the turns of requests what the limiter does', () => {
    const limits = { cloudRequestsPerSecond: 10, webAccelRequestsPerHour: 500 };
    const [cloud, webAccel] = [rateRule(limits, 0), hourRule(limits, 0)];
    expect([cloud.lowerLaneShare, webAccel.lowerLaneShare, cloud.confirmShare, webAccel.confirmShare]).toEqual([
      10, 20, 4, 0,
    ]);
    expect(readFileSync(join(packageRoot(), 'docs/architecture.md'), 'utf8').replaceAll('\n', ' ')).toContain(
      "Every tenth request of the cloud API, and every twentieth of web acceleration, goes to the work that has waited longest, so that none waits forever, and every fourth of the cloud API's may confirm writes",
    );
  });

  it('asks Prometheus for metrics and labels there are', () => {
    const queries = pages.flatMap(({ path, blocks }) =>
      blocks.filter(({ language }) => language === 'promql').map(({ text }) => ({ path, text })),
    );
    expect(queries).not.toEqual([]);
    const wrong = queries.flatMap(({ path, text }) => unknownIn(text).map((name) => `${path}: ${name}`));
    expect(wrong).toEqual([]);
  });

  it('has alerts in the chart that ask for metrics and labels there are, and tell of what lasts', () => {
    const alerts = z
      .array(z.object({ alert: z.string(), expr: z.string(), for: z.string() }))
      .parse(parse(readFileSync(join(packageRoot(), 'helm/edgeline/files/alerts.yaml'), 'utf8')));
    expect(alerts.flatMap(({ alert, expr }) => unknownIn(expr).map((name) => `${alert}: ${name}`))).toEqual([]);
    expect(alerts.find(({ expr }) => expr.includes('type="Synced", status="False"'))).toBeDefined();
  });

  it('has dashboards that ask for metrics and labels there are, each panel something else by its own number', () => {
    const queries = dashboards.flatMap(({ rows, variables }) => [
      ...rows.flatMap((row) => row.panels.flatMap((panel) => panel.queries.map(({ expr }) => expr))),
      ...variables.map(({ query }) => query.replace(/^label_values\((.*), \w+\)$/, '$1')),
    ]);
    expect(queries.flatMap((query) => unknownIn(query).map((name) => `${query}: ${name}`))).toEqual([]);
    for (const spec of dashboards) {
      const { panels = [], uid } = dashboardOf(spec);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      for (const { gridPos } of panels) expect((gridPos?.x ?? 0) + (gridPos?.w ?? 0)).toBeLessThanOrEqual(24);
      expect(uid).toMatch(/^edgeline-[a-z]+$/);
    }
  });

  it('has a dashboard with each figure of the fleet that is there without being asked for', () => {
    const queries = JSON.stringify(fleetDashboard);
    const names = Object.keys(accountFamilies);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(queries))).toEqual([]);
  });

  it('has YAML that parses', () => {
    const wrong = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language }) => language === 'yaml')
        .flatMap(({ text }) => parseAllDocuments(text).flatMap((document) => document.errors))
        .map((error) => `${path}: ${error.message}`),
    );
    expect(wrong).toEqual([]);
  });
});

const families = table.flatMap(({ name, type, labels }) =>
  type === 'histogram'
    ? [
        { name: `${name}_bucket`, labels: [...labels, 'le'] },
        { name: `${name}_sum`, labels },
        { name: `${name}_count`, labels },
      ]
    : [{ name, labels }],
);

/** Metrics of a query that do not exist, and labels that none of its metrics has. */
function unknownIn(query: string): string[] {
  const names: readonly string[] = query.match(/\b[a-z]+(?:_[a-z]+)+\b(?!\s*\()/g) ?? [];
  const found = families.filter(({ name }) => names.includes(name));
  const missing = names.filter((name) => !found.some((family) => family.name === name));
  const matched = [...query.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label ?? '');
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => (list ?? '').split(/,\s*/));
  const labels = [...matched, ...grouped].filter((label) => !found.some((family) => family.labels.includes(label)));
  return names.length === 0 ? [`no metric in ${query}`] : [...missing, ...labels];
}

const WORKLOADS: Readonly<Record<string, string>> = {
  deploy: 'Deployment',
  deployment: 'Deployment',
  deployments: 'Deployment',
  statefulset: 'StatefulSet',
  sts: 'StatefulSet',
  daemonset: 'DaemonSet',
  ds: 'DaemonSet',
};

/** What deploy/ makes, as `Deployment/NAME`. */
const workloads = new Set(
  globSync('deploy/**/*.yaml', { cwd: packageRoot() })
    .flatMap((path) => parseAllDocuments(readFileSync(join(packageRoot(), path), 'utf8')))
    .map((document) =>
      z.object({ kind: z.string(), metadata: z.object({ name: z.string() }) }).safeParse(document.toJS()),
    )
    .flatMap(({ data }) =>
      data && Object.values(WORKLOADS).includes(data.kind) ? [`${data.kind}/${data.metadata.name}`] : [],
    ),
);

/** The workloads that commands of kubectl name, as `deployment/NAME` or `deployment NAME`. A path of a file is none. */
function workloadsIn(commands: string): string[] {
  const words = commands.split('\n').flatMap((line) => (/\bkubectl\b/.test(line) ? line.split(/[\s|;&)]+/) : []));
  return words.flatMap((word, index) => {
    const [type = '', name = words[index + 1] ?? '', ...rest] = word.split('/');
    const kind = Object.hasOwn(WORKLOADS, type) ? WORKLOADS[type] : undefined;
    const isFile = /^(-[fk]|--patch-file)$/.test(words[index - 1] ?? '');
    return kind === undefined || isFile || rest.length > 0 || name.startsWith('-') ? [] : [`${kind}/${name}`];
  });
}

/** Pages elsewhere can't be asked here: they have to be https. */
function leadsSomewhere(path: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return link.startsWith('https://');
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '');
  if (!existsSync(join(packageRoot(), target))) return false;
  return anchor === undefined || (byPath.get(target)?.anchors.has(anchor) ?? false);
}
