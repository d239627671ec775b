import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../clock.ts';

/** A lock that isn't touched for this long (milliseconds) belongs to a process that is gone. */
const STALE_MILLISECONDS = 15_000;
const HEARTBEAT_MILLISECONDS = 2_000;
const RETRY_MILLISECONDS = 500;

/**
 * Runs `work` while holding a lock file, so that of several processes one works and the others wait. The holder touches
 * the file every two seconds; a process id would say nothing across containers that share the directory. Should two ever
 * hold it, work is done twice, nothing else: `work` must be safe to do twice.
 *
 * @param options.onWait called once when another process holds the lock, with what it wrote there.
 * @param options.signal stops waiting.
 */
export async function withBuildLock<T>(
  path: string,
  options: {
    readonly clock: Clock;
    readonly holder: string;
    readonly onWait: (holder: string) => void;
    readonly signal?: AbortSignal;
  },
  work: () => Promise<T>,
): Promise<T> {
  const { clock, signal } = options;
  let holding = false;
  // It also keeps the process alive while it waits: the clock's sleep doesn't.
  const beat = setInterval(() => holding && touch(path, clock), HEARTBEAT_MILLISECONDS);
  try {
    for (let waited = false; !take(path, options.holder); waited = true) {
      if (age(path, clock) > STALE_MILLISECONDS) {
        rmSync(path, { force: true });
        continue;
      }
      if (!waited) options.onWait(holderOf(path));
      await clock.sleep(RETRY_MILLISECONDS, signal);
    }
    holding = true;
    return await work();
  } finally {
    clearInterval(beat);
    if (holding) rmSync(path, { force: true });
  }
}

function take(path: string, holder: string): boolean {
  try {
    writeFileSync(path, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Milliseconds since the lock was last touched; 0 when it has just gone, for then it's time to try again. */
function age(path: string, clock: Clock): number {
  try {
    return clock.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function holderOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function touch(path: string, clock: Clock): void {
  const seconds = clock.now() / 1_000;
  try {
    utimesSync(path, seconds, seconds);
  } catch {
    // Someone took it for stale and removed it: work may be done twice, which is harmless.
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
