import { open, rm } from 'node:fs/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import { UsageError } from '../cli/errors.ts';
import type { BundleFile } from '../cli/support/collect.ts';
import { messageOf } from '../errors.ts';

/** For its owner alone to read. */
const MODE = 0o600;

/**
 * Makes the file before anything is collected, so that nobody waits in vain, and removes it where nothing was. Throws
 * `UsageError` where it cannot be made.
 */
export async function intoNewFile<T>(
  path: string,
  fill: (write: (bytes: Buffer) => Promise<void>) => Promise<T>,
): Promise<T> {
  const file = await open(path, 'wx', MODE).catch((error: unknown) => {
    throw new UsageError(
      `${path} cannot be written: ${messageOf(error)}`,
      'Choose a path with --out where you may write, and where nothing is yet.',
    );
  });
  let isWhole = false;
  try {
    const filled = await fill((bytes) => file.writeFile(bytes));
    isWhole = true;
    return filled;
  } finally {
    await file.close();
    if (!isWhole) await rm(path, { force: true });
  }
}

/** Files as a gzipped tar, below one folder. `now`: their time, milliseconds since the Unix epoch. */
export async function archiveOf(folder: string, files: readonly BundleFile[], now: number): Promise<Buffer> {
  const tar = pack();
  for (const { path, text } of files) tar.entry({ name: `${folder}/${path}`, mode: MODE, mtime: new Date(now) }, text);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar.pipe(createGzip())) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
