import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { parseCount } from '../../../src/commands/arguments.ts';
import { parseMinutes, parseSeeds } from '../tool/seeds.ts';
import { mutants } from './all.ts';
import { controls } from './controls.ts';
import type { Mutant } from './mutant.ts';
import { type Pursuit, pursue } from './pursue.ts';
import { type Result, tableOf } from './table.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

interface Flags {
  readonly seeds: { readonly first: number; readonly last: number };
  readonly workers: number;
  readonly minutes: number;
  readonly healthy: number;
  readonly again: boolean;
  readonly control: boolean;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = (name: string) => join(root, 'test/simulation/mutants', name);

const command = new Command('mutants')
  .description(
    'plant each fault in a copy of the sources, and live seeds until a promise is broken that is kept without it',
  )
  .argument('[name...]', 'only these faults, or those whose file begins so')
  .option('--seeds <range>', 'the seeds to live', parseSeeds, { first: 1, last: 2000 })
  .option('--workers <count>', 'processes', parseCount(64), 2)
  .option('--minutes <count>', 'the time for one of them', parseMinutes, 4)
  .option('--healthy <count>', 'so many seeds are lived without a fault first', parseHealthy, 200)
  .option('--again', 'also those that results.json has', false)
  .option(
    '--control',
    'in place of the faults the harmless changes of controls.ts, which nothing must give away',
    false,
  )
  .parse();
const values = command.opts<Flags>();
const names = command.args;

const { first: from, last: to } = values.seeds;
const limitSeconds = values.minutes * 60;
const results = new Map<string, Result>(readResults().map((result) => [result.name, result]));
const isMeant = ({ name, file }: Mutant) =>
  names.length === 0 || names.some((one) => one === name || file.startsWith(one));
const planted = values.control ? controls : mutants;
const meantByNone = names.filter((one) => !planted.some(({ name, file }) => name === one || file.startsWith(one)));
if (meantByNone.length > 0)
  command.error(`error: no fault has the name ${meantByNone.join(', ')}, nor a file that begins so`);
const queue = planted.filter(
  (mutant) => isMeant(mutant) && (values.again || values.control || !results.has(mutant.name)),
);
/** Whether a life without a fault keeps all promises, by seed. */
const healthy = new Map<number, Promise<boolean>>();

const sound = await createWorkspace(root);
const workspaces = await Promise.all(Array.from({ length: values.workers }, () => createWorkspace(root)));
try {
  await begin();
  await Promise.all(workspaces.map(work));
} finally {
  await Promise.all([sound, ...workspaces].map((workspace) => workspace.remove()));
}
say(summary());
if (values.control && controls.some(({ name }) => results.get(name)?.caughtBy !== undefined)) process.exitCode = 1;

async function begin(): Promise<void> {
  const last = Math.min(to, from + values.healthy - 1);
  if (last < from) return;
  const pursuit = await pursue({ directory: sound.directory, from, to: last, limitSeconds: 3600 });
  say(`without a fault: ${describe(pursuit)}`);
  if (pursuit.violation) say(`seed ${pursuit.lastSeed} is left out, for it breaks a promise without any fault`);
}

async function work(workspace: Workspace): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    await workspace.plant(mutant);
    const pursuit = await catchIt(workspace, mutant);
    await workspace.heal(mutant);
    results.set(mutant.name, resultOf(mutant, pursuit));
    store();
    say(`${mutant.name}: ${describe(pursuit)}`);
  }
}

/** Until a life breaks a promise that it keeps without the fault. */
async function catchIt({ directory }: Workspace, mutant: Mutant): Promise<Pursuit> {
  let [lives, seconds] = [0, 0];
  for (;;) {
    const pursuit = await pursue({
      directory,
      from,
      to,
      after: lives,
      limitSeconds: limitSeconds - seconds,
      mutant: mutant.name,
    });
    lives += pursuit.lives;
    seconds += pursuit.seconds;
    const isOver = pursuit.violation === undefined || (await isHealthy(pursuit.lastSeed));
    if (isOver) return { ...pursuit, lives, seconds };
    if (seconds >= limitSeconds) return { ...pursuit, violation: undefined, lives, seconds, isCutShort: true };
  }
}

function isHealthy(seed: number | undefined): Promise<boolean> {
  if (seed === undefined) return Promise.resolve(true);
  const known = healthy.get(seed);
  if (known) return known;
  const { directory } = sound;
  const asked = pursue({ directory, from: seed, to: seed, limitSeconds }).then(
    ({ violation }) => violation === undefined,
  );
  healthy.set(seed, asked);
  return asked;
}

function resultOf({ name }: Mutant, { violation, invariants, lives, lastSeed, seconds, isCutShort }: Pursuit): Result {
  return {
    name,
    caughtBy: violation?.invariant,
    message: violation?.message.slice(0, 300),
    invariants: violation ? [...invariants] : [],
    lives,
    seed: violation ? lastSeed : undefined,
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
  const all = [...mutants, ...controls].flatMap(({ name }) => results.get(name) ?? []);
  writeFileSync(here('results.json'), `${JSON.stringify(all, undefined, 1)}\n`);
  writeFileSync(here('results.md'), tableOf(mutants, controls, results, { from, to }));
}

function describe({ violation, lives, lastSeed, seconds, isCutShort }: Pursuit): string {
  const lived = `${lives} ${lives === 1 ? 'life' : 'lives'}, ${seconds.toFixed(1)} s`;
  if (violation) return `${violation.invariant} in ${lived}, seed ${lastSeed}: ${violation.message.slice(0, 200)}`;
  return `${isCutShort ? 'not caught in time' : 'not caught'}: ${lived}`;
}

function summary(): string {
  if (values.control) {
    const found = controls.filter(({ name }) => results.get(name)?.caughtBy !== undefined);
    return `${found.length} of ${controls.length} harmless changes were given away${found.length > 0 ? ', so what gives faults away is not theirs alone' : ''}`;
  }
  const known = mutants.flatMap(({ name }) => results.get(name) ?? []);
  const caught = known.filter(({ caughtBy }) => caughtBy !== undefined);
  return `${caught.length} of ${known.length} faults caught; ${mutants.length - known.length} not tried`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function parseHealthy(text: string): number {
  return text === '0' ? 0 : parseCount(100_000)(text);
}
