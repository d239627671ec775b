import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from './all.ts';
import { controls } from './controls.ts';
import type { Mutant } from './mutant.ts';
import { type Pursuit, pursue } from './pursue.ts';
import { type Result, tableOf } from './table.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/*
 * npm run mutants -- [NAME…] [--seeds 1-2000] [--workers 2] [--minutes 4] [--healthy 200] [--again] [--control]
 *
 * Plants each fault in a copy of the sources, and lives through seeds until a promise is broken that is kept without it.
 * NAME: only these faults, or those whose file begins so; --minutes: the time for one of them; --healthy: so many seeds
 * are lived through without a fault first; --again: also those that results.json has.
 * --control: instead of the faults, the harmless changes of controls.ts, which nothing must give away.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = (name: string) => join(root, 'test/simulation/mutants', name);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1-2000' },
    workers: { type: 'string', default: '2' },
    minutes: { type: 'string', default: '4' },
    healthy: { type: 'string', default: '200' },
    again: { type: 'boolean', default: false },
    control: { type: 'boolean', default: false },
  },
});

const [from = 1, to = 2000] = values.seeds.split('-').map(Number);
const limitSeconds = Number(values.minutes) * 60;
const results = new Map<string, Result>(readResults().map((result) => [result.name, result]));
const isMeant = ({ name, file }: Mutant) =>
  positionals.length === 0 || positionals.some((one) => one === name || file.startsWith(one));
const planted = values.control ? controls : mutants;
const meantByNone = positionals.filter(
  (one) => !planted.some(({ name, file }) => name === one || file.startsWith(one)),
);
if (meantByNone.length > 0) fail(`no fault has the name ${meantByNone.join(', ')}, nor a file that begins so`);
if (![from, to, limitSeconds, Number(values.workers), Number(values.healthy)].every((one) => one >= 0)) {
  fail('write numbers, such as --seeds 1-2000 --minutes 4 --workers 2 --healthy 200');
}
const queue = planted.filter(
  (mutant) => isMeant(mutant) && (values.again || values.control || !results.has(mutant.name)),
);
/** Whether a life without a fault keeps all promises, by seed. */
const healthy = new Map<number, Promise<boolean>>();

const sound = await createWorkspace(root);
const workspaces = await Promise.all(Array.from({ length: Number(values.workers) }, () => createWorkspace(root)));
try {
  await begin();
  await Promise.all(workspaces.map(work));
} finally {
  await Promise.all([sound, ...workspaces].map((workspace) => workspace.remove()));
}
say(summary());
if (values.control && controls.some(({ name }) => results.get(name)?.caughtBy !== undefined)) process.exitCode = 1;

async function begin(): Promise<void> {
  const last = Math.min(to, from + Number(values.healthy) - 1);
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

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(2);
}
