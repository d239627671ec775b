import { constants } from 'node:os';
import type { Clock } from '../../clock.ts';
import { SandboxEnded } from '../errors.ts';

/**
 * npm passes on a Ctrl-C that the terminal has delivered already: a second signal within this time (milliseconds) is the
 * same key pressed once.
 */
const ECHO_MILLISECONDS = 1_000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What the process is asked by its surroundings: to end, or to end at once. */
export interface Ending {
  /** Aborted, with a `SandboxEnded`, when the sandbox shall end. */
  readonly signal: AbortSignal;
  /** What a shell expects of a process that ended for this reason: 128 and the number of the signal. */
  exitCode(): number;
  /** Stops listening: the next signal ends the process as it would any other. */
  dispose(): void;
}

/**
 * Listens for the first Ctrl-C (SIGTERM, a terminal that closes, an output nobody reads), which asks for an end in order,
 * and for the second, which doesn't wait for it.
 *
 * @param options.onSecond must end the process, without waiting for anything.
 */
export function listenForEnd(options: {
  readonly clock: Clock;
  readonly outputs: readonly NodeJS.WriteStream[];
  readonly onFirst: (why: string) => void;
  readonly onSecond: (exitCode: number) => void;
}): Ending {
  const { clock, outputs } = options;
  const controller = new AbortController();
  let since: number | undefined;
  let exitCode = 0;

  function end(why: string, code: number): void {
    since = clock.monotonic();
    exitCode = code;
    controller.abort(new SandboxEnded(why));
    options.onFirst(why);
  }
  function onSignal(name: NodeJS.Signals): void {
    const code = 128 + constants.signals[name];
    if (since === undefined) end(name === 'SIGINT' ? 'Ctrl-C' : name, code);
    else if (clock.monotonic() - since > ECHO_MILLISECONDS) options.onSecond(code);
  }
  function onOutputError(): void {
    // Whoever read it has gone, as `head` does: what is written from now on is lost, and that's fine.
    if (since === undefined) end('nobody reads the output any more', 128 + constants.signals.SIGPIPE);
  }

  for (const name of signals) process.on(name, onSignal);
  for (const output of outputs) output.on('error', onOutputError);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    dispose() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
