import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Document, type DocumentOptions, parseAllDocuments, type SchemaOptions } from 'yaml';
import { messageOf } from '../errors.ts';
import { codeOf, whyUnreadable } from '../file-errors.ts';
import { ManifestsUnreadable } from '../plan/errors.ts';
import type { Manifest } from '../plan/manifests/rehearse.ts';
import type { ManifestFlags } from './manifest-flags.ts';

const MANIFEST = /\.(ya?ml|json)$/;
/** What kustomize prints of a large directory. Bytes. */
const MOST_BYTES = 256 * 1024 * 1024;
/** What YAML 1.1 has and kubectl does not: minutes and hours, days and sets stay the texts and maps they are. */
const NOT_OF_KUBECTL = /:(timestamp|binary|omap|pairs|set)$/;
/** As kubectl reads YAML: 1.1, in which `yes` is true, 0755 is octal and `<<` merges. */
const AS_KUBECTL: DocumentOptions & SchemaOptions = {
  version: '1.1',
  customTags: (tags) =>
    tags.filter((tag) => typeof tag === 'string' || (tag.format !== 'TIME' && !NOT_OF_KUBECTL.test(tag.tag))),
};

/**
 * The manifests that the flags name.
 *
 * @throws ManifestsUnreadable
 */
export async function readGiven(
  { filename = [], kustomize, recursive }: ManifestFlags,
  { mayBeNone }: { readonly mayBeNone: boolean } = { mayBeNone: false },
): Promise<Manifest[]> {
  const manifests =
    kustomize === undefined ? await readManifests(filename, recursive) : await readKustomization(kustomize);
  if (!mayBeNone) refuseNone(manifests, kustomize === undefined ? filename : [kustomize]);
  return manifests;
}

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
  const named = (await Promise.all(paths.map((path) => filesOf(path, recursive, true)))).flat();
  // A file that is named twice, as itself and by its directory, is one.
  const files = new Map(named.map((file) => [file === '-' ? file : resolve(file), file]));
  const texts = await Promise.all([...files.values()].map(async (file) => manifestsIn(await textOf(file), file)));
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
    const isMissing = codeOf(error) === 'ENOENT';
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

/** Whoever gives nothing has mistaken the path, or what comes before the pipe has failed. Throws `ManifestsUnreadable`. */
export function refuseNone(manifests: readonly Manifest[], paths: readonly string[]): void {
  if (manifests.length > 0) return;
  throw new ManifestsUnreadable(
    `there is no manifest in ${paths.map((path) => (path === '-' ? 'stdin' : path)).join(', ')}`,
    paths.every((path) => path === '-' || MANIFEST.test(path))
      ? 'It is empty, or has nothing but comments: see what was to write it.'
      : 'Of a directory, files ending in .yaml, .yml and .json are read, and with -R those of the directories below. If a program was to write them, see what it says.',
  );
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
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): ManifestsUnreadable {
  if (/^https?:/.test(path))
    return new ManifestsUnreadable(
      `${path} is an address, and only files are read`,
      `Give what it has: curl -fsS ${path} | edgeline plan -f -.`,
      { cause: error },
    );
  const { message, advice } = whyUnreadable(path, error);
  return new ManifestsUnreadable(message.replace('no file', 'no file or directory'), advice, { cause: error });
}

async function textOf(file: string): Promise<string> {
  if (file !== '-') {
    const bytes = await readFile(file).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    return decode(bytes, file);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return decode(Buffer.concat(chunks), 'stdin');
}

/** As kubectl does it: UTF-8, or UTF-16 as PowerShell writes it, with a mark of its order. Throws `ManifestsUnreadable`. */
function decode(bytes: Buffer, name: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  // Without the mark, what is between the letters of UTF-16 are zeros.
  if (bytes.includes(0))
    throw new ManifestsUnreadable(`${name} is not UTF-8`, 'Save it as UTF-8, which is what kubectl reads.');
  return bytes.toString('utf8');
}

/** The documents of a text of YAML or JSON; those of a List one by one. Throws `ManifestsUnreadable`. */
export function manifestsIn(text: string, file: string): Manifest[] {
  const name = file === '-' ? 'stdin' : file;
  const documents = parseAllDocuments(text, AS_KUBECTL);
  if ('empty' in documents) return [];
  return documents.flatMap((document, index) => {
    const source = documents.length > 1 ? `${name}, document ${index + 1}` : name;
    const [problem] = document.errors;
    if (problem)
      throw new ManifestsUnreadable(
        `${source} is no YAML: ${(problem.message.split('\n')[0] ?? '').replace(/:$/, '')}`,
        text.includes('{{') ? helmAdvice(file) : 'Correct the file.',
      );
    const value = valueOf(document, source);
    if (value === null || value === undefined) return [];
    return objectsOf(value, source, file);
  });
}

/** Aliases that multiply to more than a process can hold are refused by the parser. */
function valueOf(document: Document.Parsed, source: string): unknown {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    throw new ManifestsUnreadable(`${source} cannot be read: ${messageOf(error)}`, 'Correct the file.', {
      cause: error,
    });
  }
  if (isCircular(value)) throw new ManifestsUnreadable(`${source}: an anchor contains itself`, 'Correct the file.');
  return value;
}

/** Whether something is inside itself; what an alias stands for may be in several places, and is looked at once. */
function isCircular(value: unknown, around = new Set<unknown>(), seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (around.has(value)) return true;
  if (seen.has(value)) return false;
  seen.add(value);
  around.add(value);
  const found = Object.values(value).some((one) => isCircular(one, around, seen));
  around.delete(value);
  return found;
}

function objectsOf(value: unknown, source: string, file: string): Manifest[] {
  const object: Record<string, unknown> = typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
  const { apiVersion, kind, items } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new ManifestsUnreadable(
      `${source} is no manifest: it has no apiVersion and kind`,
      adviceFor(file) ?? 'Give files with Kubernetes manifests only, or leave this one out.',
    );
  if (kind === 'List' && Array.isArray(items)) return items.flatMap((item: unknown) => objectsOf(item, source, file));
  return [{ source, object }];
}

/** What to give instead of the files that belong to a chart or a kustomization. */
function adviceFor(file: string): string | undefined {
  if (/^(Chart|values.*)\.ya?ml$/.test(basename(file))) return helmAdvice(file);
  if (/^kustomization\.ya?ml$/.test(basename(file)))
    return `Give what is made of it: edgeline plan -k ${dirname(file)}.`;
  return undefined;
}

function helmAdvice(file: string): string {
  const folders = dirname(file).split('/');
  const templates = folders.indexOf('templates');
  const chart = folders.slice(0, templates < 0 ? undefined : templates).join('/') || '.';
  return `If it belongs to a Helm chart, give what is made of it: helm template ${chart} | edgeline plan -f -. Else correct the file.`;
}
