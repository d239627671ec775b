import { isMembers, type Members } from './json.ts';

/**
 * A JSON merge patch as the apiserver's library applies it, which is RFC 7396 but for lists: inside what is new, members
 * that are null are left out of objects in lists, too. `target` stays as it is, and what the patch does not touch is shared.
 */
export function mergePatch(target: Members, patch: Members): Members {
  const result: Members = { ...target };
  for (const name in patch) {
    const value = patch[name];
    if (value === null) delete result[name];
    else result[name] = merged(target[name], value);
  }
  return result;
}

function merged(current: unknown, patch: unknown): unknown {
  if (!isMembers(current)) return withoutNulls(patch);
  return isMembers(patch) ? mergePatch(current, patch) : patch;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMembers(value)) return value;
  const kept: Members = {};
  for (const name in value) if (value[name] !== null) kept[name] = withoutNulls(value[name]);
  return kept;
}
