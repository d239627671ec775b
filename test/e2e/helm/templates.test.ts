import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { operatorCommand } from '../../../src/commands/operator.ts';
import {
  clusterRules,
  namespaceRules,
  operatorName,
  ownNamespaceRules,
  type Rule,
  statusPageRules,
  userRules,
} from '../../../src/rbac.ts';
import { packageRoot } from '../../../src/sandbox/package-root.ts';
import { ensureKubeconform } from '../../support/go-tools.ts';
import { chartDirectory, createHelm, type Helm, type Rendered } from '../../support/helm.ts';
import { kubectl, kubectlOutput, testNamespace } from '../../support/kubernetes.ts';
import { schemaLocation, writeSchemas } from './schemas.ts';
import { examples } from './values.ts';

/** The chart and the operator have the version of the package. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
const schemas = mkdtempSync(join(tmpdir(), 'edgeline-schemas-'));
let helm: Helm;
let kubeconform: string;
/** Where the release is, and one that it looks after. */
let home: string;
let watched: string;

beforeAll(async () => {
  helm = await createHelm();
  kubeconform = await ensureKubeconform();
  home = await testNamespace('chart');
  watched = await testNamespace('watched');
  writeSchemas(JSON.parse(await kubectlOutput(['get', '--raw', '/openapi/v2'])), schemas);
}, 900_000);

afterAll(async () => {
  await helm.dispose();
  rmSync(schemas, { recursive: true });
});

const report = z.object({
  resources: z.array(z.object({ kind: z.string(), name: z.string(), status: z.string(), msg: z.string() })).default([]),
  summary: z.object({ valid: z.number(), invalid: z.number(), errors: z.number(), skipped: z.number() }),
});

/** What kubeconform says of objects, by the schemas of the apiserver. It has none of the Prometheus operator's kinds. */
function conform(objects: readonly object[]): Promise<z.infer<typeof report>> {
  const args = ['-strict', '-summary', '-output=json', '-skip=ServiceMonitor,PodMonitor,PrometheusRule'];
  return new Promise((resolve) => {
    const child = execFile(kubeconform, [...args, '-schema-location', schemaLocation(schemas), '-'], (_, stdout) =>
      resolve(report.parse(JSON.parse(stdout))),
    );
    child.stdin?.end(objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  });
}

const isMonitor = ({ apiVersion }: Rendered) => apiVersion.startsWith('monitoring.coreos.com/');

function render(name: string): Promise<Rendered[]> {
  const values = examples[name]?.({ watched });
  return helm.template(home, values);
}

describe.each(Object.keys(examples))('the chart with %s', (name) => {
  it('passes Helm’s strict lint', async () => {
    const { stdout } = await helm.run(['lint', '--strict', chartDirectory], examples[name]?.({ watched }));
    expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed');
  });

  it('fits the schemas of Kubernetes and of its own CRDs, member by member', async () => {
    const objects = await render(name);
    const monitors = objects.filter(isMonitor).length;
    expect(await conform(objects)).toEqual({
      resources: [],
      summary: { valid: objects.length - monitors, invalid: 0, errors: 0, skipped: monitors },
    });
  });

  it('is accepted by an apiserver', async () => {
    const items = (await render(name)).filter((object) => !isMonitor(object));
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    const asked = ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '--validate=strict', '-f', '-'];
    const { stderr, code } = await kubectl(asked, { input });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });
});

it('a member that does not exist is found', async () => {
  const [deployment] = (await helm.template(home)).filter(({ kind }) => kind === 'Deployment');
  const wrong = { ...deployment, spec: { ...Object(deployment?.spec), replica: 1 } };
  expect((await conform([wrong])).resources).toMatchObject([
    { kind: 'Deployment', status: 'statusInvalid', msg: expect.stringContaining("'replica' not allowed") },
  ]);
});

