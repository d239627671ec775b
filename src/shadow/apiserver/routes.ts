import type { Kind } from './kinds/kind.ts';

/** What a path leads to. */
export interface Route {
  readonly kind: Kind;
  /** Empty: all, or none. */
  readonly namespace: string;
  /** Undefined: the collection. */
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Reads a path without its query; undefined where it leads nowhere. */
export function routeOf(kinds: ReadonlyMap<string, Kind>, path: string): Route | undefined {
  const [, root, ...segments] = path.split('/').map(decodeURIComponent);
  const group = root === 'api' ? '' : segments.shift();
  if ((root !== 'api' && root !== 'apis') || group === undefined) return undefined;
  const version = segments.shift();
  const find = (plural: string | undefined) => kinds.get(`${group}/${version ?? ''}/${plural ?? ''}`);

  const [first, namespace, plural, name, subresource, ...more] = segments;
  if (first === 'namespaces' && namespace !== undefined && plural !== undefined) {
    const kind = find(plural);
    if (kind?.namespaced) return more.length > 0 ? undefined : { kind, namespace, name, subresource };
    if (group !== '') return undefined;
  }
  const kind = find(first);
  if (!kind || segments.length > 3) return undefined;
  // Across all namespaces there are lists and watches only, and POST, which the body's namespace would have to place.
  if (kind.namespaced && segments.length > 1) return undefined;
  return { kind, namespace: '', name: segments[1], subresource: segments[2] };
}

/** Under which resources are known by the paths that lead to them. */
export function routeKey({ group, version, plural }: Kind): string {
  return `${group}/${version}/${plural}`;
}
