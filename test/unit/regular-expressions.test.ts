import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { isSafe } from 'redos-detector';
import { describe, expect, test } from 'vitest';

interface Found {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

/** Every regular expression of a source, and where one is put together at run time. */
function expressionsOf(path: string): { literals: Found[]; made: string[] } {
  const source = readFileSync(path, 'utf8');
  const literals: Found[] = [];
  const made: string[] = [];
  const placeOf = (offset: number) => `${path}:${source.slice(0, offset).split('\n').length}`;
  const note = (node: { start: number; callee: { type: string; name?: unknown } }) => {
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') made.push(placeOf(node.start));
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ place: placeOf(node.start), ...node.regex });
    },
    NewExpression: note,
    CallExpression: note,
  }).visit(parseSync(path, source).program);
  return { literals, made };
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  // The shadow is asked by the operator beside it, in the process of the person whose manifests it plays.
  .filter((file) => file.endsWith('.ts') && !file.startsWith('shadow/'))
  .map((file) => `src/${file}`);
const found = files.map(expressionsOf);
const literals = found.flatMap((file) => file.literals);

/** Whether the time it takes is bounded by a constant times the length of the text. What takes long to tell does not count as such. */
function isLinear({ pattern, flags }: Pick<Found, 'pattern' | 'flags'>): boolean {
  // Names of groups are not understood, and change nothing.
  const nameless = pattern.replaceAll(/\(\?<\w+>/g, '(');
  return isSafe(new RegExp(nameless, flags), { maxSteps: 20_000 }).safe;
}

describe('what a text costs', () => {
  test('regular expressions are found', () => {
    expect(literals.length).toBeGreaterThan(20);
  });

  test.each([
    ['-----BEGIN CERTIFICATE-----[\\s\\S]*?-----END CERTIFICATE-----', false],
    ['^(a+)+$', false],
    ['\\/+$', false],
    ['^\\d+$', true],
    ['[\\s\\p{C}]+', true],
  ])('%s is told apart', (pattern, linear) => {
    expect(isLinear({ pattern, flags: 'u' })).toBe(linear);
  });

  test('no regular expression takes more than linear time', () => {
    expect(literals.filter((literal) => !isLinear(literal))).toEqual([]);
  });

  test('none is put together at run time', () => {
    expect(found.flatMap((file) => file.made)).toEqual([]);
  });
});
