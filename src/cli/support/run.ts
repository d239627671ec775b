import { timestamp } from '../../kubernetes/objects.ts';
import { refuseNowhere } from '../nowhere.ts';
import { type CliSurroundings, type ClusterFlags, openSession } from '../session.ts';
import { harmless } from '../text/harmless.ts';
import { type BundleFile, collect } from './collect.ts';
import { readmeOf } from './readme.ts';

export interface SupportOptions extends ClusterFlags {
  /** Where to; undefined: a name with the time, in the working directory. */
  readonly out?: string | undefined;
  readonly operatorNamespace?: string | undefined;
  readonly logLines: number;
  /** Write over a file that is there. */
  readonly force: boolean;
}

/** Where the bundle goes. */
export interface BundleWriter {
  refuseTakenFile(path: string, force: boolean): Promise<void>;
  writeArchive(path: string, folder: string, files: readonly BundleFile[], now: number): Promise<void>;
}

/**
 * `edgeline support-bundle`: writes the file, and says on standard error what is not in it. Gives the exit code: 3 where
 * something could not be read. Throws `OutputRefused`, `KubeconfigError` and `ClusterError`.
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
    await refuseNowhere(session);
    await writer.refuseTakenFile(path, options.force);
    const { logLines, operatorNamespace } = options;
    const bundle = await collect(session, { logLines, operatorNamespace, version, now, clock });
    const { files, missing } = bundle;
    const readme = { path: 'README.md', text: readmeOf(bundle, { server: session.server, version, now }) };
    const all = [readme, ...files];
    await writer.writeArchive(path, folder, all, now);
    out.write(`${path}\n`);
    err.write(
      `${all.length === 1 ? '1 file. Look through what is in it' : `${all.length} files. Look through what is in them`} before you give it to anyone: names, IDs and ICCIDs.\n`,
    );
    for (const { what, why } of missing) err.write(`not in it: ${harmless(what)}: ${harmless(why)}\n`);
    return missing.length === 0 ? 0 : 3;
  } finally {
    await session.close();
  }
}
