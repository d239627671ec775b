/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a member, however deep; undefined where one is missing. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const name of path) here = isObject(here) ? here[name] : undefined;
  return here;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** A list at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Whether two values are the same, whatever the order of members; a member that is undefined is absent. */
export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => same(item, other[index]))
    );
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(one[name], other[name]));
}

/** Sorted by their text: for lists whose order means nothing. */
export function sorted<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [JSON.stringify(item), item] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .map(([, item]) => item);
}

/** The merge patch (RFC 7386) that makes `to` of `from`; lists are replaced as wholes. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: Record<string, Json> = {};
  for (const name of Object.keys(from)) if (to[name] === undefined) patch[name] = null;
  for (const [name, value] of Object.entries(to)) {
    const before = from[name];
    if (same(before, value)) continue;
    patch[name] = isJsonObject(before) && isJsonObject(value) ? mergePatch(before, value) : value;
  }
  return patch;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
