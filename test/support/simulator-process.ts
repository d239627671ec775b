import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';

const command = resolve('src/commands/simulator.ts');
const script = `import { simulatorCommand } from ${JSON.stringify(command)}; await simulatorCommand().parseAsync();`;

/** A simulator as its users start it: a process that can be ended at any moment. */
export interface SpawnedSimulator {
  readonly baseURL: string;
  readonly control: string;
  readonly ca: string;
  readonly pid: number;
  /** How it ended, with the end of what it said; undefined while it lives. */
  ended(): string | undefined;
  /** What it has said on standard error so far. */
  said(): string;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the command on free ports; rejects when it ends before it is ready, with what it said. */
export async function spawnSimulator(flags: readonly string[] = []): Promise<SpawnedSimulator> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, '--', '--listen=127.0.0.1:0', '--control=127.0.0.1:0', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [stdout, stderr] = ['', ''];
  let ended: string | undefined;
  const exited = new Promise<void>((resolve) =>
    child.once('close', (code, signal) => {
      ended = `${signal ?? `code ${code}`}: ${stderr.slice(-2_000)}`;
      resolve();
    }),
  );
  child.stderr?.on('data', (data) => (stderr += String(data)));
  const ready = new Promise<void>((resolve) =>
    child.stdout?.on('data', (data) => {
      stdout += String(data);
      if (stdout.includes('\n')) resolve();
    }),
  );
  await Promise.race([ready, exited]);
  const { pid } = child;
  if (ended !== undefined || pid === undefined) throw new Error(`the simulator did not start: ${ended ?? ''}`);
  const { baseURL, control, ca }: Pick<SpawnedSimulator, 'baseURL' | 'control' | 'ca'> = JSON.parse(stdout);
  return {
    baseURL,
    control,
    ca,
    pid,
    ended: () => ended,
    said: () => stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await exited;
    },
  };
}
