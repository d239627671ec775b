import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Clock } from '../../clock.ts';
import { startGuardian } from '../control-plane/guardian.ts';
import { ProcessNotStarted } from '../errors.ts';

/** How a process ended: with an exit code, or by a signal. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Where the output of a process goes: appended to a file, or to a function, one line at a time. */
type Output = { readonly file: string } | { readonly line: (line: string, stream: 'stdout' | 'stderr') => void };

export interface ProcessOptions {
  /** What people call it: `operator`, `simulator`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly output: Output;
  /** The whole environment; this process's own when absent. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Milliseconds between SIGTERM and SIGKILL, when it needs more than the others. */
  readonly graceMilliseconds?: number;
}

/** A process that was started and is being watched. */
export interface SandboxProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves, never rejects, when the process has ended and its output was read to the end. */
  readonly exited: Promise<Exit>;
  /** SIGTERM, and SIGKILL after the grace period; resolves when it has ended. Any number of calls. */
  stop(): Promise<Exit>;
}

/** The processes of one sandbox. */
export interface Processes {
  /** @throws {ProcessNotStarted} when the program isn't there or can't be run. */
  start(options: ProcessOptions): Promise<SandboxProcess>;
  /** Stops all that still run, the last started first: what others depend on is started early. */
  stopAll(): Promise<void>;
  /** SIGKILL for all that still run, at once and without waiting. */
  killAll(): void;
}

/**
 * Starts programs that don't outlive us. Each is a process group of its own: Ctrl-C reaches only us, so that we can stop
 * them in order, and its own children go with it. A process that's killed without a chance to clean up leaves
 * that to the guardian.
 *
 * @param options.graceMilliseconds between SIGTERM and SIGKILL; 5,000 when absent.
 */
export function createProcesses(options: { readonly clock: Clock; readonly graceMilliseconds?: number }): Processes {
  const { clock, graceMilliseconds = 5_000 } = options;
  const running: SandboxProcess[] = [];
  let guardian: ReturnType<typeof startGuardian> | undefined;

  async function start(what: ProcessOptions): Promise<SandboxProcess> {
    guardian ??= startGuardian(Math.ceil(graceMilliseconds / 1_000));
    const guard = guardian;
    const { child, outputRead } = await launch(what);
    const pid = child.pid;
    if (pid === undefined) throw notStarted(what, 'it has no process id');
    guard.add(pid);
    const exited = ended(child, outputRead).then((exit) => {
      guard.remove(pid);
      running.splice(running.indexOf(started), 1);
      return exit;
    });
    const started: SandboxProcess = {
      name: what.name,
      pid,
      exited,
      async stop() {
        if (!running.includes(started)) return exited;
        signalGroup(pid, 'SIGTERM');
        const calm = new AbortController();
        void clock.sleep(what.graceMilliseconds ?? graceMilliseconds, calm.signal).then(
          () => signalGroup(pid, 'SIGKILL'),
          () => {},
        );
        const exit = await exited;
        calm.abort();
        return exit;
      },
    };
    running.push(started);
    return started;
  }

  return {
    start,
    async stopAll() {
      for (const process of running.toReversed()) await process.stop();
    },
    killAll() {
      for (const { pid } of running) signalGroup(pid, 'SIGKILL');
    },
  };
}

/** Starts the program with its standard input held open until we end: for programs that watch it. */
async function launch(what: ProcessOptions): Promise<{ child: ChildProcess; outputRead: Promise<unknown> }> {
  const { output } = what;
  const file = 'file' in output ? openSync(output.file, 'a', 0o600) : undefined;
  try {
    const sink = file ?? 'pipe';
    const child = spawn(what.command, [...what.args], {
      detached: true,
      stdio: ['pipe', sink, sink],
      ...(what.env && { env: what.env }),
      ...(what.cwd !== undefined && { cwd: what.cwd }),
    });
    child.stdin?.on('error', () => {});
    const outputRead = 'line' in output ? readLines(child, output.line) : Promise.resolve();
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (cause) => reject(notStarted(what, cause.message, cause)));
    });
    return { child, outputRead };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readLines(child: ChildProcess, line: (line: string, stream: 'stdout' | 'stderr') => void): Promise<unknown> {
  return Promise.allSettled(
    (['stdout', 'stderr'] as const).map(async (stream) => {
      const input = child[stream];
      if (!input) return;
      for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) line(text, stream);
    }),
  );
}

async function ended(child: ChildProcess, outputRead: Promise<unknown>): Promise<Exit> {
  const exit = await new Promise<Exit>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve({ code: child.exitCode, signal: child.signalCode });
    } else {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    }
  });
  // A grandchild may hold the pipe; the group is about to be killed, so don't wait for its end here.
  if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  await outputRead;
  return exit;
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // The whole group is gone already, which is what was wanted.
  }
}

function notStarted(what: ProcessOptions, why: string, cause?: Error): ProcessNotStarted {
  return new ProcessNotStarted(
    `${what.name} could not be started: ${why}`,
    `Check that ${what.command} exists and can be run.`,
    cause && { cause },
  );
}
