import { describe, expect, inject, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { runKubectl } from '../../src/sandbox/control-plane/kubectl.ts';
import { adminKubeconfig } from '../support/control-plane.ts';
import { readPages } from '../support/documents.ts';

/** Manifests of Edgeline's kinds in all pages: what has no apiVersion is a fragment. */
const manifests = readPages().flatMap(({ path, blocks }) =>
  blocks
    .filter(({ language }) => language === 'yaml')
    .flatMap(({ text, heading }) => parseAllDocuments(text).map((document) => ({ heading, object: document.toJS() })))
    .filter(({ object }) => String(object?.apiVersion).startsWith('edgeline.dev/'))
    .map(({ heading, object }) => [path, `${object.kind} ${object.metadata.name}`, heading, object] as const),
);

describe('manifests in the documentation', () => {
  it('are found', () => {
    expect(manifests.map(([path, name]) => `${path}: ${name}`)).toContain('README.md: Sim truck-17');
  });

  it.each(manifests)('%s: the apiserver accepts %s (%s)', async (_path, _name, _heading, object) => {
    const { code, stderr } = await runKubectl(
      { kubectl: inject('kubectl'), kubeconfig: adminKubeconfig() },
      ['apply', '--dry-run=server', '--validate=strict', '-f', '-'],
      { input: JSON.stringify(object) },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
