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
  readonly seeds: number;
  readonly lastSeed: number | undefined;
  readonly seconds: number;
  /** The time was over before all seeds were lived. */
  readonly isCutShort: boolean;
}

/** A life that takes so long does not end. Milliseconds. */
const ENDLESS = 90_000;

/** Lives through seeds in a process of its own, in the tree at `directory`, until a promise is broken or the time is over. */
export async function pursue(
  directory: string,
  seeds: { readonly from: number; readonly to: number },
  limitSeconds: number,
): Promise<Pursuit> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=1024',
      join(directory, 'test/simulation/mutants/hunt.ts'),
      '--from',
      String(seeds.from),
      '--to',
      String(seeds.to),
    ],
    { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let last: Report | undefined;
  let lived = 0;
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
    lived++;
    clearTimeout(watchdog);
    watchdog = setTimeout(endless, ENDLESS);
  }
  const code = await closed;
  clearTimeout(watchdog);
  clearTimeout(limit);
  const seconds = (performance.now() - started) / 1000;
  const died = violationOfProcess(code, isEndless, isCutShort, errors);
  if (!died || last?.violation) {
    const invariants = last?.invariants ?? [];
    return { violation: last?.violation, invariants, seeds: lived, lastSeed: last?.seed, seconds, isCutShort };
  }
  const lastSeed = (last?.seed ?? seeds.from - 1) + 1;
  return { violation: died, invariants: [died.invariant], seeds: lived + 1, lastSeed, seconds, isCutShort };
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