describe('the roles', () => {
  const rulesOf = (rules: readonly Rule[]) => rules.map((rule) => ({ ...rule, why: undefined }));
  const labels = {
    'app.kubernetes.io/component': 'operator',
    'app.kubernetes.io/instance': 'edgeline',
    'app.kubernetes.io/managed-by': 'Helm',
    'app.kubernetes.io/name': 'edgeline',
    'app.kubernetes.io/version': version,
    'helm.sh/chart': `edgeline-${version}`,
  };

  /** A role and its binding to the operator, as the chart is to render them. */
  function granted(name: string, rules: readonly Rule[], namespace?: string) {
    const kind = namespace === undefined ? 'ClusterRole' : 'Role';
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const metadata = { name, ...(namespace !== undefined && { namespace }), labels };
    return [
      { apiVersion, kind, metadata, rules: rulesOf(rules) },
      {
        apiVersion,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
        subjects: [{ kind: 'ServiceAccount', name: operatorName, namespace: home }],
      },
    ];
  }

  const forUsers = Object.entries(userRules).map(([name, rules]) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: {
      name: `edgeline-${name}`,
      labels: { ...labels, [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' },
    },
    rules: rulesOf(rules),
  }));

  /** In an order that does not depend on the chart's. */
  function sorted<T extends { kind: string; metadata: { name: string; namespace?: string } }>(objects: readonly T[]) {
    const key = ({ kind, metadata: { name, namespace } }: T) => `${kind} ${namespace} ${name}`;
    return objects.toSorted((one, other) => key(one).localeCompare(key(other)));
  }

  async function rendered(values: object): Promise<Rendered[]> {
    return (await helm.template(home, values)).filter(({ apiVersion }) => apiVersion.startsWith('rbac.'));
  }

  it('are those of src/rbac.ts for the whole cluster', async () => {
    const expected = [
      ...granted(operatorName, clusterRules),
      ...granted(`${operatorName}-lease`, ownNamespaceRules, home),
      ...forUsers,
    ];
    expect(sorted(await rendered({}))).toEqual(sorted(expected));
  });

  it('are two more where the status page is reached from outside of the pod, and none where it is not', async () => {
    const outside = await rendered({ statusPage: { enabled: true, address: '' } });
    const page = outside.filter(({ metadata }) => metadata.name.endsWith('-status-page'));
    expect(sorted(page)).toEqual(sorted(granted(`${operatorName}-status-page`, statusPageRules)));
    for (const address of ['127.0.0.1', 'localhost', '[::1]'])
      expect(sorted(await rendered({ statusPage: { enabled: true, address } }))).toEqual(sorted(await rendered({})));
  });

  it('are those of src/rbac.ts for single namespaces, and none of the whole cluster', async () => {
    const expected = [
      ...granted(operatorName, namespaceRules, 'fleet'),
      ...granted(operatorName, namespaceRules, home),
      ...granted(`${operatorName}-lease`, ownNamespaceRules, home),
    ];
    expect(sorted(await rendered({ namespaces: ['fleet', home] }))).toEqual(sorted(expected));
  });
});

it('the CRDs are those of crds/, and are kept when a release goes', async () => {
  const objects = await helm.template(home);
  const seen = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  const directory = join(packageRoot(), 'crds');
  const files = readdirSync(directory).map((name) => parse(readFileSync(join(directory, name), 'utf8')));
  const of = (crds: readonly Rendered[]) => new Map(crds.map(({ metadata: { name }, spec }) => [name, spec]));
  expect(of(seen)).toEqual(of(files));
  expect(seen.map(({ metadata }) => metadata.annotations)).toEqual(
    // With its CRD every object of a kind would go, and with the objects what they made at the service.
    seen.map(() => ({
      'helm.sh/resource-policy': 'keep',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=confirm',
    })),
  );
});

it('the defaults are the operator’s own', async () => {
  const [deployment] = (await helm.template(home)).filter(({ kind }) => kind === 'Deployment');
  const { template } = z
    .object({
      template: z.object({ spec: z.object({ containers: z.tuple([z.object({ args: z.array(z.string()) })]) }) }),
    })
    .parse(deployment?.spec);
  const [command, elect, ...flags] = template.spec.containers[0].args;
  expect([command, elect]).toEqual(['operator', '--leader-elect']);
  const defaults = new Map(operatorCommand().options.map(({ long, defaultValue }) => [long, String(defaultValue)]));
  const names = flags.map((flag) => flag.split('=')[0] ?? '');
  expect(flags).toEqual(names.map((name) => `${name}=${defaults.get(name)}`));
});

it('everything is labelled as it should be', async () => {
  for (const { kind, metadata } of await render('everything there is')) {
    expect(metadata.labels, `${kind} ${metadata.name}`).toMatchObject({
      'app.kubernetes.io/name': 'edgeline',
      'app.kubernetes.io/instance': 'edgeline',
      'app.kubernetes.io/managed-by': 'Helm',
      team: 'platform',
    });
  }
});

