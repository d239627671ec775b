import { isEqual } from '../../kubernetes/merge-patch.ts';
import { isMembers, memberAt, type ObjectJson } from '../objects.ts';
import type { Applied, Applying } from './applying.ts';
import { LAST_APPLIED, managersOf } from './ownership.ts';
import { serverSidePatch } from './server-side.ts';

/**
 * The merge patch that makes an object what a manifest says, as `kubectl apply` would: members of the manifest are set, and
 * those that were applied before in the same way and left it are removed; what others added stays. `status` is nobody's but
 * the operator's. Pure.
 */
export function applyPatch(live: ObjectJson, manifest: ObjectJson, how: Applying): Applied {
  const { status: _, ...wanted } = manifest;
  const maps = (['labels', 'annotations'] as const).flatMap((name) => {
    const map = mapOf(wanted, name);
    const isNeeded = Object.keys(map).length > 0 || memberAt(live, 'metadata', name) !== undefined;
    return isNeeded ? [[name, map] as const] : [];
  });
  const target = { ...wanted, metadata: Object.fromEntries(maps) };
  if (how.by === 'server') return serverSidePatch(live, target, how);
  const patch = threeWay(appliedBefore(live), target, live);
  return { patch: Object.keys(patch).length === 0 ? undefined : patch };
}

/**
 * The manager under whose name an object was applied on the side of the server, where that is how it was applied last:
 * applied on the side of the client, what left the manifest stays. Pure.
 */
export function serverSideManagerOf(live: ObjectJson): string | undefined {
  if (memberAt(live, 'metadata', 'annotations', LAST_APPLIED) !== undefined) return undefined;
  return managersOf(live).find(({ isApply, owned }) => isApply && owned['spec'] !== undefined)?.name;
}

/** What was applied last, of what a person may set; without a record of it, kubectl removes nothing. */
function appliedBefore(live: ObjectJson): ObjectJson {
  const text = memberAt(live, 'metadata', 'annotations', LAST_APPLIED);
  const kept = typeof text === 'string' ? parsed(text) : undefined;
  return kept ? settable(kept) : {};
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
