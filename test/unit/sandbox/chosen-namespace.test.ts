import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chooseNamespace, chosenNamespace } from '../../../src/sandbox/chosen-namespace.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'chosen-namespace-test-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function kubeconfig(text: string): string {
  const file = join(directory, 'kubeconfig');
  writeFileSync(file, text);
  return file;
}

const two = `apiVersion: v1
kind: Config
current-context: sandbox
contexts:
- context:
    cluster: other
    namespace: elsewhere
  name: other
- context:
    cluster: sandbox
    user: admin
  name: sandbox
`;

describe('the namespace of a kubeconfig', () => {
  it('is chosen for the current context, and nothing else changes', () => {
    const file = kubeconfig(two);
    expect(chosenNamespace(file)).toBeUndefined();
    chooseNamespace(file, 'edgeline-demo');
    expect(chosenNamespace(file)).toBe('edgeline-demo');
    const { contexts, ...rest } = parse(two);
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      ...rest,
      contexts: [
        contexts[0],
        { name: 'sandbox', context: { cluster: 'sandbox', user: 'admin', namespace: 'edgeline-demo' } },
      ],
    });
  });

  it.each([
    ['is not there', undefined],
    ['is empty', ''],
    ['was cut off', two.slice(0, 60)],
    ['is no YAML', 'contexts: [\n}'],
    ['names a context it does not have', two.replace('current-context: sandbox', 'current-context: gone')],
    [
      'has an empty namespace',
      two.replace('current-context: sandbox', 'current-context: other').replace('elsewhere', '""'),
    ],
  ])('is none where the file %s', (_what, text) => {
    const file = text === undefined ? join(directory, 'nowhere') : kubeconfig(text);
    expect(chosenNamespace(file)).toBeUndefined();
  });

  it('is not written where there is no kubeconfig', () => {
    const file = kubeconfig('contexts: [\n}');
    chooseNamespace(file, 'edgeline-demo');
    expect(readFileSync(file, 'utf8')).toBe('contexts: [\n}');
  });
});
