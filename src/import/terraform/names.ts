import { createHash } from 'node:crypto';
import { trimEndOf } from '../../text.ts';

/** Leaves room for what is added to it in the names of Secrets, within the 253 characters of a name. */
const LONGEST_NAME = 200;
const DIGEST_LENGTH = 8;

/** What is to be named: words of its address, and what no other of its kind has. */
export interface Nameless {
  readonly words: readonly string[];
  readonly id: string;
}

/**
 * Names for the objects of one kind, in their order: valid for Kubernetes and unique. They follow from the objects alone, not from
 * their order: those whose words make the same name all have their ID in it.
 */
export function namesOf(all: readonly Nameless[]): string[] {
  const plain = all.map(({ words, id }) => nameOf(words, id));
  const counts = Map.groupBy(plain, (name) => name);
  const unique = plain.map((name, index) =>
    (counts.get(name)?.length ?? 0) > 1 ? shortened(`${name}-${partOf(all[index]?.id ?? '')}`) : name,
  );
  // A name of its own may be what another becomes with its ID.
  const taken = Map.groupBy(unique, (name) => name);
  return unique.map((name, index) =>
    (taken.get(name)?.length ?? 0) > 1 ? shortened(`${name}-${digest(all[index]?.words.join('\n') ?? '')}`) : name,
  );
}

function nameOf(words: readonly string[], id: string): string {
  // What has no letter left, such as a key in Japanese, is told apart by the ID.
  const parts = words.map(partOf);
  const known = parts.map((part) => (part === '' ? partOf(id) : part));
  return shortened(known.filter((part) => part !== '').join('-'));
}

/** Lowercase letters, digits and hyphens; a dot stays where it stands between two such words. */
function partOf(word: string): string {
  return word
    .toLowerCase()
    .split('.')
    .map((label) => trimEndOf(label.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, ''), (character) => character === '-'))
    .filter((label) => label !== '')
    .join('.');
}

function shortened(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const kept = trimEndOf(name.slice(0, LONGEST_NAME - DIGEST_LENGTH - 1), (character) => '-.'.includes(character));
  return `${kept}-${digest(name)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}
