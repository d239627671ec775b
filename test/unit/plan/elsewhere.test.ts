import { expect, it } from 'vitest';
import { elsewhere } from '../../../src/plan/run.ts';

const manifest = (source: string, namespace?: string) => ({
  source,
  object: {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'a', ...(namespace && { namespace }) },
  },
});

it.each([
  ['nothing without -n', undefined, [manifest('a.yaml', 'fleet')], []],
  ['nothing of manifests that name none, or the same', 'fleet', [manifest('a.yaml'), manifest('b.yaml', 'fleet')], []],
  [
    'of others where they are planned, and that kubectl refuses them',
    'fleet',
    [manifest('a.yaml'), manifest('b.yaml', 'east'), manifest('c.yaml', 'west')],
    [
      'b.yaml and 1 more: planned in the namespace that the manifest names, east; kubectl apply -n fleet would refuse it: leave out -n, or correct the manifest.',
    ],
  ],
])('-n says %s', (_what, namespace, manifests, notes) => {
  expect(elsewhere(manifests, namespace)).toEqual(notes);
});
