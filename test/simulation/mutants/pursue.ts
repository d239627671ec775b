import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Report } from './hunt.ts';

/** What became of a fault. */
export interface Pursuit {
  /** Undefined: none of the lives broke a promise. */
  readonly violation: Report['violation'];
  /** All the promises that the last life broke. */
  readonly invariants: readonly string[];
  /** How many lives it took. */
  readonly lives: number;
  readonly lastSeed: number | undefined;
  readonly seconds: number;
  /** The time was over before all seeds were lived. */
  readonly isCutShort: boolean;
}

/** What is to be lived through. */
export interface Hunt {
  /** The tree. */
  readonly directory: string;
  readonly from: number;
  readonly to: number;
  /** So many of the lives were lived before. */
  readonly after?: number;
  readonly limitSeconds: number;
  /** The name of the fault that is planted there. */
  readonly mutant?: string;
}

/** A life that takes so long does not end. Milliseconds. */
const ENDLESS = 45_000;

/** Lives through seeds in a process of its own until a promise is broken or the time is over. */
export async function pursue({ directory, from, to, after = 0, limitSeconds, mutant = '' }: Hunt): Promise<Pursuit> {
  const started = performance.now();
  const given = { from, to, after, mutant };
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=1024',
      join(directory, 'test/simulation/mutants/hunt.ts'),
      ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ],
    { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let last: Report | undefined;
  let lives = 0;
  let isEndless = false;
  let isCutShort = false;
  let errors = '';
  const endless = () => {
    isEndless = true;
    child.kill('SIGKILL');
  };
  let watchdog = setTimeout(endless, ENDLESS);
  const limit = setTimeout(() => {
    isCutShort = true;
    child.kill('SIGKILL');
  }, limitSeconds * 1000);
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-2000);
  });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- hunt.ts writes nothing else
    last = JSON.parse(line) as Report;
    if (last.begins) lives++;
    clearTimeout(watchdog);
    watchdog = setTimeout(endless, ENDLESS);
  }
  const code = await closed;
  clearTimeout(watchdog);
  clearTimeout(limit);
  const violation = last?.violation ?? violationOfProcess(code, isEndless, isCutShort, errors);
  return {
    violation,
    invariants: last?.invariants ?? (violation ? [violation.invariant] : []),
    lives,
    lastSeed: last?.seed,
    seconds: (performance.now() - started) / 1000,
    isCutShort: isCutShort && violation === undefined,
  };
}

/** A process that neither ended nor went on broke a promise, too. */
function violationOfProcess(
  code: number | null,
  isEndless: boolean,
  isCutShort: boolean,
  errors: string,
): Report['violation'] {
  if (isEndless) return { invariant: '(endless)', message: `a life had not ended after ${ENDLESS / 1000} s` };
  if (isCutShort || code === 0) return undefined;
  return { invariant: '(crashed)', message: `the process ended with ${code}: ${errors}` };
}
