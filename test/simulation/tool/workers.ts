import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Order, Report } from './lives.ts';
import type { Outcome } from './outcome.ts';

/** Seeds a worker is given at a time. */
const AT_A_TIME = 20;

/**
 * Lives the seeds in so many processes, each on the next that nobody has; resolves when all are lived or `isOver` says
 * that it is enough. A process that ends by itself fails the seed that it was at.
 */
export async function liveAll(options: {
  readonly seeds: readonly number[];
  readonly workers: number;
  readonly isOver: () => boolean;
  readonly onOutcome: (outcome: Outcome) => void;
}): Promise<void> {
  let next = 0;

  function take(): number[] {
    if (options.isOver()) return [];
    const seeds = options.seeds.slice(next, next + AT_A_TIME);
    next += seeds.length;
    return seeds;
  }

  async function work(): Promise<void> {
    let worker: ChildProcess | undefined;
    for (let seeds = take(); seeds.length > 0; seeds = take()) {
      worker ??= fork(join(import.meta.dirname, 'worker.ts'), {
        execArgv: [
          // Lives leave much behind: with more room it is collected more rarely. What is young is to fit into the caches.
          '--max-old-space-size=1024',
          '--initial-old-space-size=512',
          '--max-semi-space-size=32',
          '--min-semi-space-size=32',
          // There is a worker a core: threads that help one to collect take the time of the others.
          '--single-threaded-gc',
          // Much code runs, each part a little: there is more to interpret than would ever be hot.
          '--always-sparkplug',
        ],
      });
      if (!(await live(worker, seeds))) worker = undefined;
    }
    worker?.disconnect();
  }

  /** False when the process ended meanwhile. */
  function live(worker: ChildProcess, seeds: readonly number[]): Promise<boolean> {
    let at = 0;
    return new Promise((resolve) => {
      const onMessage = (report: Report): void => {
        if (report === 'done') return over(true);
        at++;
        options.onOutcome(report.outcome);
        if (!options.isOver()) return;
        worker.kill();
      };
      const onExit = (code: number | null, signal: string | null): void => {
        if (!options.isOver()) {
          options.onOutcome({
            seed: seeds[at] ?? 0,
            violations: [
              { invariant: 'the process survives', message: `it ended with ${code ?? signal}, or is stuck`, at: 0 },
            ],
            messages: 0,
            virtualMilliseconds: 0,
            coverage: {},
          });
        }
        over(false);
      };
      const over = (isAlive: boolean): void => {
        worker.off('message', onMessage);
        worker.off('exit', onExit);
        resolve(isAlive);
      };
      worker.on('message', onMessage);
      worker.once('exit', onExit);
      worker.send({ seeds } satisfies Order);
    });
  }

  await Promise.all(Array.from({ length: options.workers }, work));
}
