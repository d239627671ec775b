import { execFileSync } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../src/errors.ts';
import { compare, comparisonTable } from './compare.ts';
import { type BenchResults, resultsDocument } from './document.ts';
import type { SimFigures } from './sims.ts';

/**
 * Runs the benchmarks one after another, each in a process of its own, and writes bench/results.md.
 * `npm run bench -- --sims 1000,3000 --json new.json --compare old.json`
 */
const { values } = asked();

function asked() {
  try {
    return parseArgs({
      options: {
        sims: { type: 'string', default: '1000,3000' },
        steady: { type: 'string', default: '125' },
        /** Where the figures go, for `--compare` later. */
        json: { type: 'string' },
        /** Figures of an earlier run, beside which these are shown: what is worse comes first. */
        compare: { type: 'string' },
        /** Figures of a run that is over, instead of one now; bench/results.md stays as it is. */
        measured: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(
      `${messageOf(error)}\nusage: npm run bench -- [--sims 1000,3000] [--steady SECONDS] [--json FILE] [--compare FILE] [--measured FILE]`,
    );
    process.exit(2);
  }
}

// What can't be read or written is told before a quarter of an hour of measuring.
const [earlier, measured] = await Promise.all([read('compare'), read('measured')]);
if (values.json !== undefined) {
  await open(values.json, 'a').then((file) => file.close(), refuse('json', 'name a file in a directory that is there'));
}
const results = measured ?? measure();
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
if (!measured) {
  const document = resultsDocument(results);
  await writeFile(join(import.meta.dirname, 'results.md'), document);
  console.log(document);
}
if (earlier) {
  const on = ({ taken }: BenchResults) => `${taken.on}, ${taken.cores} × ${taken.cpu}, Node ${taken.node}`;
  console.log(`before: ${on(earlier)}\nnow:    ${on(results)}\n\n${comparisonTable(compare(earlier, results))}`);
}

function measure(): BenchResults {
  return {
    taken: {
      on: new Date().toISOString().slice(0, 10),
      cores: cpus().length,
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      node: process.versions.node,
    },
    runs: values.sims
      .split(',')
      .map((count): SimFigures => JSON.parse(printed('sims.ts', ['--sims', count, '--steady', values.steady]))),
    rotation: JSON.parse(printed('rotation.ts', [])),
    cost: JSON.parse(printed('cost.ts', [])),
    // With as many as there are at most: a list takes the longer the more there are.
    failover: JSON.parse(printed('failover.ts', ['--sims', String(Math.max(...values.sims.split(',').map(Number)))])),
  };
}

/** What a benchmark prints, in a process of its own. */
function printed(file: string, args: readonly string[]): string {
  console.error(`measuring: ${[file, ...args].join(' ')}`);
  return execFileSync(process.execPath, [join(import.meta.dirname, file), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function read(flag: 'compare' | 'measured'): Promise<BenchResults | undefined> {
  const file = values[flag];
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').then(JSON.parse).catch(refuse(flag, 'name a file that --json has written'));
}

function refuse(flag: 'compare' | 'measured' | 'json', advice: string): (error: unknown) => never {
  return (error) => {
    console.error(`--${flag} ${values[flag]}: ${messageOf(error)}; ${advice}`);
    process.exit(1);
  };
}
