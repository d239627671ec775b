import { isEqual } from '../../kubernetes/merge-patch.ts';
import { isMembers, memberAt, type ObjectJson } from '../objects.ts';
import type { Applied, Applying } from './applying.ts';
import { below, LAST_APPLIED, type Manager, managersOf, type Owned, together } from './ownership.ts';

/** The manager of `kubectl apply --server-side`, under which what it applied on the side of the client is taken over. */
export const KUBECTL = 'kubectl';

interface Conflict {
  readonly manager: string;
  /** `.spec.activated` */
  readonly path: string;
}

/** What a server-side apply makes of an object; `wanted`: what the manifest says, without what nobody may set. Pure. */
export function serverSidePatch(
  live: ObjectJson,
  wanted: ObjectJson,
  { manager, force }: Extract<Applying, { by: 'server' }>,
): Applied {
  const managers = managersOf(live);
  const own = managers.filter((one) => one.isApply && one.name === manager);
  // What kubectl applied on the side of the client becomes this manager's, right after: `csaupgrade` in client-go.
  const migrated = managers.filter(({ appliedByClient }) => appliedByClient);
  const others = managers.filter((one) => !own.includes(one));
  const { kind: _, apiVersion: __, ...settable } = wanted;
  const conflicts = force ? [] : conflictsOf(settable, live, others, allowedOf(live, manager));
  if (conflicts.length > 0) return { refusal: refusalOf(conflicts) };
  const mine = together([...own, ...migrated].map(({ owned }) => owned));
  const theirs = together(others.filter((one) => !migrated.includes(one)).map(({ owned }) => owned));
  const patch = patchOf(settable, live, { spec: mine['spec'] ?? {}, ...metadataOf(mine) }, theirs);
  return { patch: Object.keys(patch).length === 0 ? undefined : patch };
}

/** Of the metadata only labels and annotations are a person's, and that in which kubectl keeps its record is kubectl's. */
function metadataOf(owned: Owned): Owned {
  const metadata = owned['metadata'];
  if (metadata === undefined || metadata === true) return {};
  const { labels = {}, annotations = {} } = metadata;
  if (annotations === true) return { metadata: { labels } };
  const { [LAST_APPLIED]: _, ...kept } = annotations;
  return { metadata: { labels, annotations: kept } };
}

function patchOf(
  wanted: ObjectJson,
  live: ObjectJson,
  mine: Owned | true | undefined,
  theirs: Owned | true | undefined,
): ObjectJson {
  const patch: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const now = live[name];
    if (isMembers(value) && isMembers(now)) {
      const inner = patchOf(value, now, below(mine, name), below(theirs, name));
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (value === null) {
      if (now !== undefined) patch[name] = null;
    } else if (!isEqual(value, now)) patch[name] = value;
  }
  const known = mine === true ? Object.keys(live) : Object.keys(mine ?? {});
  for (const name of known) {
    const now = live[name];
    if (wanted[name] !== undefined || now === undefined) continue;
    const others = below(theirs, name);
    if (others === undefined) patch[name] = null;
    else if (others !== true && isMembers(now)) {
      const inner = patchOf({}, now, below(mine, name), others);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    }
  }
  return patch;
}

/** What kubectl applied on the side of the client and nobody changed since is no conflict for kubectl itself. */
function allowedOf(live: ObjectJson, manager: string): unknown {
  const text = memberAt(live, 'metadata', 'annotations', LAST_APPLIED);
  if (manager !== KUBECTL || typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function conflictsOf(
  wanted: ObjectJson,
  live: ObjectJson,
  others: readonly Manager[],
  allowed: unknown,
  path: readonly string[] = [],
): Conflict[] {
  return Object.entries(wanted).flatMap(([name, value]): Conflict[] => {
    const now = live[name];
    const place = [...path, name];
    const before = memberAt(allowed, name);
    if (isMembers(value) && isMembers(now)) return conflictsOf(value, now, others, before, place);
    if (now === undefined || isEqual(value, now) || (before !== undefined && isEqual(before, now))) return [];
    return others
      .filter(({ owned }) => place.reduce<Owned | true | undefined>(below, owned) !== undefined)
      .map((other) => ({ manager: other.name, path: `.${place.join('.')}` }));
  });
}

function refusalOf(conflicts: readonly Conflict[]): string {
  const texts = conflicts.map(({ manager, path }) => `conflict with "${manager}": ${path}`);
  const count = `${conflicts.length} ${conflicts.length === 1 ? 'conflict' : 'conflicts'}`;
  return `Apply failed with ${count}: ${texts.join('; ')}. Leave it to them, or add --force-conflicts here if you apply with it`;
}
