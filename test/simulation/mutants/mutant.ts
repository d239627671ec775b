/** One fault planted in a copy of the operator's source. */
export interface Mutant {
  /** In kebab case; unique. */
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** What is replaced; it occurs in the file exactly once. */
  readonly from: string;
  /** What it is replaced by: still a program, though it may lose a type. */
  readonly to: string;
  /** What the fault breaks for a user, in one sentence. */
  readonly what: string;
  /** Why no life gives it away, where none is known to. */
  readonly unseen?: string;
  /** The test that fails with it, from the root of the repository, where no life is known to give it away. */
  readonly toldBy?: string;
}

/** The text of the file with the fault in it; throws when the list is older than the source. Pure. */
export function patched({ name, file, from, to }: Mutant, text: string): string {
  const places = text.split(from).length - 1;
  if (places !== 1) throw new Error(`${name}: "from" occurs ${places} times in ${file}`);
  // A function, because "$&" and the like mean something in a replacement.
  return text.replace(from, () => to);
}
