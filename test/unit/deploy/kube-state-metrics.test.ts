import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { kindDefinitions } from '../../../src/kinds/index.ts';
import { specSchemaOf, statusSchemaOf } from '../../../src/kubernetes/crd.ts';

const path = z.array(z.string()).min(1);
const labels = z.record(z.string().regex(/^[a-z][a-z_]*$/), path);
const name = z.string().regex(/^[a-z][a-z_]*$/);

/** What kube-state-metrics 2 takes, as far as it is used here; anything else is a mistake. */
const configuration = z.strictObject({
  kind: z.literal('CustomResourceStateMetrics'),
  spec: z.strictObject({
    resources: z.array(
      z.strictObject({
        groupVersionKind: z.strictObject({ group: z.string(), version: z.string(), kind: z.string() }),
        metricNamePrefix: name,
        labelsFromPath: labels,
        metrics: z.array(
          z.strictObject({
            name,
            help: z.string().min(1),
            each: z.discriminatedUnion('type', [
              z.strictObject({ type: z.literal('Info'), info: z.strictObject({ labelsFromPath: labels }) }),
              z.strictObject({
                type: z.literal('Gauge'),
                gauge: z.strictObject({ path, labelsFromPath: labels.optional(), valueFrom: path.optional() }),
              }),
              z.strictObject({
                type: z.literal('StateSet'),
                stateSet: z.strictObject({ path, labelName: name, list: z.array(z.string()).min(1) }),
              }),
            ]),
          }),
        ),
      }),
    ),
  }),
});

const { resources } = configuration.parse(parse(readFileSync('deploy/kube-state-metrics/config.yaml', 'utf8'))).spec;

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly format?: string;
}

/** The schema of an object of a kind, with the metadata that every object has. */
function schemaOf(kind: string): Node {
  const definition = kindDefinitions.find((one) => one.kind === kind);
  if (!definition) throw new Error(`there is no kind ${kind}`);
  const metadata: Node = { properties: { name: { type: 'string' }, namespace: { type: 'string' } } };
  return { properties: { metadata, spec: specSchemaOf(definition), status: statusSchemaOf(definition) } };
}

/** The node at a path; of a list the nodes of its items. */
function nodeAt(from: Node, steps: readonly string[]): Node {
  return steps.reduce((node, step) => {
    const next = node.properties?.[step];
    if (!next) throw new Error(`the schema has no ${steps.join('.')}`);
    return next;
  }, from);
}

const SCALARS = ['string', 'integer', 'number', 'boolean'];

type Each = (typeof resources)[number]['metrics'][number]['each'];

/** The nodes that a metric and its labels are read from. */
function read(root: Node, each: Each, common: readonly string[][]): Node[] {
  const labelled = common.map((steps) => nodeAt(root, steps));
  if (each.type === 'Info')
    return [...labelled, ...Object.values(each.info.labelsFromPath).map((steps) => nodeAt(root, steps))];
  if (each.type === 'StateSet') return [...labelled, nodeAt(root, each.stateSet.path)];
  const found = nodeAt(root, each.gauge.path);
  const one = found.items ?? found;
  const { valueFrom = [], labelsFromPath = {} } = each.gauge;
  return [...labelled, nodeAt(one, valueFrom), ...Object.values(labelsFromPath).map((steps) => nodeAt(one, steps))];
}

describe('the configuration for kube-state-metrics', () => {
  it('has every kind', () => {
    expect(resources.map(({ groupVersionKind }) => groupVersionKind)).toEqual(
      expect.arrayContaining(kindDefinitions.map(({ group, version, kind }) => ({ group, version, kind }))),
    );
    expect(resources).toHaveLength(kindDefinitions.length);
  });

  it('comes with a role that may read every kind', () => {
    const role = z
      .object({ rules: z.tuple([z.object({ resources: z.array(z.string()) })]) })
      .parse(parse(readFileSync('deploy/kube-state-metrics/rbac.yaml', 'utf8')));
    expect(role.rules[0].resources.toSorted()).toEqual(kindDefinitions.map(({ plural }) => plural).toSorted());
  });

  it.each(
    resources.flatMap(({ groupVersionKind: { kind }, metrics, labelsFromPath }) =>
      metrics.map((metric) => [`${kind} ${metric.name}`, kind, metric.each, labelsFromPath] as const),
    ),
  )('reads for %s only what the schema has', (_, kind, each, common) => {
    const types = read(schemaOf(kind), each, Object.values(common)).map(({ type }) => type);
    expect(types.filter((type) => !SCALARS.includes(type ?? ''))).toEqual([]);
  });

  it('names no metric twice, and none of the operator’s own', () => {
    const names = resources.flatMap(({ metricNamePrefix, metrics }) =>
      metrics.map((one) => `${metricNamePrefix}_${one.name}`),
    );
    expect(new Set(names).size).toBe(names.length);
    const own = readFileSync('docs/reference/metrics.md', 'utf8');
    expect(names.filter((one) => new RegExp(`\`${one}(\`|{)`).test(own))).toEqual([]);
  });
});
