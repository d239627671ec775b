import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from './all.ts';
import type { Mutant } from './mutant.ts';
import { type Pursuit, pursue } from './pursue.ts';
import { type Result, tableOf } from './table.ts';
import { createWorkspace } from './workspace.ts';

/*
 * npm run mutants -- [NAME…] [--seeds 1-2000] [--workers 2] [--minutes 4] [--again]
 *
 * Plants each fault in a copy of the sources, and lives through seeds until a promise is broken. NAME: only these faults,
 * or those whose file begins so; --minutes: the time for one of them; --again: also those that results.json has.
 */

/** So many seeds have to be green without a fault first. */
const HEALTHY = 200;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = (name: string) => join(root, 'test/simulation/mutants', name);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1-2000' },
    workers: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '4' },
    again: { type: 'boolean', default: false },
  },
});

const [from = 1, to = 2000] = values.seeds.split('-').map(Number);
const results = new Map<string, Result>(readResults().map((result) => [result.name, result]));
const isMeant = ({ name, file }: Mutant) =>
  positionals.length === 0 || positionals.some((one) => one === name || file.startsWith(one));
const queue = mutants.filter((mutant) => isMeant(mutant) && (values.again || !results.has(mutant.name)));

const workspaces = await Promise.all(Array.from({ length: Number(values.workers) }, () => createWorkspace(root)));
try {
  const [first] = workspaces;
  if (!first) throw new Error('--workers has to be at least 1');
  const healthy = await pursue(first.directory, { from, to: Math.min(to, from + HEALTHY - 1) }, 600);
  say(`without a fault: ${describe(healthy)}`);
  if (healthy.violation || healthy.isCutShort) throw new Error('lives have to be green without a fault first');
  await Promise.all(workspaces.map(work));
} finally {
  await Promise.all(workspaces.map((workspace) => workspace.remove()));
}
say(summary());

async function work(workspace: Awaited<ReturnType<typeof createWorkspace>>): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    await workspace.plant(mutant);
    const pursuit = await pursue(workspace.directory, { from, to }, Number(values.minutes) * 60);
    await workspace.heal(mutant);
    results.set(mutant.name, resultOf(mutant, pursuit));
    store();
    say(`${mutant.name}: ${describe(pursuit)}`);
  }
}

function resultOf({ name }: Mutant, { violation, invariants, seeds, lastSeed, seconds, isCutShort }: Pursuit): Result {
  return {
    name,
    caughtBy: violation?.invariant,
    message: violation?.message.slice(0, 300),
    invariants: [...invariants],
    seeds,
    lastSeed,
    seconds: Math.round(seconds * 10) / 10,
    isCutShort,
  };
}

function readResults(): Result[] {
  if (!existsSync(here('results.json'))) return [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as written by store
  return JSON.parse(readFileSync(here('results.json'), 'utf8')) as Result[];
}

/** Of faults that are still in the list, in its order. */
function store(): void {
  const all = mutants.flatMap(({ name }) => results.get(name) ?? []);
  writeFileSync(here('results.json'), `${JSON.stringify(all, undefined, 1)}\n`);
  writeFileSync(here('results.md'), tableOf(mutants, results, { from, to }));
}

function describe({ violation, seeds, seconds, isCutShort }: Pursuit): string {
  const lived = `${seeds} ${seeds === 1 ? 'life' : 'lives'}, ${seconds.toFixed(1)} s`;
  if (violation) return `${violation.invariant} after ${lived}: ${violation.message.slice(0, 200)}`;
  return `${isCutShort ? 'not caught in time' : 'not caught'} in ${lived}`;
}

function summary(): string {
  const known = mutants.flatMap(({ name }) => results.get(name) ?? []);
  const caught = known.filter(({ caughtBy }) => caughtBy !== undefined);
  return `${caught.length} of ${known.length} faults caught; ${mutants.length - known.length} not tried`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
