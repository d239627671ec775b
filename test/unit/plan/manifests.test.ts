import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestsIn, readManifests, refuseNone } from '../../../src/commands/plan-files.ts';

const doc = (kind: string) => `apiVersion: v1\nkind: ${kind}\n`;
const object = (kind: string) => ({ apiVersion: 'v1', kind });

/** Nine lists of nine lists, and so on: a thousand million texts. */
const bomb = Array.from({ length: 9 }, (_, level) => {
  const one = level === 0 ? 'x' : `*l${level - 1}`;
  return `l${level}: &l${level} [${Array.from({ length: 9 }, () => one).join(',')}]`;
}).join('\n');

describe('manifests', () => {
  it('are the documents of a file, those of a List one by one', () => {
    const text = `${doc('A')}---\n# nothing\n---\n${doc('List')}items:\n- {apiVersion: v1, kind: B}\n- {apiVersion: v1, kind: C}\n`;
    expect(manifestsIn(text, 'x.yaml')).toEqual([
      { source: 'x.yaml, document 1', object: object('A') },
      { source: 'x.yaml, document 3', object: object('B') },
      { source: 'x.yaml, document 3', object: object('C') },
    ]);
    const json = '{"apiVersion":"v1","kind":"A"}';
    expect(manifestsIn(json, 'x.json')).toEqual([{ source: 'x.json', object: object('A') }]);
    expect(manifestsIn('', 'x.yaml')).toEqual([]);
  });

  // As kubectl 1.36 prints it with `create --dry-run=client -o json`.
  it.each([
    ['yes', true],
    ['off', false],
    ['n', false],
    ['0755', 493],
    ['1_000', 1000],
    ['01:23:45', '01:23:45'],
    ['2026-01-01', '2026-01-01'],
    ['"yes"', 'yes'],
    ['{<<: {a: 1}, b: 2}', { a: 1, b: 2 }],
  ])('have %s as kubectl reads it', (text, value) => {
    expect(manifestsIn(`${doc('A')}spec: ${text}`, 'x.yaml')[0]?.object['spec']).toEqual(value);
  });

  it.each([
    ['x.yaml', 'a: [', /^x\.yaml is no YAML: .*[^:]$/, 'Correct the file.'],
    ['x.yaml', bomb, /^x\.yaml cannot be read: Excessive alias count/, 'Correct the file.'],
    ['x.yaml', 'just a text', /^x\.yaml is no manifest/, 'Give files with Kubernetes manifests only'],
    ['x.yaml', 'kind: Sim', /^x\.yaml is no manifest: it has no apiVersion and kind$/, 'leave this one out'],
    ['x.yaml', `${doc('List')}items: [{kind: Sim}]`, /^x\.yaml is no manifest/, 'leave this one out'],
    ['fleet/Chart.yaml', 'name: fleet', /is no manifest/, 'helm template fleet | edgeline plan -f -'],
    ['values.yaml', 'sims: []', /is no manifest/, 'helm template . | edgeline plan -f -'],
    [
      'fleet/templates/sim.yaml',
      '{{- range .Values.sims }}\n---\n',
      /is no YAML/,
      'helm template fleet | edgeline plan',
    ],
    ['fleet/kustomization.yaml', 'resources: []', /is no manifest/, 'edgeline plan -k fleet'],
  ])('are not what %s has with %j, and what to give instead is said', (file, text, message, advice) => {
    const read = () => manifestsIn(text, file);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ advice: expect.stringContaining(advice) }));
  });

  it('of a directory are those of its YAML and JSON files, and of those below it only with -R', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'edgeline-plan-'));
    await mkdir(join(directory, 'below'));
    await writeFile(join(directory, 'b.yml'), doc('B'));
    await writeFile(join(directory, 'a.json'), JSON.stringify(object('A')));
    await writeFile(join(directory, 'README.md'), 'no manifest');
    await writeFile(join(directory, 'below', 'c.yaml'), doc('C'));
    const kinds = async (recursive: boolean) =>
      (await readManifests([directory], recursive)).map((one) => one.object['kind']);
    expect(await kinds(false)).toEqual(['A', 'B']);
    expect(await kinds(true)).toEqual(['A', 'B', 'C']);
    const twice = await readManifests([directory, `${directory}/.`], false);
    expect(twice.map((one) => one.object['kind'])).toEqual(['A', 'B']);
  });

  it('are read as UTF-16, too, where the file says so, and as nothing else', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'edgeline-plan-'));
    const file = join(directory, 'a.yaml');
    const read = async (bytes: Buffer) => {
      await writeFile(file, bytes);
      return (await readManifests([file], false)).map((one) => one.object);
    };
    const text = `${doc('A')}spec: é`;
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), wide, Buffer.from(wide).swap16()])
      expect(await read(bytes)).toEqual([{ ...object('A'), spec: 'é' }]);
    await expect(read(Buffer.from(text, 'utf16le'))).rejects.toThrow(`${file} is not UTF-8`);
  });

  it.each([
    ['gone.yaml', 'there is no file or directory gone.yaml'],
    ['https://example.jp/fleet.yaml', 'https://example.jp/fleet.yaml is an address, and only files are read'],
  ])('are not found at %s', async (path, message) => {
    await expect(readManifests([path], false)).rejects.toThrow(message);
  });

  it('that are none are no plan without a change', async () => {
    await expect(readManifests([], false)).rejects.toThrow('no manifests were given');
    expect(() => refuseNone([], ['fleet', '-'])).toThrow('there is no manifest in fleet, stdin');
  });
});
