import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffDelay } from '../../backoff.ts';
import { messageOf } from '../../errors.ts';
import { StateFileError } from './error.ts';
import { entryLine, snapshotLine } from './file.ts';
import type { StateLock } from './lock.ts';

const SMALLEST_REWRITTEN_BYTES = 1_048_576;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 2_000;
/** So many attempts are made before those who wait are told. */
const PATIENCE_ATTEMPTS = 3;

/** Writes what has changed to the state file. */
export interface Journal {
  /** Takes an entry to be written; `settled` tells when it is. */
  append(entry: unknown): void;
  /** Has the file written anew from the snapshot. */
  rewrite(): void;
  /**
   * Resolves when all that was given so far is on the disk, rejects with a `StateFileError` when that has failed for a while;
   * undefined when it is on the disk already.
   */
  settled(): Promise<void> | undefined;
  /** Writes the file anew and closes it. Rejects with a `StateFileError`. */
  close(): Promise<void>;
}

/**
 * The journal of a state file. Entries that come while others are written go together, with one `fsync`. Once the file is
 * more than twice as large as the snapshot in it, and larger than a MiB, it is written anew. What fails is told and tried
 * again until it works.
 */
export function createJournal(options: {
  readonly file: string;
  readonly lock: StateLock;
  /** The state at this moment: with all that was appended before. */
  readonly snapshot: () => unknown;
  readonly tell: (message: string) => void;
}): Journal {
  const { file, lock, tell } = options;
  let handle: FileHandle | undefined;
  let size = 0;
  let snapshotSize = 0;
  let whole = false;
  let running: Promise<void> | undefined;
  let closed = false;
  // What an attempt takes is at the front of both; what comes meanwhile is behind it.
  const lines: string[] = [];
  const waiters: PromiseWithResolvers<void>[] = [];

  async function work(): Promise<void> {
    let failures = 0;
    while (lines.length > 0 || whole || waiters.length > 0) {
      const [taken, served] = [lines.length, waiters.length];
      try {
        if (!(await write(lines.slice(0, taken)))) continue;
      } catch (error) {
        failures++;
        const problem = problemOf(file, error);
        if (failures === 1) tell(`${problem.message}; it is tried again`);
        if (failures >= PATIENCE_ATTEMPTS) for (const waiter of waiters.splice(0)) waiter.reject(problem);
        if (failures >= PATIENCE_ATTEMPTS && closed) {
          lines.length = 0;
          whole = false;
          return;
        }
        // The disk lives by the machine's time, and what is not written yet keeps the process alive.
        await sleep(backoffDelay(FIRST_PAUSE_MILLISECONDS, failures - 1, LONGEST_PAUSE_MILLISECONDS));
        continue;
      }
      lines.splice(0, taken);
      for (const waiter of waiters.splice(0, served)) waiter.resolve();
      if (failures > 0) tell(`the state file ${file} is written again`);
      failures = 0;
    }
  }

  function start(): void {
    running ??= work().finally(() => {
      running = undefined;
      // Something may have come between the last look and this one.
      if (lines.length > 0 || whole || waiters.length > 0) start();
    });
  }

  /** Writes what was taken, as lines or within the whole; false when the whole has to be written and a look taken anew. */
  async function write(texts: readonly string[]): Promise<boolean> {
    if (whole || !handle || size > Math.max(SMALLEST_REWRITTEN_BYTES, 2 * snapshotSize)) {
      await writeWhole();
      return true;
    }
    if (texts.length === 0) return true;
    if (!(await isInPlace())) {
      whole = true;
      return false;
    }
    await lock.verify();
    const bytes = Buffer.from(texts.join(''));
    await writeAt(handle, bytes, size);
    await handle.datasync();
    size += bytes.length;
    return true;
  }

  /** Whether the file that is open is the one of this name. Somebody may have removed it. */
  async function isInPlace(): Promise<boolean> {
    const [named, opened] = await Promise.all([stat(file).catch(() => undefined), handle?.stat()]);
    return named !== undefined && named.ino === opened?.ino;
  }

  async function writeWhole(): Promise<void> {
    // The snapshot has what the entries say that wait now; the caller takes no others.
    const bytes = Buffer.from(snapshotLine(options.snapshot()));
    whole = false;
    try {
      await lock.verify();
      const temporary = `${file}.new`;
      const made = await open(temporary, 'w', 0o600);
      try {
        await writeAt(made, bytes, 0);
        await made.datasync();
        await rename(temporary, file);
      } catch (error) {
        await made.close();
        throw error;
      }
      await handle?.close();
      handle = made;
      size = bytes.length;
      snapshotSize = size;
      await syncFolder(dirname(file));
    } catch (error) {
      whole = true;
      throw error;
    }
  }

  return {
    append(entry) {
      lines.push(entryLine(entry));
      start();
    },
    rewrite() {
      whole = true;
      start();
    },
    settled() {
      if (!running) return undefined;
      const waiter = Promise.withResolvers<void>();
      waiters.push(waiter);
      return waiter.promise;
    },
    async close() {
      closed = true;
      whole = true;
      start();
      const waiter = Promise.withResolvers<void>();
      waiters.push(waiter);
      try {
        await waiter.promise;
      } finally {
        await handle?.close();
        handle = undefined;
      }
    },
  };
}

function problemOf(file: string, error: unknown): StateFileError {
  if (error instanceof StateFileError) return error;
  return new StateFileError(file, `it cannot be written: ${messageOf(error)}`, undefined, { cause: error });
}

async function writeAt(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

/** Has the name of the file on the disk too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
