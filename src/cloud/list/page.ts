/** A page of a list (`api.md`, Common response members). */
export interface Page<T> {
  /** The offset of the first item. */
  readonly from: number;
  readonly count: number;
  /** How many the whole list holds; undefined where the answer does not say. */
  readonly total: number | undefined;
  readonly items: T[];
  /** The answer counts more items than it holds. */
  readonly isShort?: boolean;
}

/** A page from a list's members. */
export function pageOf<T>(
  wire: { From?: number | undefined; Count?: number | undefined; Total?: number | undefined },
  from: number,
  items: T[],
): Page<T> {
  const page = { from: wire.From ?? from, count: items.length, total: wire.Total, items };
  return (wire.Count ?? 0) > items.length ? { ...page, isShort: true } : page;
}

/** T with the members that may be undefined made optional instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * T with each member named, be it undefined. An optional member that is forgotten, or misspelled where a function takes
 * the object, would compile otherwise: `satisfies Each<T>` where T is filled in.
 */
export type Each<T> = { readonly [K in keyof Required<T>]: T[K] | undefined };

/** A copy without the members that are undefined. */
export function defined<T extends object>(object: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const key in object) if (object[key] !== undefined) result[key] = object[key];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop is the proof
  return result as unknown as Defined<T>;
}
