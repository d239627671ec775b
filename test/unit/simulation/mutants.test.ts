import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { storyNames } from '../../simulation/life/draw/stories/all.ts';
import { mutants } from '../../simulation/mutants/all.ts';
import { controls } from '../../simulation/mutants/controls.ts';
import { patched } from '../../simulation/mutants/mutant.ts';
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

  it('are looked for in stories that exist', () => {
    expect(Object.keys(faultsOfStories).filter((name) => !storyNames.includes(name))).toEqual([]);
    const known = mutants.map(({ name }) => name);
    expect(
      Object.values(faultsOfStories)
        .flat()
        .filter((name) => !known.includes(name)),
    ).toEqual([]);
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
