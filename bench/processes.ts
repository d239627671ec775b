import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A process under measurement. */
export interface Measured {
  readonly pid: number;
  /** Lines of its standard output, as they come. */
  readonly lines: AsyncIterator<string>;
  /** Reads its output to its end: who writes into a pipe that nobody reads waits for ever once it is full. */
  ignoreOutput(): Promise<void>;
  /** CPU seconds used so far, user and system. */
  cpuSeconds(): Promise<number>;
  /** Resident memory now and at most, megabytes. */
  memory(): Promise<{ rss: number; peak: number }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const TICKS_PER_SECOND = 100;

/** Starts a process whose resources can be read; Linux only, for it reads /proc. */
export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Measured {
  const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const { pid, stdout } = child;
  if (pid === undefined || !stdout) throw new Error(`${command} did not start`);
  process.once('exit', () => child.kill('SIGKILL'));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    pid,
    lines,
    async ignoreOutput() {
      while (!(await lines.next()).done);
    },
    async cpuSeconds() {
      return cpuSecondsOf(pid);
    },
    memory: () => memoryOf(pid),
    async kill(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}

/** Resident memory of any process now and at most, megabytes. */
export async function memoryOf(pid: number): Promise<{ rss: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { rss: kilobytes('VmRSS') / 1024, peak: kilobytes('VmHWM') / 1024 };
}

/** CPU seconds of any process, user and system. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
