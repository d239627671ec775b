import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestsIn, readManifests } from '../../../src/commands/plan-files.ts';

/** Nine lists of nine lists, and so on: a thousand million texts. */
const bomb = Array.from({ length: 9 }, (_, level) => {
  const one = level === 0 ? 'x' : `*l${level - 1}`;
  return `l${level}: &l${level} [${Array.from({ length: 9 }, () => one).join(',')}]`;
}).join('\n');

describe('manifests', () => {
  it('are the documents of a file, those of a List one by one', () => {
    const text = 'kind: A\n---\n# nothing\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n';
    expect(manifestsIn(text, 'x.yaml')).toEqual([
      { source: 'x.yaml, document 1', object: { kind: 'A' } },
      { source: 'x.yaml, document 3', object: { kind: 'B' } },
      { source: 'x.yaml, document 3', object: { kind: 'C' } },
    ]);
    expect(manifestsIn('{"kind":"A"}', 'x.json')).toEqual([{ source: 'x.json', object: { kind: 'A' } }]);
    expect(manifestsIn('', 'x.yaml')).toEqual([]);
  });

  it.each([
    ['a: [', /x\.yaml is no YAML/],
    ['just a text', /x\.yaml is no manifest/],
    [bomb, /x\.yaml cannot be read: Excessive alias count/],
  ])('%j is refused with the name of the file', (text, message) => {
    expect(() => manifestsIn(text, 'x.yaml')).toThrow(message);
  });

  it('of a directory are those of its YAML and JSON files, and of those below it only with -R', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'edgeline-plan-'));
    await mkdir(join(directory, 'below'));
    await writeFile(join(directory, 'b.yml'), 'kind: B');
    await writeFile(join(directory, 'a.json'), '{"kind":"A"}');
    await writeFile(join(directory, 'README.md'), 'no manifest');
    await writeFile(join(directory, 'below', 'c.yaml'), 'kind: C');
    const kinds = async (recursive: boolean) =>
      (await readManifests([directory], recursive)).map(({ object }) => object['kind']);
    expect(await kinds(false)).toEqual(['A', 'B']);
    expect(await kinds(true)).toEqual(['A', 'B', 'C']);
    await expect(readManifests([join(directory, 'gone')], false)).rejects.toThrow('cannot be read');
    await expect(readManifests([], false)).rejects.toThrow('no manifests were given');
  });
});
