import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Order, Report } from './lives.ts';
import type { Outcome } from './outcome.ts';

/** Seeds a worker is given at a time: few, so that none is left with many when the others are done. */
const AT_A_TIME = 5;

/** Processes that live lives: the longer they live, the faster. */
export interface Workers {
  /**
   * Lives the seeds, each process the next that nobody has; resolves when all are lived or `isOver` says that it is enough.
   * A process that ends by itself fails the seed that it was at. One call at a time.
   */
  live(options: {
    readonly seeds: readonly number[];
    readonly isOver: () => boolean;
    readonly onOutcome: (outcome: Outcome) => void;
  }): Promise<void>;
  /** Ends them. */
  stop(): void;
}

export function createWorkers(count: number): Workers {
  const workers = new Map<number, ChildProcess>();

  function workerOf(place: number): ChildProcess {
    const known = workers.get(place);
    if (known) return known;
    const worker = forked();
    workers.set(place, worker);
    return worker;
  }

  return {
    async live({ seeds: all, isOver, onOutcome }) {
      let next = 0;

      function take(): number[] {
        if (isOver()) return [];
        const seeds = all.slice(next, next + AT_A_TIME);
        next += seeds.length;
        return seeds;
      }

      async function work(place: number): Promise<void> {
        for (let seeds = take(); seeds.length > 0; seeds = take()) {
          if (!(await order(workerOf(place), seeds))) workers.delete(place);
        }
      }

      /** False when the process ended meanwhile. */
      function order(worker: ChildProcess, seeds: readonly number[]): Promise<boolean> {
        let at = 0;
        return new Promise((resolve) => {
          const onMessage = (report: Report): void => {
            if (report === 'done') return over(true);
            at++;
            onOutcome(report.outcome);
            if (isOver()) worker.kill();
          };
          const onExit = (code: number | null, signal: string | null): void => {
            if (!isOver()) onOutcome(ended(seeds[at] ?? 0, code ?? signal));
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

      await Promise.all(Array.from({ length: count }, (_, place) => work(place)));
    },

    stop() {
      for (const worker of workers.values()) if (worker.connected) worker.disconnect();
      workers.clear();
    },
  };
}

function forked(): ChildProcess {
  return fork(join(import.meta.dirname, 'worker.ts'), {
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
}

function ended(seed: number, how: number | string | null): Outcome {
  const message = `it ended with ${how}, or is stuck`;
  return {
    seed,
    violations: [{ invariant: 'the process survives', message, at: 0 }],
    messages: 0,
    virtualMilliseconds: 0,
    coverage: {},
  };
}
