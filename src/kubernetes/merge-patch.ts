/** A JSON object. Members that are undefined count as absent, as JSON has them. */
type Members = Record<string, unknown>;

/**
 * The RFC 7396 merge patch that turns `from` into `to`; undefined when they are equal. A member of an object that is
 * null in `to` is taken for absent, because that is all a merge patch can say; lists are replaced whole.
 */
export function diff(from: unknown, to: unknown): unknown {
  if (!isObject(to)) return isEqual(from, to) ? undefined : to;
  if (!isObject(from)) return withoutNulls(to);
  const changed: [string, unknown][] = [];
  for (const name of Object.keys(from)) {
    if (isPresent(from, name) && !isPresent(to, name)) changed.push([name, null]);
  }
  for (const [name, value] of Object.entries(to)) {
    if (value === undefined || value === null) continue;
    if (!isPresent(from, name)) {
      changed.push([name, withoutNulls(value)]);
      continue;
    }
    const patch = diff(from[name], value);
    if (patch !== undefined) changed.push([name, patch]);
  }
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** What becomes of `target` under the patch; `target` itself stays as it is. An undefined patch changes nothing. */
export function apply(target: unknown, patch: unknown): unknown {
  if (patch === undefined) return target;
  if (!isObject(patch)) return patch;
  const result = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) result.delete(name);
    else if (value !== undefined) result.set(name, apply(result.get(name), value));
  }
  return Object.fromEntries(result);
}

/** Whether two JSON values are the same, whatever the order of their members. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  }
  if (typeof a === 'number' && typeof b === 'number') return a === b;
  if (!isObject(a) || !isObject(b)) return false;
  let more = 0;
  for (const name of Object.keys(a)) {
    if (a[name] === undefined) continue;
    if (!Object.hasOwn(b, name) || !isEqual(a[name], b[name])) return false;
    more++;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined) more--;
  return more === 0;
}

/** Not null either: in an object, a merge patch can't tell null from absent. */
function isPresent(object: Members, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined && object[name] !== null;
}

/** In a patch, null would mean removal even inside what is new. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