it('the image and its pull secrets are those of all charts, where there are some, each once', async () => {
  const [deployment] = (await render('everything there is')).filter(({ kind }) => kind === 'Deployment');
  const { template } = z
    .object({
      template: z.object({
        spec: z.object({ imagePullSecrets: z.unknown(), containers: z.array(z.object({ image: z.string() })) }),
      }),
    })
    .parse(deployment?.spec);
  expect(template.spec.imagePullSecrets).toEqual([{ name: 'registry' }, { name: 'of-the-whole' }]);
  expect(template.spec.containers[0]?.image).toBe(`registry.example.jp/edgeline/edgeline@sha256:${'0'.repeat(64)}`);
});

it('with the names of Secrets, no rule reads another', async () => {
  const roles = (await helm.template(home, { secrets: { names: ['a', 'b'] } })).filter(({ rules }) => rules);
  const rules = z
    .array(z.object({ resources: z.array(z.string()), resourceNames: z.array(z.string()).optional() }))
    .parse(roles.flatMap((role) => role.rules));
  const ofSecrets = rules.filter(({ resources }) => resources.includes('secrets'));
  expect(ofSecrets.map(({ resourceNames }) => resourceNames)).toEqual([['a', 'b']]);
});

describe('what Prometheus is told', () => {
  const selector = {
    matchLabels: {
      'app.kubernetes.io/name': 'edgeline',
      'app.kubernetes.io/instance': 'edgeline',
      'app.kubernetes.io/component': 'operator',
    },
  };

  // No schema of these kinds is at hand: they are compared with what the Prometheus operator's documentation asks for.
  it('is a ServiceMonitor for the Service’s port', async () => {
    const objects = await render('everything there is');
    const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name.endsWith('-metrics'));
    expect(service?.spec).toEqual({
      ipFamilyPolicy: 'SingleStack',
      ipFamilies: ['IPv4'],
      selector: selector.matchLabels,
      ports: [{ name: 'metrics', port: 8080, targetPort: 'metrics' }],
    });
    expect(service?.metadata.labels).toMatchObject(selector.matchLabels);
    expect(objects.filter((object) => isMonitor(object) && object.kind !== 'PrometheusRule')).toMatchObject([
      {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'ServiceMonitor',
        metadata: { name: 'of-the-fleet', namespace: home, labels: { release: 'prometheus' } },
        spec: {
          selector,
          endpoints: [
            {
              port: 'metrics',
              interval: '30s',
              scrapeTimeout: '10s',
              honorLabels: true,
              relabelings: [{ action: 'labeldrop', regex: 'pod' }],
              metricRelabelings: [{ action: 'drop', regex: 'go_.*', sourceLabels: ['__name__'] }],
            },
          ],
        },
      },
    ]);
  });

  it('is a PrometheusRule with the alerts of the chart', async () => {
    const objects = await render('everything there is');
    const rules: unknown = parse(readFileSync(join(chartDirectory, 'files/alerts.yaml'), 'utf8'));
    expect(objects.filter(({ kind }) => kind === 'PrometheusRule')).toMatchObject([
      {
        apiVersion: 'monitoring.coreos.com/v1',
        metadata: { name: 'of-the-fleet', namespace: home, labels: { release: 'prometheus' } },
        spec: { groups: [{ name: 'edgeline', rules }] },
      },
    ]);
  });

  it('is a ConfigMap of each dashboard, as Grafana’s sidecar wants it', async () => {
    const objects = await render('everything there is');
    const folder = join(chartDirectory, 'files', 'dashboards');
    const files = readdirSync(folder);
    expect(
      objects.filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-dashboard')),
    ).toEqual(
      files.map((file) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: `of-the-fleet-${file.replace(/^edgeline-(.*)\.json$/, '$1')}-dashboard`,
          namespace: home,
          labels: expect.objectContaining({ grafana_dashboard: '1', grafana: 'main' }),
          annotations: { grafana_folder: 'SIMs' },
        },
        data: { [file]: readFileSync(join(folder, file), 'utf8') },
      })),
    );
    expect(files.toSorted()).toEqual(['edgeline-fleet.json', 'edgeline-operator.json']);
  });

  it('is a PodMonitor for the container’s port', async () => {
    expect((await render('single namespaces')).filter(isMonitor)).toMatchObject([
      {
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PodMonitor',
        metadata: { name: operatorName, namespace: home, labels: { release: 'prometheus' } },
        spec: { selector, podMetricsEndpoints: [{ port: 'metrics', interval: '60s' }] },
      },
    ]);
  });
});
