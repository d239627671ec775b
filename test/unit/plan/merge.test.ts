import { describe, expect, it } from 'vitest';
import { applyPatch, serverSideManagerOf } from '../../../src/plan/manifests/merge.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const live = (spec: object, applied?: object, managedFields?: object[]) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: {
    name: 'truck-17',
    uid: 'u',
    labels: { team: 'east' },
    ...(applied && {
      annotations: { [LAST_APPLIED]: JSON.stringify({ metadata: { annotations: {} }, spec: applied }) },
    }),
    ...(managedFields && { managedFields }),
  },
  spec,
  status: { id: '1' },
});
const manifest = (spec: object, metadata: object = {}) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17', ...metadata },
  spec,
});
const owned = (manager: string, operation: string, fields: object, subresource?: string) => ({
  manager,
  operation,
  fieldsV1: fields,
  ...(subresource !== undefined && { subresource }),
});

describe('applying a manifest', () => {
  it.each([
    ['that is there already changes nothing', live({ a: 1 }, { a: 1 }), manifest({ a: 1 }), undefined],
    ['sets what it says', live({ a: 1 }, { a: 1 }), manifest({ a: 2, b: [1] }), { spec: { a: 2, b: [1] } }],
    ['removes what it said before', live({ a: 1, b: 2 }, { a: 1, b: 2 }), manifest({ a: 1 }), { spec: { b: null } }],
    ['keeps what others added', live({ a: 1, b: 2 }, { a: 1 }), manifest({ a: 1 }), undefined],
    [
      'goes deep',
      live({ a: { b: 1, c: 2 } }, { a: { b: 1, c: 2 } }),
      manifest({ a: { b: 1 } }),
      { spec: { a: { c: null } } },
    ],
    ['replaces lists as wholes', live({ a: [1, 2] }, { a: [1, 2] }), manifest({ a: [1] }), { spec: { a: [1] } }],
    [
      'sets labels',
      live({}, {}),
      manifest({}, { labels: { team: 'west' } }),
      { metadata: { labels: { team: 'west' } } },
    ],
    [
      'as kubectl recorded it, with annotations that are none, changes nothing',
      live({ a: 1 }, { a: 1 }),
      manifest({ a: 1 }),
      undefined,
    ],
    ['sets what is empty, too', live({ a: 1 }, { a: 1 }), manifest({ a: 1, cors: {} }), { spec: { cors: {} } }],
    ['does not touch the status', live({ a: 1 }), { ...manifest({ a: 1 }), status: { id: '2' } }, undefined],
    [
      'removes nothing without a record of what was applied before',
      live({ a: 1, b: 2 }, undefined, [owned('kubectl', 'Apply', { 'f:spec': { 'f:a': {}, 'f:b': {} } })]),
      manifest({ a: 1 }),
      undefined,
    ],
  ])('%s', (_, now, wanted, patch) => {
    expect(applyPatch(now, wanted, { by: 'client' })).toEqual({ patch });
  });
});

describe('applying a manifest on the side of the server', () => {
  const server = { by: 'server', manager: 'argocd-controller', force: false } as const;
  const managers = [
    owned('argocd-controller', 'Apply', { 'f:spec': { 'f:a': {}, 'f:b': {} } }),
    owned('kubectl-edit', 'Update', { 'f:spec': { 'f:c': {} } }),
    owned('edgeline', 'Apply', { 'f:status': { 'f:id': {} } }, 'status'),
  ];
  const now = live({ a: 1, b: 2, c: 3 }, undefined, managers);

  it('removes what the manager owns, and nothing that another or the status does', () => {
    expect(applyPatch(now, manifest({ a: 1 }), server)).toEqual({ patch: { spec: { b: null } } });
    expect(applyPatch(now, manifest({ a: 1 }), { ...server, manager: 'other' })).toEqual({ patch: undefined });
  });

  it('is refused where another has set what the manifest changes, unless it is forced', () => {
    expect(applyPatch(now, manifest({ a: 1, b: 2, c: 4 }), server)).toEqual({
      refusal: expect.stringContaining('Apply failed with 1 conflict: conflict with "kubectl-edit": .spec.c.'),
    });
    expect(applyPatch(now, manifest({ a: 1, b: 2, c: 4 }), { ...server, force: true })).toEqual({
      patch: { spec: { c: 4 } },
    });
  });

  it('tells under which name an object was applied', () => {
    expect(serverSideManagerOf(now)).toBe('argocd-controller');
    expect(serverSideManagerOf(live({ a: 1 }, { a: 1 }, managers))).toBeUndefined();
    expect(serverSideManagerOf(live({ a: 1 }))).toBeUndefined();
  });
});
