/** The attributes of an instance or of a block in it; what is null or empty counts as not there. It remembers what was asked for. */
export interface Attributes {
  /** A text; a number counts as its digits. */
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean | undefined;
  texts(name: string): readonly string[];
  blocks(name: string): readonly Attributes[];
  /** Whether there is something under the name. */
  has(name: string): boolean;
  /** Marks what tells nothing about the service, or what the service alone decides. */
  pass(...names: readonly string[]): void;
  /** Names of what has a value and was never asked for, or is of another type than was asked for. Never a value. */
  unread(): readonly string[];
}

export function attributesOf(all: Readonly<Record<string, unknown>>): Attributes {
  const read = new Set<string>();
  const children: { readonly name: string; readonly block: Attributes }[] = [];

  function take<T>(name: string, as: (value: unknown) => T | undefined): T | undefined {
    const value = all[name];
    if (isEmpty(value)) return undefined;
    const taken = as(value);
    if (taken !== undefined) read.add(name);
    return taken;
  }

  return {
    text: (name) => take(name, (value) => (typeof value === 'number' ? digitsOf(value) : asText(value))),
    number: (name) => take(name, (value) => (typeof value === 'number' ? value : undefined)),
    flag: (name) => take(name, (value) => (typeof value === 'boolean' ? value : undefined)),
    texts: (name) =>
      take(name, (value) => (isListOf(value, asText) ? value.filter((one) => one !== '') : undefined)) ?? [],
    blocks(name) {
      const blocks =
        take(name, (value) => (isListOf(value, asBlock) ? value.map((block) => attributesOf(block)) : undefined)) ?? [];
      children.push(...blocks.map((block) => ({ name, block })));
      return blocks;
    },
    has: (name) => !isEmpty(all[name]),
    pass(...names) {
      for (const name of names) read.add(name);
    },
    unread() {
      const own = Object.keys(all).filter((name) => !read.has(name) && !isEmpty(all[name]));
      const inside = children.flatMap(({ name, block }) => block.unread().map((inner) => `${name}.${inner}`));
      return [...new Set([...own, ...inside])].sort();
    },
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

/** A number that JSON held with more digits than a number has is another one by now. */
const digitsOf = (value: number) => (Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined);

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);

const asBlock = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;

function isListOf<T>(value: unknown, as: (item: unknown) => T | undefined): value is T[] {
  return Array.isArray(value) && value.every((item) => as(item) !== undefined);
}
