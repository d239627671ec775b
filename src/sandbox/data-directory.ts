import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../errors.ts';
import { SandboxFailed } from './errors.ts';
import { makeTemporary } from './temporary-directory.ts';

const ELSEWHERE = 'Set TMPDIR to a directory that you may write to, or choose one with --data-dir.';

/** Where one sandbox keeps its files. */
export interface DataDirectory {
  readonly path: string;
  /** It goes with the sandbox: nobody named it. */
  readonly temporary: boolean;
  /** The path of a file or directory in it. */
  file(name: string): string;
  /** Leaves it as the sandbox should: removed when temporary, free for the next one otherwise. */
  release(): void;
}

/**
 * Makes a temporary directory, or takes the one given for this process alone.
 *
 * @throws {SandboxFailed} when it can't be made or written to, or another sandbox is using it.
 */
export function openDataDirectory(given: string | undefined): DataDirectory {
  const temporary = given === undefined;
  const path = temporary ? makeTemporary('edgeline-sandbox-', SandboxFailed, ELSEWHERE) : resolve(given);
  const lock = join(path, 'sandbox.pid');
  if (!temporary) claim(path, lock);
  return {
    path,
    temporary,
    file: (name) => join(path, name),
    release() {
      rmSync(temporary ? path : lock, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function claim(path: string, lock: string): void {
  try {
    makeDirectory(path);
    const owner = ownerOf(lock);
    if (owner !== undefined) {
      throw new SandboxFailed(
        `The data directory ${path} is in use by the sandbox of process ${owner}`,
        'End that one, or choose another directory with --data-dir.',
      );
    }
    writeFileSync(lock, `${process.pid}\n`, { mode: 0o600 });
    // Keys and tokens will be in there.
    chmodSync(path, 0o700);
  } catch (error) {
    if (error instanceof SandboxFailed) throw error;
    throw new SandboxFailed(
      `The data directory ${path} can't be used: ${messageOf(error)}`,
      'Choose a directory that can be written to with --data-dir.',
      { cause: error },
    );
  }
}

/** As `mkdir -p`. Node's own recursive one never ends where the system answers ENOENT below what exists, as in /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  if (!existsSync(dirname(path))) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The process that holds the lock, if it still runs. */
function ownerOf(lock: string): number | undefined {
  let text: string;
  try {
    text = readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
  const pid = Number(text);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // Somebody else's process is one, too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? pid : undefined;
  }
}
