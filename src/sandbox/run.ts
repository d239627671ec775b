import { join, resolve } from 'node:path';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { type Rotation, rotationLine, watchRotations } from './cluster/rotations.ts';
import { type DataDirectory, openDataDirectory } from './data-directory.ts';
import { hints } from './display/hints.ts';
import { explain, isReady, type Readiness, resultLine } from './display/readiness.ts';
import { createLiveTable } from './display/table.ts';
import { keepLooking, untilReady } from './display/watch-resources.ts';
import { SandboxEnded, SandboxFailed } from './errors.ts';
import { demoNamespace } from './names.ts';
import { packageRoot } from './package-root.ts';
import { listenForEnd } from './processes/ending.ts';
import { endOfLog } from './processes/operator-process.ts';
import { ownProgram } from './processes/own-program.ts';
import { createProcesses, type Exit } from './processes/processes.ts';
import { bringUp, type Session } from './session.ts';

/** How the sandbox runs; see `edgeline sandbox --help`. */
export interface SandboxOptions {
  /** End when all are Ready, or when the time is up. */
  readonly once: boolean;
  /** Seconds after the control plane is up until all must be Ready. */
  readonly timeoutSeconds: number;
  /** One line of JSON on standard output, everything for people on standard error. */
  readonly output: 'json' | undefined;
  readonly kubeconfig: string | undefined;
  readonly dataDir: string | undefined;
  /** A directory of manifests; those of the package when undefined. */
  readonly examples: string | undefined;
  /** Let cert-manager keep the examples' certificates, and show each renewal. */
  readonly certManager: boolean;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Runs the sandbox to its end: brings it up, shows how its resources become Ready, and takes it down again, whatever
 * happens in between.
 *
 * @returns the exit code.
 * @throws EdgelineError when a step failed, or not all became Ready in time.
 */
export async function runSandbox(options: SandboxOptions): Promise<number> {
  const { clock, random, once } = options;
  const { stdout, stderr, env } = process;
  const started = clock.monotonic();
  const secondsSince = (time: number) => (clock.monotonic() - time) / 1_000;
  const table = createLiveTable({ stream: options.output === 'json' ? stderr : stdout, env });
  const say = (...lines: string[]) => table.print(...lines);
  /** Below the table, which is not going to change any more, or not at once. */
  const sayBelow = (...lines: string[]) => {
    table.finish();
    say('', ...lines);
  };
  const result = (error?: string) => {
    if (options.output === 'json') stdout.write(`${resultLine(seen, secondsSince(started), error)}\n`);
  };

  const processes = createProcesses({ clock });
  const undo: (() => Promise<void>)[] = [];
  let directory: DataDirectory | undefined;
  let seen: readonly Readiness[] = [];
  let told = false;
  const ending = listenForEnd({
    clock,
    outputs: [stdout, stderr],
    onFirst: (why) => sayBelow(`Ending: ${why}. Another Ctrl-C ends it at once.`),
    onSecond(exitCode) {
      processes.killAll();
      directory?.release();
      process.exit(exitCode);
    },
  });
  const over = new AbortController();
  const signal = AbortSignal.any([ending.signal, over.signal]);

  async function takeDown(): Promise<unknown> {
    let failure: unknown;
    over.abort(new SandboxEnded('it is being taken down'));
    for (const step of undo.toReversed()) {
      await step().catch((error: unknown) => {
        failure ??= error;
      });
    }
    await processes.stopAll();
    directory?.release();
    return failure;
  }

  async function watch(session: Session): Promise<void> {
    const { place, watched, upAt } = session;
    const onLook = (now: readonly Readiness[]) => {
      seen = now;
      table.update(now);
    };
    if (options.certManager && !once) {
      const onRotation = (rotation: Rotation) => say(`${timeOfDay(clock.now())} ${rotationLine(rotation)}`);
      undo.push(watchRotations(place.cluster, { namespace: demoNamespace, clock, random, onRotation }));
    }
    const limit = upAt + options.timeoutSeconds * 1_000;
    await untilReady(place.cluster, watched, { clock, signal, deadline: limit, onLook });
    if (!seen.every(isReady)) {
      result();
      told = true;
      if (once) throw notReady(seen, session, options.timeoutSeconds);
      sayBelow(`After ${options.timeoutSeconds} s not all are Ready yet:`, ...explain(seen).map(indented), '');
      await untilReady(place.cluster, watched, { clock, signal, deadline: Number.POSITIVE_INFINITY, onLook });
    }
    const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
    sayBelow(
      `All ${seen.length} resources are Ready after ${seconds(clock.monotonic() - started)}` +
        ` (${seconds(upAt - started)} for the control plane).`,
    );
    if (!told) result();
    told = true;
    if (once) return;
    const { kubeconfig, kubectl } = place;
    const { operatorLog, statusPage, sim } = session;
    const { control } = session.simulator;
    say('', ...hints({ kubeconfig, kubectl, control, program: ownProgram(), operatorLog, statusPage, sim }));
    say('', 'Ctrl-C here ends the sandbox.');
    if (options.certManager) {
      say('', 'From here on, each certificate that cert-manager renews is told as it comes to its site:');
      await keepLooking(place.cluster, watched, { clock, signal, onLook });
    }
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
  }

  try {
    directory = openDataDirectory(options.dataDir);
    const session = await bringUp({
      kubeconfig: options.kubeconfig === undefined ? undefined : resolve(options.kubeconfig),
      examples: options.examples ?? join(packageRoot(), 'deploy', 'examples'),
      certManager: options.certManager,
      directory,
      processes,
      clock,
      random,
      signal,
      say,
      atEnd: (step) => undo.push(step),
    });
    await Promise.race([watch(session), anyEnds(session)]);
  } catch (error) {
    const wasReady = told && seen.every(isReady);
    if (!told) result(messageOf(error));
    const failure = await takeDown();
    // What was under way when the end was asked for failed because of it.
    if (!ending.signal.aborted) throw error;
    if (failure !== undefined) throw failure;
    // Whoever saw all Ready and then pressed Ctrl-C did what the sandbox said to do.
    return wasReady ? 0 : ending.exitCode();
  } finally {
    ending.dispose();
  }
  const failure = await takeDown();
  if (failure !== undefined) throw failure;
  return 0;
}

/** `14:05:09`, in the time of this machine. */
const timeOfDay = (now: number) => new Date(now).toTimeString().slice(0, 8);

const indented = (line: string) => `  ${line}`;

function notReady(seen: readonly Readiness[], { operatorLog }: Session, seconds: number): SandboxFailed {
  return new SandboxFailed(
    [
      `Not all resources were Ready within ${seconds} s:`,
      ...explain(seen).map(indented),
      'The operator’s last words:',
      endOfLog(operatorLog),
    ].join('\n'),
    'Correct what is named above, or give it more time with --timeout. With --data-dir the logs stay.',
  );
}

/** Rejects when a process the sandbox can't do without has ended by itself. */
async function anyEnds({ place, simulator, operator, operatorLog, ...session }: Session): Promise<never> {
  const named = async (name: string, exited: Promise<Exit>) => ({ name, ...(await exited) });
  const { name, code, signal } = await Promise.race([
    named('control plane', place.exited),
    named('simulator', simulator.process.exited),
    named('operator', operator.exited),
    ...(session.certManager ? [named('cert-manager', session.certManager.exited)] : []),
  ]);
  const logs: Record<string, string> = { operator: operatorLog, 'cert-manager': session.certManagerLog };
  const log = logs[name];
  throw new SandboxFailed(
    [
      `The ${name} ended unexpectedly (${signal ?? `exit code ${code}`})`,
      ...(log === undefined ? [] : ['Its last words:', endOfLog(log)]),
    ].join('\n'),
    'Start the sandbox again; with --data-dir the logs stay to look at.',
  );
}
