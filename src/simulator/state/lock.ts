import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import { StateFileError } from './error.ts';

/** Only one process at a time writes a state file: `<file>.lock` names it. */
export interface StateLock {
  /** Rejects with a `StateFileError` when the lock has become somebody else's. */
  verify(): Promise<void>;
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** When the process was started, as the machine counts it; empty where that cannot be told. */
  readonly started: string;
}

const heldHere = new Set<string>();
/** Milliseconds after which what should take microseconds was left behind by a process that died. */
const FORGOTTEN_MILLISECONDS = 10_000;

/**
 * Locks a state file. The lock of a process that is no more is taken over.
 *
 * @throws {StateFileError} when a process that lives has it.
 */
export function lockStateFile(file: string): StateLock {
  const path = `${file}.lock`;
  const own = JSON.stringify({ pid: process.pid, started: startOf(process.pid), id: randomUUID() });
  try {
    if (heldHere.has(path)) throw inUse(file, process.pid);
    if (!created(path, own)) takeOver(file, path, own);
  } catch (error) {
    if (error instanceof StateFileError) throw error;
    throw new StateFileError(file, `${path} cannot be written: ${messageOf(error)}`, undefined, { cause: error });
  }
  heldHere.add(path);
  return {
    async verify() {
      const now = await readFile(path, 'utf8').catch(() => undefined);
      // Somebody may have removed it: it is made again, unless another process was faster.
      if (now === own || (now === undefined && created(path, own))) return;
      throw new StateFileError(
        file,
        `${path} is no longer this process's`,
        'End one of the two simulators that use the file.',
      );
    },
    release() {
      heldHere.delete(path);
      if (textOf(path) === own) unlinkSync(path);
    },
  };
}

/** Replaces the lock of a dead process. Who wants to do that takes turns, or one would remove what another has just made. */
function takeOver(file: string, path: string, own: string): void {
  const turn = `${path}.takeover`;
  if (!created(turn, String(process.pid))) {
    if (!isForgotten(turn)) throw new StateFileError(file, 'another process is about to use it', 'Try again.');
    unlinkSync(turn);
    if (!created(turn, String(process.pid))) throw new StateFileError(file, 'another process is about to use it');
  }
  try {
    const holder = holderOf(path);
    if (holder ? lives(holder) : !isForgotten(path)) throw inUse(file, holder?.pid);
    unlinkSync(path);
    if (!created(path, own)) throw inUse(file, holderOf(path)?.pid);
  } finally {
    unlinkSync(turn);
  }
}

function inUse(file: string, pid: number | undefined): StateFileError {
  const who = pid === undefined ? 'another process' : `process ${pid}`;
  return new StateFileError(file, `${who} uses it`, 'End that process, or give --state another file.');
}

/** Makes the file; false when it is there already. */
function created(path: string, content: string): boolean {
  let handle: number;
  try {
    handle = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(handle, content);
  closeSync(handle);
  return true;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Who has the lock; undefined when it does not say. */
function holderOf(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(textOf(path) ?? '');
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined;
    return { pid: value.pid, started: 'started' in value && typeof value.started === 'string' ? value.started : '' };
  } catch {
    return undefined;
  }
}

function isForgotten(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs > FORGOTTEN_MILLISECONDS;
  } catch {
    return true;
  }
}

/** Whether it is still the process that took the lock. A number is given again, after a restart of the machine above all. */
function lives({ pid, started }: Holder): boolean {
  // What this process holds it knows; the same number in a file is that of one before it, as in a container.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now !== 'dead' && (now === '' || started === '' || now === started);
}

/** When a process was started: the machine's boot and the ticks since. `dead` when it waits to be reaped only. */
function startOf(pid: number): string {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return 'dead';
  return `${(textOf('/proc/sys/kernel/random/boot_id') ?? '').trim()}/${fields[19] ?? ''}`;
}
