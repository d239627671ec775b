/** A JSON object. */
export type Members = Record<string, unknown>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of what may be an object; none, where it is something else. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** A text; empty where it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether two JSON values are the same, whatever the order of their members. The operator has one of its own; this is not it. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (!isMembers(a) || !isMembers(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  for (const name of names) {
    const [one, other] = [a[name], b[name]];
    if (one === other ? one === undefined && !Object.hasOwn(b, name) : !isEqual(one, other)) return false;
  }
  return true;
}
