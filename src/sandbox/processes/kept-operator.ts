import type { Clock } from '../../clock.ts';
import type { Exit, SandboxProcess } from './processes.ts';

/** Between an end and the next start. Milliseconds. */
const PAUSE_MILLISECONDS = 1_000;
/** An operator that ends sooner than this was never of use. Milliseconds. */
const USEFUL_MILLISECONDS = 10_000;
/** So many that were of no use in a row are a fault that no start mends. */
const MOST_STARTS = 5;

/**
 * Keeps an operator running as a cluster would: one that ends, as it does when it loses its Lease because the apiserver
 * did not answer, is started again.
 *
 * @param options.onRestart told how one ended, before the next starts.
 * @returns the process as seen from outside: it has exited when it was stopped, or when it ended too often to be of use.
 */
export async function keepOperator(options: {
  readonly start: () => Promise<SandboxProcess>;
  readonly onRestart: (exit: Exit) => void;
  readonly clock: Clock;
  /** No more starts. */
  readonly signal: AbortSignal;
}): Promise<SandboxProcess> {
  const { start, onRestart, clock, signal } = options;
  const first = await start();
  let current = first;
  let stopped = false;

  async function keep(): Promise<Exit> {
    for (let useless = 0; ; ) {
      const startedAt = clock.monotonic();
      const exit = await current.exited;
      useless = clock.monotonic() - startedAt < USEFUL_MILLISECONDS ? useless + 1 : 0;
      if (stopped || signal.aborted || useless >= MOST_STARTS) return exit;
      onRestart(exit);
      await clock.sleep(PAUSE_MILLISECONDS, signal).catch(() => undefined);
      if (stopped || signal.aborted) return exit;
      current = await start();
    }
  }

  return {
    name: first.name,
    pid: first.pid,
    exited: keep(),
    async stop() {
      stopped = true;
      return current.stop();
    },
  };
}
