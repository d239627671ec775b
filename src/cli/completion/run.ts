import type { Command } from 'commander';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { NAMESPACES } from '../../kubernetes/resource.ts';
import { isUnsafe } from '../../unsafe.ts';
import { type KindName, kindOf, kinds } from '../kinds.ts';
import type { CliSurroundings } from '../session.ts';
import { type Possible, possibleWords, type Source } from './words.ts';

/** Go's cobra has these. */
const NO_SPACE = 2;
const NO_FILES = 4;
/** Whoever presses the tab key does not wait longer. Milliseconds. */
const PATIENCE_MILLISECONDS = 3000;
const MOST_NAMES = 500;

interface Choices {
  readonly words: readonly { readonly word: string; readonly about: string }[];
  readonly directive: number;
}

/**
 * What `__complete` prints for these words, the last of which is being typed: the commands and flags there are, and the
 * names that the cluster has, where it answers soon; nothing else ever comes of it, no error either.
 */
export async function completions(
  program: Command,
  words: readonly string[],
  surroundings: CliSurroundings,
): Promise<string> {
  const last = words.at(-1) ?? '';
  const possible = possibleWords(program, words);
  const { words: found, directive } = await choicesOf(possible, last, surroundings);
  const lines = found
    // A shell would have to quote these.
    .filter(({ word }) => word.startsWith(last) && !isUnsafe(word) && !/[\s"'`$\\]/.test(word))
    .map(({ word, about }) => (about === '' ? word : `${word}\t${about}`));
  return `${[...lines, `:${directive}`].join('\n')}\n`;
}

async function choicesOf(possible: Possible, last: string, surroundings: CliSurroundings): Promise<Choices> {
  const { source, choices } = possible;
  if (source === undefined) return { words: choices, directive: NO_FILES };
  if (source === 'file') return { words: [], directive: 0 };
  const patience = new AbortController();
  const late = surroundings.clock
    .sleep(PATIENCE_MILLISECONDS, patience.signal)
    .catch(() => undefined)
    .then((): Choices => ({ words: [], directive: NO_FILES }));
  const asking = ask(possible, last, surroundings).catch((): Choices => ({ words: [], directive: NO_FILES }));
  const answer = await Promise.race([asking, late]);
  patience.abort();
  return answer;
}

/** Of which kinds the names are asked, and what is written before them. */
function askedKinds(source: Source | undefined, word: string, name: string | undefined) {
  const named = (kind: KindName, prefix: string) => ({ kind: kindOf(kind), prefix });
  const prefix = name === undefined ? '' : `${word}/`;
  switch (source) {
    case 'CloudAccount': {
      const ofCluster = 'ClusterCloudAccount';
      if (name !== undefined) return word === ofCluster ? [named(ofCluster, prefix)] : [named(source, prefix)];
      return [
        named(source, ''),
        ...(word !== '' && ofCluster.startsWith(word) ? [named(ofCluster, `${ofCluster}/`)] : []),
      ];
    }
    case 'Sim':
    case 'MobileGateway':
    case 'WebAccelSite': {
      const kind = kindOf(source);
      return name === undefined || kind.names.includes(word.toLowerCase()) ? [{ kind, prefix }] : [];
    }
    default:
      return kinds.filter(({ names }) => names.includes(word.toLowerCase())).map((kind) => ({ kind, prefix }));
  }
}

async function ask(possible: Possible, last: string, surroundings: CliSurroundings): Promise<Choices> {
  const { source, flags, command } = possible;
  const { kubeconfig, context, namespace } = flags;
  if (source === 'context') {
    const { contextsOf } = await import('../../kubernetes/kubeconfig-files.ts');
    const names = await contextsOf({ kubeconfig, environment: surroundings.environment });
    return { words: names.map((word) => ({ word, about: '' })), directive: NO_FILES };
  }
  if (source === 'exported') {
    const words = ['sim', 'gateway', 'site', 'certificate'].map((word) => ({ word, about: '' }));
    return { words, directive: NO_FILES };
  }
  const [word = '', name] = last.split('/');
  if (source === 'object' && name === undefined) {
    // What is to be explained has a name; a status may be that of a kind.
    const suffix = command === 'explain' || command === 'approve' ? '/' : '';
    const all = kinds.flatMap(({ kind, names }) =>
      names.filter((one) => !one.includes('.')).map((one) => ({ word: `${one}${suffix}`, about: kind })),
    );
    const unlike = all.filter((one, index) => all.findIndex((other) => other.word === one.word) === index);
    return { words: unlike, directive: suffix === '' ? NO_FILES : NO_FILES | NO_SPACE };
  }
  // Only now: most words need no cluster.
  const { openSession } = await import('../session.ts');
  const session = await openSession({ kubeconfig, context, namespace }, surroundings);
  try {
    const options = { limit: MOST_NAMES, metadataOnly: true, retry: false, timeoutMilliseconds: PATIENCE_MILLISECONDS };
    if (source === 'namespace') {
      const { items } = await session.client.list<KubernetesObject>(NAMESPACES, undefined, options);
      return { words: items.map(({ metadata }) => ({ word: metadata.name, about: '' })), directive: NO_FILES };
    }
    const asked = askedKinds(source, word, name);
    const found = await Promise.all(
      asked.map(({ kind }) =>
        session.client.list<KubernetesObject>(kind, kind.namespaced ? session.namespace : undefined, options),
      ),
    );
    const words = found.flatMap(({ items }, index) =>
      items.map(({ metadata }) => ({ word: `${asked[index]?.prefix ?? ''}${metadata.name}`, about: '' })),
    );
    return { words, directive: NO_FILES };
  } finally {
    await session.close();
  }
}
