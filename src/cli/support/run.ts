import { timestamp } from '../../kubernetes/objects.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { harmless } from '../text/harmless.ts';
import { type BundleFile, collect } from './collect.ts';
import { readmeOf } from './readme.ts';

export interface SupportOptions extends ClusterFlags {
  /** Where to; undefined: a name with the time, in the working directory. */
  readonly out?: string | undefined;
  readonly operatorNamespace?: string | undefined;
  readonly logLines: number;
}

/** Makes the file that is asked for, and has it written. */
export interface BundleWriter {
  intoNewFile<T>(path: string, fill: (write: (bytes: Buffer) => Promise<void>) => Promise<T>): Promise<T>;
  archiveOf(folder: string, files: readonly BundleFile[], now: number): Promise<Buffer>;
}

/**
 * `edgeline support-bundle`: writes the file, and says on standard error what is not in it. Gives the exit code: 3 where
 * something could not be read. Throws `UsageError`, `KubeconfigError` and `ClusterError`.
 */
export async function runSupportBundle(
  options: SupportOptions,
  surroundings: CliSurroundings,
  writer: BundleWriter,
): Promise<0 | 3> {
  const { clock, out, err, version } = surroundings;
  const now = clock.now();
  const folder = `edgeline-support-${timestamp(now).replaceAll(/[-:]/g, '')}`;
  const path = options.out ?? `${folder}.tar.gz`;
  const session = await openSession(options, surroundings);
  try {
    // A cluster that does not answer at all is an error, and not a bundle of complaints.
    await session.read('/version');
    const { files, missing } = await writer.intoNewFile(path, async (write) => {
      const { logLines, operatorNamespace } = options;
      const bundle = await collect(session, { logLines, operatorNamespace, version, now });
      const readme = { path: 'README.md', text: readmeOf(bundle, { server: session.server, version, now }) };
      await write(await writer.archiveOf(folder, [readme, ...bundle.files], now));
      return bundle;
    });
    out.write(`${path}\n`);
    err.write(
      `${files.length} files. Look through them before you give them to anyone: names, IDs and ICCIDs are in them.\n`,
    );
    for (const { what, why } of missing) err.write(`not in it: ${harmless(what)}: ${harmless(why)}\n`);
    return missing.length === 0 ? 0 : 3;
  } finally {
    await session.close();
  }
}
