import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../src/sandbox/package-root.ts';

/** A run of `edgeline sandbox` from the bundle, with a directory for temporary files of its own. */
export interface SandboxRun {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when all is Ready, with the lines it prints for the second terminal. Rejects when it ends instead. */
  untilReady(): Promise<string>;
  /** Resolves with the exit code when it has ended. */
  readonly ended: Promise<number | null>;
  /** What is left of its temporary files. */
  filesLeft(): string[];
  /** The command lines of processes that were started by this run and still run. */
  processesLeft(): string[];
  /** The process of this run whose command line has these words; 0 when there is none. */
  pidOf(words: string): number;
  /** Kills what is left; for the end of a test. */
  dispose(): void;
}

/** Starts `edgeline sandbox` with these arguments, as `npm start` does. */
export function startSandbox(args: readonly string[]): SandboxRun {
  const bundle = join(packageRoot(), 'dist', 'edgeline.mjs');
  if (!existsSync(bundle)) throw new Error(`There is no ${bundle}: run \`npm run prepare\` first.`);
  const temporary = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  const child = spawn(process.execPath, [bundle, 'sandbox', ...args], {
    // Every process it starts inherits this variable, and can be told from those of other tests by it.
    env: { ...process.env, TMPDIR: temporary, EDGELINE_SANDBOX_TEST: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    async untilReady() {
      while (!output.stdout.includes('Ctrl-C here ends the sandbox.')) {
        const code = await Promise.race([ended, sleep(100, 'runs' as const)]);
        if (code !== 'runs') throw new Error(`the sandbox ended with ${code}: ${output.stderr}`);
      }
      const lines = output.stdout.split('\n').filter((line) => line.startsWith('  export '));
      return lines.join('\n');
    },
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    filesLeft: () => readdirSync(temporary),
    processesLeft: () => processesWith(`EDGELINE_SANDBOX_TEST=${temporary}`).map(({ command }) => command),
    pidOf: (words) =>
      processesWith(`EDGELINE_SANDBOX_TEST=${temporary}`).find(({ command }) => command.includes(words))?.pid ?? 0,
    dispose() {
      for (const { pid } of processesWith(`EDGELINE_SANDBOX_TEST=${temporary}`)) process.kill(pid, 'SIGKILL');
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** Processes with this line in their environment. The kernel tells of a process's own environment only where it shows /proc. */
function processesWith(variable: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const environment = read(`/proc/${pid}/environ`).split('\0');
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
      return environment.includes(variable) ? [{ pid: Number(pid), command }] : [];
    });
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
