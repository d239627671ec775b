import { type ChildProcess, spawn } from 'node:child_process';
import { program } from '../../support/program.ts';

/** The operator as a process of its own, which can be killed. */
export interface OperatorProcess {
  /** Everything it has logged so far. */
  log(): string;
  /** Resolves with the exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Sends a signal and goes on. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>;
}

/** Starts `edgeline operator` without ports of its own. `environment` adds to this process's. */
export function startOperatorProcess(
  kubeconfig: string,
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): OperatorProcess {
  const output: Buffer[] = [];
  // The simulated service shows at once what was made; where it does not, a test says so.
  const nowhere = ['--health-listen', '0', '--metrics-listen', '0', '--shown-within', '1'];
  const child: ChildProcess = spawn(
    process.execPath,
    [program(), 'operator', '--kubeconfig', kubeconfig, ...nowhere, '--log-level', 'debug', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } },
  );
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const last = () => void child.kill('SIGKILL');
  process.once('exit', last);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      process.removeListener('exit', last);
      resolve(code);
    });
  });
  return {
    log: () => Buffer.concat(output).toString('utf8'),
    exited,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
