import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { BundleFile } from '../cli/support/collect.ts';
import { refuseTaken, writeOutputs } from './import-files.ts';

/** For its owner alone to read. */
const MODE = 0o600;

/** Before anything is collected, so that nobody waits in vain. Throws `OutputRefused` where something is there, unless it is to be written over. */
export async function refuseTakenFile(path: string, force: boolean): Promise<void> {
  await refuseTaken([{ name: path, text: '', mode: MODE }], { out: undefined, secretsFile: undefined, force });
}

/** Files as a gzipped tar, below one folder. `now`: their time, milliseconds since the Unix epoch. Throws `OutputRefused`. */
export async function writeArchive(
  path: string,
  folder: string,
  files: readonly BundleFile[],
  now: number,
): Promise<void> {
  const tar = pack();
  for (const { path: name, text } of files)
    tar.entry({ name: `${folder}/${name}`, mode: MODE, mtime: new Date(now) }, text);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar.pipe(createGzip())) chunks.push(Buffer.from(chunk));
  await writeOutputs([{ name: path, text: Buffer.concat(chunks), mode: MODE }]);
}
