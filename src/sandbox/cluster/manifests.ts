import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { messageOf } from '../../errors.ts';
import { SandboxFailed } from '../errors.ts';

const kubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
  }),
});

/** An object as a manifest has it. */
export type ManifestObject = z.infer<typeof kubernetesObject>;

export interface Manifest {
  readonly object: ManifestObject;
  /** Where it comes from, for messages: a file's name, or what made it. */
  readonly source: string;
}

/**
 * Reads every object of the `.yaml`, `.yml` and `.json` files of a directory, in the order of their names.
 *
 * @throws {SandboxFailed} when there is no such directory, no manifest in it, or one can't be read.
 */
export function readManifests(directory: string): Manifest[] {
  let names: string[];
  try {
    names = readdirSync(directory).filter((name) => /\.(ya?ml|json)$/.test(name));
  } catch (error) {
    throw new SandboxFailed(`${directory} can't be read: ${messageOf(error)}`, 'Name a directory of manifests.', {
      cause: error,
    });
  }
  if (names.length === 0) {
    throw new SandboxFailed(
      `There is no manifest in ${directory}`,
      'Put .yaml files there, or name another directory.',
    );
  }
  return names.sort().flatMap((name) => readManifestFile(join(directory, name)));
}

/** Reads every object of one file; documents without content are left out. */
export function readManifestFile(file: string): Manifest[] {
  const source = basename(file);
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return [...documents].flatMap((document, index) => {
    const [error] = document.errors;
    if (error) throw unusable(file, error.message.split('\n')[0] ?? error.message);
    const content: unknown = document.toJS();
    if (content === null || content === undefined) return [];
    const parsed = kubernetesObject.safeParse(content);
    if (parsed.success) return [{ object: parsed.data, source }];
    const [issue] = parsed.error.issues;
    throw unusable(file, `document ${index + 1} has no usable ${issue?.path.join('.') || 'content'}`);
  });
}

function unusable(file: string, why: string): SandboxFailed {
  return new SandboxFailed(
    `${file} is not a manifest: ${why}`,
    'Each document needs apiVersion, kind and metadata.name, as for kubectl apply -f.',
  );
}

/** What to call an object in a message: `Sim edgeline-demo/truck-17`. */
export function nameOf({ kind, metadata }: ManifestObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}
