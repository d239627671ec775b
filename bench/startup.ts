import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Measures how long commands take that a person waits for, beside kubectl: the median of `RUNS`, wall clock and CPU. Against the
 * cluster of KUBECONFIG, which should have no objects of Edgeline. `node bench/startup.ts`
 */
const RUNS = 15;

const bundle = join(import.meta.dirname, '..', 'dist', 'edgeline.mjs');
const commands: readonly (readonly [string, readonly string[]])[] = [
  [process.execPath, [bundle, '--help']],
  [process.execPath, [bundle, '__complete', 'status', '--']],
  [process.execPath, [bundle, 'status', '-n', 'default']],
  ['kubectl', ['version', '--client']],
  ['kubectl', ['get', 'sims', '-n', 'default']],
];

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

for (const [program, args] of commands) {
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const startedAt = performance.now();
    // In a shell that waits, so that the CPU of the child is counted before the next begins.
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'TIMEFORMAT="%U %S"; time "$@" > /dev/null', 'bash', program, ...args],
      {
        encoding: 'utf8',
      },
    );
    wall.push(performance.now() - startedAt);
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
    const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
    cpu.push((user + system) * 1000);
  }
  const name = program === 'kubectl' ? 'kubectl' : 'edgeline';
  const words = args.filter((word) => word !== bundle);
  console.log(`${[name, ...words].join(' ')}: ${Math.round(median(wall))} ms, of CPU ${Math.round(median(cpu))} ms`);
}
