import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { storyNames } from '../../simulation/life/draw/stories/all.ts';
import { mutants } from '../../simulation/mutants/all.ts';
import { controls } from '../../simulation/mutants/controls.ts';
import { patched } from '../../simulation/mutants/mutant.ts';
import { nearestFirst } from '../../simulation/mutants/near.ts';
import { faultsOfStories } from '../../simulation/mutants/near-stories.ts';

const root = new URL('../../../', import.meta.url);
const textOf = (file: string) => readFileSync(fileURLToPath(new URL(file, root)), 'utf8');

describe('the planted faults', () => {
  it('have names of their own', () => {
    const names = [...mutants, ...controls].map(({ name }) => name);
    expect([...new Set(names)]).toEqual(names);
  });

  it('say what they break', () => {
    expect(mutants.filter(({ what }) => !/^\S.*\.$/.test(what))).toEqual([]);
  });

  it('are told of by tests that exist', () => {
    const tests = mutants.flatMap(({ toldBy }) => (toldBy === undefined ? [] : [toldBy]));
    expect(tests.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  it('are looked for in stories that exist', () => {
    expect(Object.keys(faultsOfStories).filter((name) => !storyNames.includes(name))).toEqual([]);
    const known = mutants.map(({ name }) => name);
    expect(
      Object.values(faultsOfStories)
        .flat()
        .filter((name) => !known.includes(name)),
    ).toEqual([]);
  });

  it('are looked for first where they may show, half of the time in mixed lives, each of which takes as long as three', () => {
    const told = (seed: number, what: string) => ({ seed, text: `{"story":"${what}"}` });
    const mixed = (seed: number) => ({ seed, text: '{"what":"kill"}' });
    const seeds = [mixed(1), told(2, 'moves'), mixed(3), told(4, 'kill'), told(5, 'moves'), told(6, 'kill')];
    expect(nearestFirst(seeds, [/kill/])).toEqual([4, 1, 6, 2, 5, 3]);
  });

  for (const mutant of [...mutants, ...controls]) {
    it(`${mutant.name} fits the source, changes it, and leaves a program`, () => {
      const text = textOf(mutant.file);
      const changed = patched(mutant, text);
      expect(changed).not.toBe(text);
      expect(parseSync(mutant.file, changed).errors).toEqual([]);
    });
  }
});
