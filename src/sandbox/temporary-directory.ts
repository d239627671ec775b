import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EdgelineError, messageOf } from '../errors.ts';

/** What helps where nobody can name another place. */
export const ROOM_OR_TMPDIR = 'Make room there, or set TMPDIR to a directory that you may write to.';

/** Makes a directory whose name begins so where temporary files go; throws a `Refused` with the advice where there can be none. */
export function makeTemporary(
  prefix: string,
  Refused: new (message: string, advice: string, options: ErrorOptions) => EdgelineError,
  advice: string,
): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, prefix));
  } catch (error) {
    throw new Refused(`No directory can be made in ${parent}: ${messageOf(error)}`, advice, { cause: error });
  }
}
