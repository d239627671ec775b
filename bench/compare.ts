/** What two runs of the benchmarks found of one figure. */
export interface ComparedFigure {
  /** Where it stands in the JSON, such as `runs 1000 Sims: operator.cpuSeconds`. */
  readonly figure: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** `after / before`; undefined where one of them is missing or `before` is 0. */
  readonly ratio: number | undefined;
  readonly verdict: 'worse' | 'better' | 'same' | 'new' | 'gone';
}

/** Two runs, figure by figure. */
export interface Comparison {
  readonly figures: readonly ComparedFigure[];
  /** What was asked for otherwise, such as how long the steady state was watched: what is counted in it differs, too. */
  readonly settings: readonly ComparedFigure[];
}

/** Less than this is noise, where a machine has other work, too. */
const NOISE = 0.1;

/** Members that say what was asked for, not what was found. */
const SETTINGS: ReadonlySet<string> = new Set(['sims', 'seconds', 'count', 'changes']);
/** Members of which more is better; of all others, less is. */
const MORE_IS_BETTER = /PerSecond$/;
/** Members that tell of the run, not of the product. */
const OF_THE_RUN = 'taken';

/** Compares what two runs found, in the order of the second, what only the first has last. Pure. */
export function compare(before: unknown, after: unknown): Comparison {
  const [old, now] = [numbersIn(before), numbersIn(after)];
  const names = [...new Set([...now.keys(), ...old.keys()])];
  const all = names.map((figure) => compared(figure, old.get(figure), now.get(figure)));
  return {
    figures: all.filter(({ figure }) => !isSetting(figure)),
    settings: all.filter(({ figure, before: was, after: is }) => isSetting(figure) && was !== is),
  };
}

/** A comparison as Markdown: what is worse first. Pure. */
export function comparisonTable({ figures, settings }: Comparison): string {
  const order = ['worse', 'better', 'new', 'gone', 'same'] as const;
  const sorted = order.flatMap((verdict) => figures.filter((one) => one.verdict === verdict));
  const counts = order.map((verdict) => `${sorted.filter((one) => one.verdict === verdict).length} ${verdict}`);
  return [
    ...settings.map(({ figure, before, after }) => `Not alike: ${figure} was ${shown(before)} and is ${shown(after)}.`),
    ...(settings.length > 0 ? [''] : []),
    '| | figure | before | now | ratio |',
    '|---|---|---|---|---|',
    ...sorted.map(
      ({ verdict, figure, before, after, ratio }) =>
        `| ${verdict === 'same' ? '' : verdict} | ${figure} | ${shown(before)} | ${shown(after)} | ${ratio === undefined ? '' : ratio.toFixed(2)} |`,
    ),
    '',
    `${counts.join(', ')}; what differs by no more than ${NOISE * 100} % is the same.`,
  ].join('\n');
}

function compared(figure: string, before: number | undefined, after: number | undefined): ComparedFigure {
  const ratio = before === undefined || after === undefined || before === 0 ? undefined : after / before;
  return { figure, before, after, ratio, verdict: verdictOf(figure, before, after) };
}

function verdictOf(figure: string, before: number | undefined, after: number | undefined): ComparedFigure['verdict'] {
  if (before === undefined) return 'new';
  if (after === undefined) return 'gone';
  if (Math.abs(after - before) <= Math.abs(before) * NOISE) return 'same';
  return after > before === MORE_IS_BETTER.test(figure) ? 'better' : 'worse';
}

function isSetting(figure: string): boolean {
  return SETTINGS.has(figure.split(/[.:] ?/).at(-1) ?? '');
}

function shown(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** All numbers of what was found, by where they stand; runs of a list are told apart by their number of Sims. */
function numbersIn(value: unknown, path = ''): Map<string, number> {
  if (typeof value === 'number') return new Map([[path, value]]);
  if (typeof value !== 'object' || value === null) return new Map();
  const parts = Array.isArray(value)
    ? value.map((one: unknown, index) => [`${path} ${nameIn(one) ?? index}: `, one] as const)
    : Object.entries(value)
        .filter(([name]) => name !== OF_THE_RUN)
        .map(
          ([name, one]) => [path === '' || path.endsWith(': ') ? `${path}${name}` : `${path}.${name}`, one] as const,
        );
  return new Map(parts.flatMap(([name, one]) => [...numbersIn(one, name)]));
}

function nameIn(run: unknown): string | undefined {
  if (typeof run !== 'object' || run === null || !('sims' in run) || typeof run.sims !== 'number') return undefined;
  return `${run.sims} Sims`;
}
