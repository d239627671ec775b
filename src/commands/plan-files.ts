import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Document, parseAllDocuments } from 'yaml';
import { messageOf } from '../errors.ts';
import { ManifestsUnreadable } from '../plan/errors.ts';
import type { Manifest } from '../plan/manifests/rehearse.ts';

const MANIFEST = /\.(ya?ml|json)$/;
/** What kustomize prints of a large directory. Bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * The manifests of files, of all files of directories that kubectl would take, or, for `-`, of stdin.
 *
 * @throws ManifestsUnreadable
 */
export async function readManifests(paths: readonly string[], recursive: boolean): Promise<Manifest[]> {
  if (paths.length === 0)
    throw new ManifestsUnreadable(
      'no manifests were given',
      'Write -f FILE or DIRECTORY, -f - for stdin, or -k DIRECTORY.',
    );
  const files = await Promise.all(paths.map((path) => filesOf(path, recursive, true)));
  const texts = await Promise.all(files.flat().map(async (file) => manifestsIn(await textOf(file), file)));
  return texts.flat();
}

/**
 * What `kubectl kustomize` makes of a directory.
 *
 * @throws ManifestsUnreadable
 */
export async function readKustomization(directory: string): Promise<Manifest[]> {
  try {
    const { stdout } = await promisify(execFile)('kubectl', ['kustomize', directory], { maxBuffer: MOST_BYTES });
    return manifestsIn(stdout, `kustomize ${directory}`);
  } catch (error) {
    if (error instanceof ManifestsUnreadable) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : messageOf(error);
    throw isMissing
      ? new ManifestsUnreadable(
          'kubectl is not there, which makes manifests of a kustomization',
          'Install kubectl, or give what it makes: kustomize build DIR | edgeline plan -f -.',
          { cause: error },
        )
      : new ManifestsUnreadable(
          `kubectl kustomize ${directory}: ${said}`,
          `Correct the kustomization: \`kubectl kustomize ${directory}\` says the same.`,
          { cause: error },
        );
  }
}

async function filesOf(path: string, recursive: boolean, isNamed: boolean): Promise<string[]> {
  if (path === '-') return [path];
  try {
    const { isDirectory } = await stat(path).then((found) => ({ isDirectory: found.isDirectory() }));
    if (!isDirectory) return isNamed || MANIFEST.test(path) ? [path] : [];
    const names = (await readdir(path)).toSorted();
    const inside = await Promise.all(
      names.map(async (name) => {
        const below = join(path, name);
        const isBelow = (await stat(below)).isDirectory();
        return isBelow && !recursive ? [] : filesOf(below, recursive, false);
      }),
    );
    return inside.flat();
  } catch (error) {
    throw new ManifestsUnreadable(`${path} cannot be read: ${messageOf(error)}`, 'Check the path and its permissions.');
  }
}

async function textOf(file: string): Promise<string> {
  if (file !== '-') return readFile(file, 'utf8');
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** The documents of a text of YAML or JSON; those of a List one by one. Throws `ManifestsUnreadable`. */
export function manifestsIn(text: string, file: string): Manifest[] {
  const name = file === '-' ? 'stdin' : file;
  const documents = parseAllDocuments(text);
  if ('empty' in documents) return [];
  return documents.flatMap((document, index) => {
    const source = documents.length > 1 ? `${name}, document ${index + 1}` : name;
    const [problem] = document.errors;
    if (problem)
      throw new ManifestsUnreadable(
        `${source} is no YAML: ${problem.message.split('\n')[0] ?? ''}`,
        'Correct the file.',
      );
    const value = valueOf(document, source);
    if (value === null || value === undefined) return [];
    return objectsOf(value, source);
  });
}

/** Aliases that multiply to more than a process can hold are refused by the parser. */
function valueOf(document: Document.Parsed, source: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new ManifestsUnreadable(`${source} cannot be read: ${messageOf(error)}`, 'Correct the file.', {
      cause: error,
    });
  }
}

function objectsOf(value: unknown, source: string): Manifest[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ManifestsUnreadable(
      `${source} is no manifest: it has no apiVersion, kind and metadata`,
      'Give files with Kubernetes manifests only, or leave this one out.',
    );
  const object: Record<string, unknown> = { ...value };
  const { kind, items } = object;
  if (kind === 'List' && Array.isArray(items)) return items.flatMap((item: unknown) => objectsOf(item, source));
  return [{ source, object }];
}
