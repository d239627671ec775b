import type { Mutant } from './mutant.ts';

/** What became of one fault. */
export interface Result {
  readonly name: string;
  /** The promise whose break gave it away; undefined: nothing did. */
  readonly caughtBy?: string | undefined;
  readonly message?: string | undefined;
  /** All that the same life broke. */
  readonly invariants: readonly string[];
  /** How many lives it took; those in which it may show go first. */
  readonly lives: number;
  /** Of the life that gave it away. */
  readonly seed?: number | undefined;
  readonly seconds: number;
  /** The time was over before all seeds were lived. */
  readonly isCutShort: boolean;
}

/** The page of results. Pure. */
export function tableOf(
  mutants: readonly Mutant[],
  controls: readonly Mutant[],
  results: ReadonlyMap<string, Result>,
  seeds: { readonly from: number; readonly to: number },
): string {
  const tried = mutants.flatMap((mutant) => {
    const result = results.get(mutant.name);
    return result ? [{ mutant, result }] : [];
  });
  const caught = tried.filter(({ result }) => result.caughtBy !== undefined);
  const missed = tried.filter(({ result }) => result.caughtBy === undefined);
  const told = missed.filter(({ mutant }) => mutant.toldBy !== undefined).length;
  const elsewhere = told > 0 ? `; a test of its own tells of ${told} of the others` : '';
  const share = tried.length === 0 ? 0 : (100 * caught.length) / tried.length;
  return [
    '# Planted faults',
    '',
    `Written by \`npm run mutants\`. Seeds ${seeds.from} to ${seeds.to}, those of stories in which a fault may show first: ${caught.length} of ${tried.length} faults caught (${share.toFixed(1)} %)${elsewhere}.`,
    '',
    ...controlsOf(controls, results),
    '## Not caught',
    '',
    ...(missed.length === 0 ? ['None.'] : ['| fault | what it breaks | why | lives |', '|---|---|---|---|']),
    ...missed.map(
      ({ mutant, result }) =>
        `| ${mutant.name} | ${mutant.what} | ${whyMissed(mutant)} | ${result.lives}${result.isCutShort ? ', then the time was over' : ''} |`,
    ),
    '',
    '## Caught',
    '',
    '| fault | in | by | lives | seed | seconds |',
    '|---|---|---|---|---|---|',
    ...caught.map(
      ({ mutant, result }) =>
        `| ${mutant.name} | ${mutant.file} | ${result.caughtBy} | ${result.lives} | ${result.seed} | ${result.seconds} |`,
    ),
    '',
  ].join('\n');
}

function whyMissed({ unseen, toldBy }: Mutant): string {
  return unseen ?? (toldBy === undefined ? 'Not known.' : `${toldBy} fails with it.`);
}

/** What became of harmless changes, planted in the same way. */
function controlsOf(controls: readonly Mutant[], results: ReadonlyMap<string, Result>): string[] {
  const tried = controls.flatMap(({ name, what }) => {
    const result = results.get(name);
    return result ? [{ what, result }] : [];
  });
  if (tried.length === 0) return [];
  const found = tried.filter(({ result }) => result.caughtBy !== undefined);
  return [
    '## Control',
    '',
    `Harmless changes, planted in the same way (\`npm run mutants -- --control\`): ${found.length} of ${tried.length} were given away.`,
    '',
    '| change | lives | given away by |',
    '|---|---|---|',
    ...tried.map(({ what, result }) => `| ${what} | ${result.lives} | ${result.caughtBy ?? 'nothing'} |`),
    '',
  ];
}
