import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import { createProcesses, type ProcessOptions } from '../../../../src/sandbox/processes/processes.ts';

const processes = createProcesses({ clock: systemClock, graceMilliseconds: 300 });
let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'processes-'));
});
afterEach(() => processes.stopAll());
afterAll(() => rmSync(directory, { recursive: true }));

function shell(script: string, more: Partial<ProcessOptions> = {}): ProcessOptions {
  return { name: 'shell', command: '/bin/sh', args: ['-c', script], output: { line: () => {} }, ...more };
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a shell that prints one number, usually a process id, and goes on. */
async function startAndRead(script: string) {
  const printed = Promise.withResolvers<number>();
  const started = await processes.start(shell(script, { output: { line: (line) => printed.resolve(Number(line)) } }));
  return { started, number: await printed.promise };
}

async function gone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100 && alive(pid); attempt++) await sleep(50);
  return !alive(pid);
}

describe('a process of the sandbox', () => {
  it('tells its exit code, with every line of its output read', async () => {
    const lines: string[] = [];
    const started = await processes.start(
      shell('echo one; echo two >&2; printf three; exit 3', {
        output: { line: (line, stream) => lines.push(`${stream}: ${line}`) },
      }),
    );
    expect(await started.exited).toEqual({ code: 3, signal: null });
    expect(lines.sort()).toEqual(['stderr: two', 'stdout: one', 'stdout: three']);
  });

  it('appends its output to a file', async () => {
    const file = join(directory, 'log');
    for (const word of ['first', 'second']) {
      const started = await processes.start(shell(`echo ${word}`, { output: { file } }));
      await started.exited;
    }
    expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n');
  });

  it('ends on SIGTERM', async () => {
    const { started } = await startAndRead('echo 1; exec sleep 60');
    expect(await started.stop()).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('is killed after the grace period when it ignores SIGTERM', async () => {
    const { started } = await startAndRead('trap "" TERM; echo 1; while :; do sleep 0.05; done');
    expect(await started.stop()).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('takes its own children along', async () => {
    const { started, number: grandchild } = await startAndRead('sleep 60 & echo $!; wait');
    await started.stop();
    expect(await gone(grandchild)).toBe(true);
  });

  it('takes its own children along when it ends by itself', async () => {
    const { started, number: grandchild } = await startAndRead('sleep 60 & echo $!; exit 0');
    expect(await started.exited).toEqual({ code: 0, signal: null });
    expect(await gone(grandchild)).toBe(true);
  });

  it('that does not exist is an error that names it', async () => {
    const missing = { name: 'operator', command: '/does/not/exist', args: [], output: { line: () => {} } };
    await expect(processes.start(missing)).rejects.toMatchObject({
      code: 'ProcessNotStarted',
      message: 'operator could not be started: spawn /does/not/exist ENOENT',
    });
  });

  it('is stopped before those that were started earlier', async () => {
    const order: string[] = [];
    for (const name of ['control plane', 'simulator', 'operator']) {
      const { started } = await startAndRead('echo 1; exec sleep 60');
      void started.exited.then(() => order.push(name));
    }
    await processes.stopAll();
    expect(order).toEqual(['operator', 'simulator', 'control plane']);
  });

  it('ends with us even when we are killed', async () => {
    const source = join(import.meta.dirname, '../../../../src');
    const parent = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { systemClock } from '${source}/clock.ts';
         import { createProcesses } from '${source}/sandbox/processes/processes.ts';
         const processes = createProcesses({ clock: systemClock, graceMilliseconds: 1_000 });
         const short = await processes.start({ name: 'short', command: '/bin/sh', args: ['-c', ':'], output: { line: () => {} } });
         await short.exited;
         const long = await processes.start({ name: 'long', command: '/bin/sleep', args: ['60'], output: { line: () => {} } });
         console.log(long.pid);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const child = await new Promise<number>((resolve) => {
      createInterface({ input: parent.stdout }).once('line', (line) => resolve(Number(line)));
    });
    expect(alive(child)).toBe(true);
    parent.kill('SIGKILL');
    expect(await gone(child)).toBe(true);
  });
});
