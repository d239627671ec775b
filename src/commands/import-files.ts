import type { Stats } from 'node:fs';
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import { messageOf } from '../errors.ts';
import { codeOf, whyUnreadable } from '../file-errors.ts';
import { OutputRefused, StateUnreadable } from '../import/terraform/errors.ts';
import { outputFailed } from './end.ts';

/** Of a state. One of 10,000 SIMs has about 10 MB; more than this is no state, or more than one process should hold. */
const MOST_MEGABYTES = 256;
const MEGABYTE_BYTES = 1024 * 1024;

/** How Node ends what the system says: with a path that nobody typed. */
const SYSTEM_CALL = /, (?:access|open|mkdir|rename|write)\b/;

/** A file to be written. */
export interface Output {
  /** Made if it is not there. */
  readonly directory?: string;
  readonly name: string;
  readonly text: string | Uint8Array;
  readonly mode: number;
}

/**
 * The text of a file, or of stdin for `-`.
 *
 * @throws StateUnreadable if it can't be read, or is too large.
 */
export async function readInput(file: string): Promise<string> {
  try {
    const source = file === '-' ? process.stdin : (await open(file)).createReadStream();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of source) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > MOST_MEGABYTES * MEGABYTE_BYTES) throw tooLarge();
    }
    const all = Buffer.concat(chunks);
    // As PowerShell writes what a program prints.
    return all.toString(all[0] === 0xff && all[1] === 0xfe ? 'utf16le' : 'utf8');
  } catch (error) {
    if (error instanceof StateUnreadable) throw error;
    const { message, advice } = whyUnreadable(file, error);
    throw new StateUnreadable(message, advice, { cause: error });
  }
}

function tooLarge(): StateUnreadable {
  return new StateUnreadable(
    `The file is larger than ${MOST_MEGABYTES} MiB`,
    'If it is a state, move SIMs, gateways and sites into one of their own (terraform state mv -state-out=FILE) and give that.',
  );
}

/**
 * Before anything is written: nothing that is there is written over unless that was asked for, and the Secrets do not go
 * where the manifests go, from where they would be committed with them.
 *
 * @throws OutputRefused, and UsageError where the two paths cannot be meant
 */
export async function refuseTaken(
  outputs: readonly Output[],
  {
    out,
    secretsFile,
    force,
  }: { readonly out: string | undefined; readonly secretsFile: string | undefined; readonly force: boolean },
): Promise<void> {
  if (out !== undefined && secretsFile !== undefined && isInside(secretsFile, out)) {
    throw new UsageError(
      `${secretsFile} would be beside the manifests in ${out}, and be committed with them`,
      'Give --secrets a path outside of it.',
    );
  }
  const paths = outputs.map(pathOf);
  const seen = new Set<string>();
  const twice = paths.find((path) => seen.size === seen.add(resolve(path)).size);
  if (twice !== undefined) throw new OutputRefused(`${twice} is to hold two things`, 'Give each a path of its own.');
  if (out !== undefined) await refuseUnwritable(out);
  for (const path of paths) {
    const found = await statOf(path);
    if (found?.isDirectory()) throw new OutputRefused(`${path} is a directory`, 'Give the path of a file.');
    if (found && !force)
      throw new OutputRefused(`${path} is there already`, 'Choose another path, or write over it with --force.');
  }
  for (const { directory, name } of outputs) {
    // What goes among the manifests has its directory made for them.
    const isAmongThem = directory !== undefined || (out !== undefined && isInside(name, out));
    if (!isAmongThem) await refuseUnwritableFile(name);
  }
}

/** A directory that could not be made or written to costs no request of the service. */
async function refuseUnwritable(directory: string): Promise<void> {
  let nearest = resolve(directory);
  while (!(await statOf(nearest)) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  const shown = nearest === resolve(directory) ? directory : nearest;
  if (!(await statOf(nearest))?.isDirectory())
    throw new OutputRefused(`${shown} is a file`, 'Give --out a directory; it is made if it is not there.');
  await access(nearest, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw new OutputRefused(`nothing may be written into ${shown}`, 'Give --out a directory that you may write to.', {
      cause: error,
    });
  });
}

/** The directory of a file that was named is not made, so that it has to be there. */
async function refuseUnwritableFile(path: string): Promise<void> {
  await access(`${dirname(path)}/`, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw unwritten(path, error);
  });
}

function unwritten(path: string, error: unknown): OutputRefused {
  return new OutputRefused(
    `${path} cannot be written: ${messageOf(error).split(SYSTEM_CALL, 1)[0]}`,
    `Check that ${dirname(path)} is a directory that you may write to.`,
    { cause: error },
  );
}

/** Undefined where nothing is, or nothing can be seen: writing then says why. */
function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Writes each file whole: into a new one beside it, which then takes its place with its own mode. */
export async function writeOutputs(outputs: readonly Output[]): Promise<void> {
  for (const output of outputs) {
    const path = pathOf(output);
    const beside = `${path}.${process.pid}.new`;
    try {
      if (output.directory !== undefined) await makeDirectory(resolve(output.directory));
      const file = await open(beside, 'wx', output.mode);
      try {
        await file.writeFile(output.text);
      } finally {
        await file.close();
      }
      await rename(beside, path);
    } catch (error) {
      // Where there is no directory, there is nothing to remove either.
      await rm(beside, { force: true }).catch(() => undefined);
      throw unwritten(path, error);
    }
  }
}

/**
 * Makes a directory, and those above it. Node's own `recursive` never ends where a file system lets no directory be made
 * and calls that ENOENT, as /proc does.
 */
async function makeDirectory(directory: string): Promise<void> {
  if ((await statOf(directory))?.isDirectory() || dirname(directory) === directory) return;
  await makeDirectory(dirname(directory));
  await mkdir(directory).catch((error: unknown) => {
    // Another process has made it meanwhile.
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/** Resolves when the whole text is with whoever reads it, or nobody reads any more, as after `| head`. */
export function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((done, fail) => {
    const end = (error: NodeJS.ErrnoException | null | undefined) => {
      if (!error || error.code === 'EPIPE') return done();
      const { message, advice } = outputFailed(error);
      fail(new OutputRefused(message, advice, { cause: error }));
    };
    stream.once('error', end);
    stream.write(text, end);
  });
}

function pathOf({ directory, name }: Output): string {
  return directory === undefined ? name : join(directory, name);
}

function isInside(file: string, directory: string): boolean {
  const way = relative(resolve(directory), resolve(file));
  return way.split(sep)[0] !== '..';
}
