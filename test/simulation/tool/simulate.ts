import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { parseCount } from '../../../src/commands/arguments.ts';
import { addCoverage, type Counts, coverageTable } from '../life/coverage.ts';
import { cells, emptyCells } from '../life/draw/cells.ts';
import { drawScript } from '../life/draw/script.ts';
import { printStep, type Script } from '../life/script.ts';
import { livedOf } from './lives.ts';
import type { Outcome, Violation } from './outcome.ts';
import { parseMinutes, parseSeeds, parseStory, seedsOf } from './seeds.ts';
import { shrink } from './shrink.ts';
import { createWorkers } from './workers.ts';

/** A life that failed once: it is lived in every test run from then on. */
interface Regression {
  readonly seed: number;
  readonly invariant: string;
  readonly note: string;
  /** As it was then: the same seed gives another life once what is drawn changes. */
  readonly script: Script;
}

const regressionsFile = join(import.meta.dirname, '..', 'regressions.json');
/** Milliseconds. */
const SHRINK_MILLISECONDS = 60_000;
const PROGRESS_MILLISECONDS = process.stderr.isTTY ? 1000 : 15_000;
/** Lines of the trace that are shown of a failure. */
const TRACE_LINES = 60;

interface Flags {
  readonly seeds?: { first: number; last: number };
  readonly seed?: { first: number };
  readonly story?: string;
  readonly minutes: number;
  readonly workers: number;
  readonly trace: boolean;
  readonly first: boolean;
  readonly keep: boolean;
  readonly shrink: boolean;
  readonly json: boolean;
}

await new Command('simulate')
  .description('live lives of the operator in virtual time, and see whether its promises hold')
  .option('--seeds <range>', 'the seeds to live, such as 1-10000', parseSeeds)
  .option('--story <name>', 'only the lives that tell this story', parseStory)
  .option('--minutes <count>', 'stop after so many minutes', parseMinutes, 10)
  .option('--workers <count>', 'processes', parseCount(64), 2)
  .option('--seed <seed>', 'live one seed, and show its script', parseSeeds)
  .option('--trace', 'with --seed: print everything that happens', false)
  .option('--first', 'end at the first failure', false)
  .option('--no-shrink', 'do not look for the fewest steps that fail')
  .option('--keep', 'add the lives that fail to test/simulation/regressions.json', false)
  .option('--json', 'end with the first failure as one line of JSON, for programs', false)
  .action(run)
  .parseAsync();

async function run(flags: Flags): Promise<void> {
  if (flags.seed) await replay(flags.seed.first, flags.trace);
  else await search(flags, flags.seeds ?? { first: 1, last: 1000 });
}

async function replay(seed: number, isTraced: boolean): Promise<void> {
  const { outcome, trace } = await livedOf(seed, { trace: isTraced });
  if (isTraced) console.log(trace.join('\n'));
  else for (const step of drawScript(seed).steps) console.log(printStep(step));
  console.log(summaryOf(outcome));
  process.exitCode = outcome.violations.length > 0 ? 1 : 0;
}

