import { beforeAll, expect, it } from 'vitest';
import { simDefinition } from '../../../src/kinds/sim/schema.ts';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { apply, eventually, testNamespace } from '../../support/kubernetes.ts';
import { connect } from './support.ts';

const GROUP = 'one-manager.example.com';
const definition = { ...simDefinition, group: GROUP, shortNames: [], categories: [] };
const SIMS = { group: GROUP, version: 'v1alpha1', plural: 'sims', kind: 'Sim', namespaced: true };
const MARK = '"x-kubernetes-map-type":"atomic"';

const client = await connect();
const now = JSON.stringify(toCustomResourceDefinition(definition));
const before: object = JSON.parse(now.replace(`,${MARK}`, ''));
let namespace: string;

type Stored = KubernetesObject & { readonly status?: object };

function patchStatus(status: object): Promise<Stored> {
  return client.mergePatch<Stored>(
    SIMS,
    namespace,
    'one',
    { status },
    { subresource: 'status', fieldManager: 'edgeline' },
  );
}

/** What `managedFields` name of the status. */
function namedIn({ metadata }: KubernetesObject): unknown[] {
  const managers: readonly Record<string, unknown>[] = Reflect.get(metadata, 'managedFields');
  return managers.filter(({ subresource }) => subresource === 'status').map(({ fieldsV1 }) => fieldsV1);
}

beforeAll(async () => {
  await apply(before);
  namespace = await testNamespace('one-manager');
  await eventually(() => client.list(SIMS, namespace));
});

it('a status from before it was one field keeps what it has, and is one field from its next write on', async () => {
  await client.create(SIMS, namespace, { metadata: { name: 'one' }, spec: { iccid: '8981040000000000017' } });
  const stored = await patchStatus({ id: '1', ip: '10.0.0.1', applied: { activated: true } });
  expect(JSON.stringify(namedIn(stored))).toContain('"f:applied":{"');

  await apply(JSON.parse(now));
  await eventually(async () => {
    const written = await patchStatus({ name: String(Math.random()), ip: null });
    expect(namedIn(written)).toEqual([{ 'f:status': {} }]);
    expect(written.status).toEqual({
      observedGeneration: -1,
      id: '1',
      applied: { activated: true },
      name: expect.any(String),
    });
  });
});

it('and loses nothing when the CRD is rolled back', async () => {
  await apply(before);
  await eventually(async () => {
    const written = await patchStatus({ name: String(Math.random()) });
    expect(JSON.stringify(namedIn(written))).toContain('"f:name":{}');
    expect(written.status).toMatchObject({ id: '1', applied: { activated: true } });
  });
});

it('after which what was written as one field is nobody’s: who applies it meets no conflict, and takes nothing else away', async () => {
  expect(JSON.stringify(namedIn(await client.get(SIMS, namespace, 'one')))).not.toContain('"f:id":{}');
  const applied = { metadata: { name: 'one', namespace }, status: { id: '2' } };
  await client.applyServerSide(SIMS, namespace, 'one', applied, { subresource: 'status', fieldManager: 'tool' });
  const { status } = await client.get<Stored>(SIMS, namespace, 'one');
  expect(status).toMatchObject({ id: '2', applied: { activated: true }, name: expect.any(String) });
});
