import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { actKey, addCoverage, type Counts, coverageTable, denialOf } from './life/coverage.ts';
import { emptyCells, seedMeeting, seedsOfAllCells } from './life/draw/cells.ts';
import { unmetEdits } from './life/draw/edits.ts';
import { drawScript } from './life/draw/script.ts';
import { permitted } from './life/draw/trouble.ts';
import { printStep, type Script } from './life/script.ts';
import { livedOf } from './tool/lives.ts';
import type { Outcome } from './tool/outcome.ts';
import { seedsOf } from './tool/seeds.ts';
import { createWorkers } from './tool/workers.ts';

/** The fixed lives of every test run: as many as two processes live in half a minute. */
const FIRST = 1;
const LAST = 150;
/** How often a cell that stayed empty is tried again. */
const MOST_ROUNDS = 10;
const MINUTES = 60_000;
/** What the operator is started with in some lives. */
const FLAGS = ['simRates', 'statusPage', 'namespaces', 'secretNames', 'allowedHosts'] as const;

const workers = createWorkers(2);
/** What all lives of this run met with. */
const met: Record<string, number> = {};
let lives = 0;
afterAll(() => workers.stop());

describe('lives of the operator in virtual time', () => {
  it(
    `keep every promise, from seed ${FIRST} to ${LAST}`,
    async () => {
      const { outcomes, coverage } = await lived(seedsOf({ first: FIRST, last: LAST }, undefined));
      expect(outcomes.filter(({ violations }) => violations.length > 0).map(told)).toEqual([]);
      expect(outcomes).toHaveLength(LAST - FIRST + 1);
      expect(unmetEdits(coverage)).toEqual([]);
      const acts = [...permitted.map(denialOf), ...FLAGS.map((flag) => `with ${flag}`), 'page 200'];
      expect(acts.filter((act) => coverage[actKey(act)] === undefined)).toEqual([]);
    },
    10 * MINUTES,
  );

  it(
    'meet every fault at every operation',
    async () => {
      const { outcomes, coverage } = await lived(seedsOfAllCells);
      // One fault may keep the operation of another from coming; in another round it has other company.
      for (let round = 1; round <= MOST_ROUNDS && emptyCells(coverage).length > 0; round++) {
        const again = await lived([...new Set(emptyCells(coverage).map((key) => seedMeeting(key, round)))]);
        outcomes.push(...again.outcomes);
        addCoverage(coverage, again.coverage);
      }
      console.log(`${lives} lives\n${coverageTable(met)}`);
      expect(outcomes.filter(({ violations }) => violations.length > 0).map(told)).toEqual([]);
      expect(emptyCells(coverage)).toEqual([]);
    },
    10 * MINUTES,
  );

  it.each(broken())(
    'keep what was broken once: $name',
    async ({ life }) => {
      expect(told((await livedOf(life, { trace: false })).outcome).violations).toEqual([]);
    },
    MINUTES,
  );

  it(
    'are the same twice, byte by byte, also in another process',
    async () => {
      // With two replicas, faults and crashes in it.
      const seed = 13;
      const [one, other] = [await traceOf(seed), await traceOf(seed)];
      expect(one.length).toBeGreaterThan(10_000);
      expect(other).toBe(one);
      const tool = join(import.meta.dirname, 'tool', 'simulate.ts');
      const options = { maxBuffer: 2 ** 30 };
      const child = await promisify(execFile)(process.execPath, [tool, '--seed', `${seed}`, '--trace'], options);
      expect(child.stdout.startsWith(one)).toBe(true);
    },
    2 * MINUTES,
  );
});

describe('scripts', () => {
  it('are the same for the same seed, and steps can be left out', () => {
    const [one, other] = [drawScript(7), drawScript(7)];
    expect(one).toEqual(other);
    expect(one.steps.length).toBeGreaterThan(5);
    expect(one.steps.map(printStep).every((line) => line.length > 10)).toBe(true);
  });

  it('are in the order of their times', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const times = drawScript(seed).steps.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
    }
  });
});

/** Lives all of these, in two processes. */
async function lived(seeds: readonly number[]): Promise<{ outcomes: Outcome[]; coverage: Counts }> {
  const coverage: Record<string, number> = {};
  const outcomes: Outcome[] = [];
  await workers.live({
    seeds,
    isOver: () => false,
    onOutcome(outcome) {
      outcomes.push(outcome);
      lives++;
      for (const sum of [coverage, met]) addCoverage(sum, outcome.coverage);
    },
  });
  return { outcomes, coverage };
}

interface Kept {
  readonly name: string;
  readonly life: number | Script;
}

/** Lives that found a defect, or that `npm run simulate -- --keep` added; the same however scripts are drawn later. */
function broken(): Kept[] {
  const kept: { seed: number; note: string; script: Script }[] = JSON.parse(fileBeside('regressions.json'));
  return kept.map(({ seed, note, script }) => ({ name: `${seed}: ${note}`, life: script }));
}

function fileBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8');
}

async function traceOf(seed: number): Promise<string> {
  return (await livedOf(seed, { trace: true })).trace.join('\n');
}

function told({ seed, violations }: Outcome): { readonly seed: number; readonly violations: readonly string[] } {
  return { seed, violations: violations.map(({ invariant, message }) => `${invariant}: ${message}`) };
}
