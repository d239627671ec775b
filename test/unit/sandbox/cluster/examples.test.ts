import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { examplesIn, simToTry } from '../../../../src/sandbox/cluster/examples.ts';
import { packageRoot } from '../../../../src/sandbox/package-root.ts';

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function directoryWith(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'examples-'));
  directories.push(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  return directory;
}

const secret = (name: string, more = '') => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n${more}`;
const inDemo = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'edgeline-demo' },
});

describe('examples', () => {
  it('are every document of every manifest, by name of the file, in the namespace of the sandbox', () => {
    const directory = directoryWith({
      'b.yml': secret('third'),
      'a.yaml': `# nothing yet\n---\n${secret('first')}---\n${secret('second', '  namespace: edgeline-demo\n')}`,
      'c.json': JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'fourth' } }),
      'README.md': 'no manifest',
      'more/d.yaml': secret('not looked at'),
    });
    expect(examplesIn(directory)).toEqual([
      { source: 'a.yaml', object: inDemo('first') },
      { source: 'a.yaml', object: inDemo('second') },
      { source: 'b.yml', object: inDemo('third') },
      { source: 'c.json', object: inDemo('fourth') },
    ]);
  });

  it.each([
    ['no manifest', {}, /^There is no manifest in /],
    ['broken YAML', { 'a.yaml': 'kind: [' }, /a\.yaml is not a manifest: /],
    ['no name', { 'a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {}' }, /document 1 has no usable metadata\.name$/],
    [
      'another namespace',
      { 'a.yaml': secret('x', '  namespace: fleet\n') },
      'Secret fleet/x (a.yaml) is not for namespace edgeline-demo',
    ],
  ])('with %s are refused', (_what, files, message) => {
    expect(() => examplesIn(directoryWith(files))).toThrow(message);
  });

  it('are refused where there is no directory', () => {
    expect(() => examplesIn('/does/not/exist')).toThrow("/does/not/exist can't be read");
  });

  it('that ship have a Sim to try things on', () => {
    expect(simToTry(examplesIn(join(packageRoot(), 'deploy', 'examples')))).toEqual({
      name: 'truck-17',
      iccid: '8981040000000000017',
      secondCarrierAllowed: false,
    });
  });
});
