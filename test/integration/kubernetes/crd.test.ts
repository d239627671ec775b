import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  atMostOneOf,
  exactlyOneOf,
  immutable,
  immutableOnceSet,
  listMap,
  requires,
  validations,
} from '../../../src/kubernetes/cel.ts';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { apply, eventually, testNamespace } from '../../support/kubernetes.ts';
import { connect } from './support.ts';

const TRIALS = { group: 'crd-test.example.com', version: 'v1', plural: 'trials', kind: 'Trial', namespaced: true };

const text = z.string().max(20);
const spec = z.object({
  code: text
    .regex(/^[0-9]+$/)
    .regex(/^89/)
    .describe('A code.')
    .meta(validations(immutable('code cannot change'))),
  a: z
    .object({ x: z.int().min(1).describe('X.') })
    .describe('One way.')
    .optional(),
  b: z
    .object({ x: z.int().describe('X.') })
    .describe('The other way.')
    .optional(),
  resourceID: text.describe('An ID.').optional(),
  namespace: text.describe('A word CEL keeps to itself.').optional(),
  address: z.ipv4().describe('An address.').optional(),
  items: z
    .array(z.object({ name: text.describe('Name.') }))
    .max(3)
    .describe('Items.')
    .meta(listMap('name'))
    .optional(),
});
const status = z.object({
  observedGeneration: z.int().optional(),
  id: z.string().optional(),
  applied: z.record(z.string(), z.unknown()).optional(),
  observed: z.unknown().optional(),
});

const client = await connect();
let namespace: string;

function make(more: object): Promise<KubernetesObject> {
  return client.create(TRIALS, namespace, {
    metadata: { generateName: 'trial-' },
    spec: { code: '891', a: { x: 1 }, ...more },
  });
}

beforeAll(async () => {
  await apply(
    toCustomResourceDefinition({
      ...TRIALS,
      singular: 'trial',
      shortNames: [],
      scope: 'Namespaced',
      categories: [],
      description: 'A trial.',
      spec,
      status,
      rules: [
        exactlyOneOf(['a', 'b']),
        immutableOnceSet('resourceID', 'resourceID cannot change'),
        requires('address', 'resourceID'),
        atMostOneOf(['namespace', 'items', 'address']),
        { at: 'root', rule: "self.metadata.name != 'forbidden'", message: 'call it otherwise' },
      ],
      columns: [{ name: 'Code', type: 'string', jsonPath: '.spec.code' }],
    }),
  );
  namespace = await testNamespace('crd');
  await eventually(() => client.list(TRIALS, namespace));
});

describe('a generated CustomResourceDefinition, at a real apiserver', () => {
  it.each([
    ['both ways', { b: { x: 1 } }, 'exactly one of a and b must be given'],
    ['too small a number', { a: { x: 0 } }, 'should be greater than or equal to 1'],
    ['another pattern', { code: '1' }, "should match '^89'"],
    ['no address', { resourceID: 'x', address: '10.0.0' }, 'must be of type ipv4'],
    ['one without the other', { address: '10.0.0.1' }, 'address can be given only together with resourceID'],
    ['too many ways', { namespace: 'n', items: [{ name: 'i' }] }, 'at most one of namespace, items and address'],
    ['an item twice', { items: [{ name: 'i' }, { name: 'i' }] }, 'Duplicate value'],
  ])('refuses %s', async (_, more, message) => {
    await expect(make(more)).rejects.toMatchObject({ reason: 'Invalid', message: expect.stringContaining(message) });
  });

  it('refuses a name by a rule at the root', async () => {
    const object = { metadata: { name: 'forbidden' }, spec: { code: '891', a: { x: 1 } } };
    await expect(client.create(TRIALS, namespace, object)).rejects.toThrow('call it otherwise');
  });

  it('lets a field be set once, and then never change or go', async () => {
    const { metadata } = await make({});
    const patch = (change: object) => client.mergePatch(TRIALS, namespace, metadata.name, { spec: change });
    await expect(patch({ code: '892' })).rejects.toThrow('code cannot change');
    await patch({ resourceID: '1' });
    await expect(patch({ resourceID: '2' })).rejects.toThrow('resourceID cannot change');
    await expect(patch({ resourceID: null })).rejects.toThrow('resourceID cannot change');
  });

  it('has a status before anybody wrote one, older than any generation', async () => {
    const made = await make({});
    expect([Reflect.get(made, 'status'), made.metadata.generation]).toEqual([{ observedGeneration: -1 }, 1]);
  });

  it('keeps in status whatever is observed, without a new generation', async () => {
    const { metadata } = await make({});
    const observed = { id: '1', applied: { deep: { er: [1, 'x'] } }, observed: { any: 'thing' } };
    const answer = await client.mergePatch<KubernetesObject & { status: unknown }>(
      TRIALS,
      namespace,
      metadata.name,
      { status: observed },
      { subresource: 'status' },
    );
    expect([answer.status, answer.metadata.generation]).toEqual([{ observedGeneration: -1, ...observed }, 1]);
  });
});
