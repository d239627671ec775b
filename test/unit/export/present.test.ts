import { describe, expect, it } from 'vitest';
import { ClusterError } from '../../../src/cli/errors.ts';
import type { Session } from '../../../src/cli/session.ts';
import { presentOf } from '../../../src/export/present.ts';
import { reportOf } from '../../../src/export/report.ts';
import type { Manifest } from '../../../src/import/terraform/result.ts';

const manifests = ['truck-1', 'truck-2', 'truck-3'].map(
  (name): Manifest => ({ kind: 'Sim', name, spec: { iccid: '8981040000000000001' }, from: [] }),
);
const resource = (name: string, spec: object) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec,
});

/** A namespace with these. */
const namespaceWith = (objects: readonly object[]): Pick<Session, 'list'> => ({
  list: async (_kind, namespace) => (namespace === 'fleet' ? JSON.parse(JSON.stringify(objects)) : []),
});

describe('a manifest of which the resource is there already', () => {
  it('is named, unless that only observes', async () => {
    const there = namespaceWith([
      resource('truck-1', {}),
      resource('truck-2', { managementPolicy: 'Observe' }),
      resource('van', {}),
    ]);
    expect(await presentOf(there, 'fleet', manifests)).toEqual(['Sim truck-1']);
  });

  it('is not known to whoever may not look', async () => {
    const list = () => Promise.reject(new ClusterError('you may not list sims', 'Ask.'));
    expect(await presentOf({ list }, 'fleet', manifests)).toBeUndefined();
  });

  it.each([
    [
      ['Sim truck-1'],
      '\nManaged in namespace fleet already: Sim truck-1.\nApplied over that, a manifest also un-sets at the service what it does not have. Look first: edgeline plan -f, with the manifests.\n',
    ],
    [
      undefined,
      '\nIt could not be seen whether namespace fleet has resources of these names: look before you apply.\n',
    ],
    [[], 'From x: Sim 3.\n'],
  ])('is told: %j', (present, told) => {
    const report = reportOf(
      { manifests, secrets: [], findings: [] },
      { from: 'x', requests: { sent: 0, claimed: 0 }, secretsFile: undefined, namespace: 'fleet', present },
    );
    expect(report.endsWith(told)).toBe(true);
  });
});
