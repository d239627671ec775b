import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/sandbox/package-root.ts';

const read = (path: string) => readFileSync(join(packageRoot(), path), 'utf8');

/** The figures of a text, as numbers without separators; what a link leads to has none. */
function figuresIn(text: string): string[] {
  const plain = text.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/(?<=\d),(?=\d{3}\b)/g, '');
  return plain.match(/(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)/g) ?? [];
}

/** What names the results: cells of tables, and comments of the chart's values. */
const cited = [
  ...globSync('docs/**/*.md', { cwd: packageRoot() }).flatMap((path) => {
    const rows = read(path)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    return rows.flatMap((row) => row.split('|').map((text) => ({ path, text })));
  }),
  ...read('helm/edgeline/values.yaml')
    .split(/^(?!\s*#).*$/m)
    .map((text) => ({ path: 'helm/edgeline/values.yaml', text })),
].filter(({ text }) => text.includes('results.md') && figuresIn(text).length > 0);

it('what names bench/results.md has its figures', () => {
  expect([...new Set(cited.map(({ path }) => path))].sort()).toEqual([
    'docs/cost.md',
    'docs/decisions/one-process-acts.md',
    'docs/reference/values.md',
    'helm/edgeline/values.yaml',
  ]);
  const there = new Set(figuresIn(read('bench/results.md')));
  const wrong = cited.flatMap(({ path, text }) =>
    figuresIn(text)
      .filter((figure) => !there.has(figure))
      .map((figure) => `${path}: ${figure} in ${text.trim().slice(0, 80)}`),
  );
  expect(wrong).toEqual([]);
});
