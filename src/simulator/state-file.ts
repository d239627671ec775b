import { readFile, rename, writeFile } from 'node:fs/promises';
import { EdgelineError, messageOf } from '../errors.ts';

const pause = 100;

/** The state file cannot be read or written. */
export class StateFileError extends EdgelineError {
  readonly code = 'StateFileUnusable';

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`the state file ${file}: ${reason}`, 'Give --state another file, or remove this one to start anew.', options);
  }
}

/** The JSON in the file; undefined when there is no file yet. */
export async function readStateFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StateFileError(file, messageOf(error), { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StateFileError(file, 'it is not JSON', { cause: error });
  }
}

export interface StateWriter {
  /** Has the file written soon. */
  changed(): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/**
 * Writes the state 100 ms after a change, whole and by rename, so that a crash leaves the old file or the new one. A large
 * state is written less often: the pause is at least five times what the last writing took.
 */
export function createStateWriter(
  file: string,
  content: () => unknown,
  onError: (error: unknown) => void,
): StateWriter {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let dirty = false;
  let lastTook = 0;

  async function write(): Promise<void> {
    dirty = false;
    const started = performance.now();
    const temporary = `${file}.${process.pid}.new`;
    await writeFile(temporary, JSON.stringify(content()), { mode: 0o600 });
    await rename(temporary, file);
    lastTook = performance.now() - started;
  }

  function flush(): void {
    timer = undefined;
    writing = writing.then(write).catch(onError);
  }

  return {
    changed() {
      dirty = true;
      timer ??= setTimeout(flush, Math.max(pause, 5 * lastTook));
    },
    async close() {
      clearTimeout(timer);
      await writing;
      if (dirty) await write();
    },
  };
}