async function search(flags: Flags, range: { first: number; last: number }): Promise<void> {
  const began = performance.now();
  const seeds = seedsOf(range, flags.story);
  const deadline = began + flags.minutes * 60_000;
  const failures: Outcome[] = [];
  const coverage: Record<string, number> = {};
  let lived = 0;
  let messages = 0;
  let hours = 0;
  const seconds = () => (performance.now() - began) / 1000;
  const progress = () =>
    console.error(
      `${lived} of ${seeds.length} lives, ${(lived / seconds()).toFixed(1)} a second, ${messages} messages, ` +
        `${hours.toFixed(0)} h of virtual time, ${failures.length} failed`,
    );
  const ticking = setInterval(progress, PROGRESS_MILLISECONDS);
  const workers = createWorkers(flags.workers);
  await workers.live({
    seeds,
    isOver: () => performance.now() > deadline || (flags.first && failures.length > 0),
    onOutcome(outcome) {
      lived++;
      messages += outcome.messages;
      hours += outcome.virtualMilliseconds / 3_600_000;
      addCoverage(coverage, outcome.coverage);
      if (outcome.violations.length === 0) return;
      failures.push(outcome);
      console.error(`seed ${outcome.seed}: ${outcome.violations[0]?.invariant}: ${outcome.violations[0]?.message}`);
    },
  });
  workers.stop();
  clearInterval(ticking);
  progress();
  if (failures.length === 0) console.log(`${coverageTable(coverage)}\n${emptiness(coverage)}`);
  const [worst] = failures.toSorted((a, b) => a.seed - b.seed);
  if (worst && flags.shrink) await explain(worst);
  if (flags.keep) await keep(failures);
  if (flags.json) console.log(JSON.stringify({ lived, seconds: seconds(), failure: failures[0] ?? null }));
  const left = seeds.length - lived;
  const over = left > 0 ? `, ${left} not lived` : '';
  console.log(
    `${lived - failures.length} lives as promised, ${failures.length} not${over}, in ${seconds().toFixed(1)} s`,
  );
  if (lived === 0) console.error('error: no life came to its end in that time; allow more with --minutes');
  process.exitCode = failures.length > 0 || lived === 0 ? 1 : 0;
}

/** How much of the table is covered: each kind of fault with each operation that it makes sense for. */
function emptiness(coverage: Counts): string {
  const empty = emptyCells(coverage);
  const shown = empty.slice(0, 10).map((key) => `\n  ${key}`);
  return `${empty.length} of ${cells.length} cells are empty${shown.join('')}${empty.length > shown.length ? '\n  …' : ''}\n`;
}

/** The fewest steps that still fail the same promise, and how it came to that. */
async function explain({ seed, violations: [violation] }: Outcome): Promise<void> {
  if (!violation) return;
  const script = drawScript(seed);
  const end = performance.now() + SHRINK_MILLISECONDS;
  const withSteps = (steps: Script['steps']): Script => ({ ...script, steps });
  const steps = await shrink(
    script.steps,
    async (candidate) => isSame((await livedOf(withSteps(candidate), { trace: false })).outcome, violation),
    () => performance.now() > end,
  );
  const { outcome, trace } = await livedOf(withSteps(steps), { trace: true });
  const again = outcome.violations.find(({ invariant }) => invariant === violation.invariant) ?? violation;
  console.log(`\nseed ${seed}, ${script.steps.length} steps, of which ${steps.length} are needed:`);
  for (const step of steps) console.log(printStep(step));
  const upTo = trace.findIndex((line) => Number(line.split(' ', 1)[0]) > again.at);
  const shown = upTo < 0 ? trace : trace.slice(0, upTo);
  console.log(`\n…\n${shown.slice(-TRACE_LINES).map(short).join('\n')}`);
  console.log(`\n${again.invariant}\n${again.message}\nat ${(again.at / 1000).toFixed(3)} s`);
  console.log(`\nnpm run simulate -- --seed ${seed} --trace`);
}

function isSame({ violations }: Outcome, { invariant }: Violation): boolean {
  return violations.some((other) => other.invariant === invariant);
}

function short(line: string): string {
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

async function keep(failures: readonly Outcome[]): Promise<void> {
  const known: Regression[] = JSON.parse(await readFile(regressionsFile, 'utf8'));
  const fresh = failures.map(({ seed, violations }) => ({
    seed,
    invariant: violations[0]?.invariant ?? '',
    note: violations[0]?.message ?? '',
    script: drawScript(seed),
  }));
  const lines = [...known, ...fresh].map((regression) => JSON.stringify(regression));
  await writeFile(regressionsFile, `[\n${lines.join(',\n')}\n]\n`);
}

function summaryOf({ seed, violations, messages, virtualMilliseconds }: Outcome): string {
  const told = violations.map(({ invariant, message, at }) => `${(at / 1000).toFixed(3)} s ${invariant}: ${message}`);
  const life = `seed ${seed}: ${messages} messages in ${(virtualMilliseconds / 60_000).toFixed(1)} virtual minutes`;
  return [life, ...(told.length > 0 ? told : ['all as promised'])].join('\n');
}
