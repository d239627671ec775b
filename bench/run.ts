import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, comparisonTable } from './compare.ts';
import { type BenchResults, resultsDocument } from './document.ts';
import type { SimFigures } from './sims.ts';

/**
 * Runs the benchmarks one after another, each in a process of its own, and writes bench/results.md.
 * `npm run bench -- --sims 1000,3000 --json new.json --compare old.json`
 */
const { values } = parseArgs({
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

const earlier = values.compare === undefined ? undefined : await read(values.compare);
const results = values.measured === undefined ? measure() : await read(values.measured);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(results, undefined, 2)}\n`);
if (values.measured === undefined) {
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

async function read(file: string): Promise<BenchResults> {
  return JSON.parse(await readFile(file, 'utf8'));
}
