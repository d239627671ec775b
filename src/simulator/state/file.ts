import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { messageOf } from '../../errors.ts';
import { StateFileError } from './error.ts';

/**
 * A state file is lines of JSON: a snapshot first, then what has changed since, a line a commit. Those begin with their
 * checksum, so that one that was cut off is told from one that is whole.
 */
export interface StoredState {
  readonly snapshot: unknown;
  /** Oldest first. */
  readonly entries: readonly unknown[];
}

const CHECKSUM_CHARACTERS = 8;

/** The line that holds the snapshot. */
export function snapshotLine(snapshot: unknown): string {
  return `${JSON.stringify(snapshot)}\n`;
}

/** The line that holds what has changed. */
export function entryLine(entry: unknown): string {
  const text = JSON.stringify(entry);
  return `${checksum(text)} ${text}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_CHARACTERS, '0');
}

/** What the file holds; undefined when there is none yet. Throws `StateFileError` when it is damaged. */
export async function readStateFile(file: string): Promise<StoredState | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StateFileError(file, messageOf(error), undefined, { cause: error });
  }
  const [first = '', ...lines] = text.split('\n');
  // What follows the last newline was never finished, so nobody was told of it. The snapshot is put in place whole.
  lines.pop();
  const snapshot = parsed(first);
  if (snapshot === undefined) throw new StateFileError(file, 'it is not JSON');
  const entries = lines.map(entryOf);
  const broken = entries.indexOf(undefined);
  const whole = broken < 0 ? entries : entries.slice(0, broken);
  // A line that was cut off is the last one; another one was damaged later.
  if (broken >= 0 && entries.slice(broken).some((entry) => entry !== undefined)) {
    throw new StateFileError(file, `line ${broken + 2} is damaged`);
  }
  return { snapshot, entries: whole };
}

function entryOf(line: string): unknown {
  const text = line.slice(CHECKSUM_CHARACTERS + 1);
  return line.slice(0, CHECKSUM_CHARACTERS) === checksum(text) ? parsed(text) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
