import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

/** What neither lint rule sees: a date that is made of nothing is the wall clock, and `globalThis` has everything. */
function reachedFor(source: string): string[] {
  const found: string[] = [];
  new Visitor({
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0) found.push('new Date()');
    },
    CallExpression({ callee }) {
      if (callee.type === 'Identifier' && callee.name === 'Date') found.push('Date()');
    },
    Identifier({ name }) {
      if (name === 'globalThis' || name === 'global') found.push(name);
    },
  }).visit(parseSync('source.ts', source).program);
  return found;
}

const layers = ['telemetry', 'cloud', 'kubernetes', 'reconcile', 'kinds', 'operator', 'import'];
const files = layers.flatMap((layer) =>
  readdirSync(`src/${layer}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${layer}/${file}`),
);

describe('time is an argument', () => {
  test.each([
    ['const now = new Date();', ['new Date()']],
    ['const text = Date();', ['Date()']],
    ['globalThis.setTimeout(() => {});', ['globalThis']],
    ['const then = new Date(0); Date.parse(""); Date.UTC(2026, 0);', []],
  ])('%s is told apart', (source, expected) => {
    expect(reachedFor(source)).toEqual(expected);
  });

  test('no layer below the commands reaches for the clock by another way', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap((file) => reachedFor(readFileSync(file, 'utf8')).map((what) => `${file}: ${what}`))).toEqual(
      [],
    );
  });
});
