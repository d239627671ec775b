import { isEqual } from '../../kubernetes/merge-patch.ts';
import { isMembers, memberAt, type ObjectJson } from '../objects.ts';

/** Where `kubectl apply` keeps what it applied last. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The merge patch that makes an object what a manifest says, as `kubectl apply` would: members of the manifest are set, and
 * those that were applied before and left it are removed; what others added stays. `status` is nobody's but the operator's.
 * Undefined: nothing would change. Pure.
 */
export function applyPatch(live: ObjectJson, manifest: ObjectJson): ObjectJson | undefined {
  const before = appliedBefore(live);
  const { status: _, ...wanted } = manifest;
  const maps = (['labels', 'annotations'] as const).flatMap((name) => {
    const map = mapOf(wanted, name);
    const isNeeded = Object.keys(map).length > 0 || memberAt(live, 'metadata', name) !== undefined;
    return isNeeded ? [[name, map] as const] : [];
  });
  const target = { ...wanted, metadata: Object.fromEntries(maps) };
  const patch = threeWay(before, target, live);
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** What was applied last, of what a person may set. */
function appliedBefore(live: ObjectJson): ObjectJson {
  const text = memberAt(live, 'metadata', 'annotations', LAST_APPLIED);
  const kept = typeof text === 'string' ? parsed(text) : undefined;
  return kept ? settable(kept) : ownedByApply(live);
}

function settable(object: ObjectJson): ObjectJson {
  const { metadata: _, status: __, ...rest } = object;
  return { ...rest, metadata: { labels: mapOf(object, 'labels'), annotations: mapOf(object, 'annotations') } };
}

/** Labels or annotations; where there are none, an empty map, of which each may be removed by itself. */
function mapOf(object: ObjectJson, name: 'labels' | 'annotations'): ObjectJson {
  const map = memberAt(object, 'metadata', name);
  return isMembers(map) ? map : {};
}

function parsed(text: string): ObjectJson | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function threeWay(before: unknown, wanted: ObjectJson, live: ObjectJson): ObjectJson {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const now = live[name];
    if (isMembers(value) && isMembers(now)) {
      const inner = threeWay(memberAt(before, name), value, now);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (value === null) {
      if (now !== undefined) patch[name] = null;
    } else if (!isEqual(value, now)) patch[name] = value;
  }
  for (const name of isMembers(before) ? Object.keys(before) : []) {
    const left = memberAt(before, name) !== undefined && wanted[name] === undefined;
    if (left && live[name] !== undefined) patch[name] = null;
  }
  return patch;
}

/**
 * What server-side apply says that somebody applied: the members that a manager of the operation Apply owns, other than
 * of the status. Lists count as wholes.
 */
function ownedByApply(live: ObjectJson): ObjectJson {
  const managed = memberAt(live, 'metadata', 'managedFields');
  const owned: Record<string, unknown> = {};
  for (const entry of Array.isArray(managed) ? managed : []) {
    if (memberAt(entry, 'operation') !== 'Apply' || memberAt(entry, 'subresource') !== undefined) continue;
    collect(memberAt(entry, 'fieldsV1'), owned);
  }
  return settable(owned);
}

function collect(fields: unknown, into: Record<string, unknown>): void {
  if (!isMembers(fields)) return;
  for (const [key, below] of Object.entries(fields)) {
    if (!key.startsWith('f:')) continue;
    const name = key.slice(2);
    const isMap = isMembers(below) && Object.keys(below).some((inner) => inner.startsWith('f:'));
    if (!isMap) {
      into[name] ??= true;
      continue;
    }
    const known = into[name];
    const inner: Record<string, unknown> = isMembers(known) ? { ...known } : {};
    collect(below, inner);
    into[name] = inner;
  }
}
