/** Why a list is not believed. */
export interface Doubt {
  /** When the first list began that showed it; monotonic milliseconds. */
  readonly since: number;
  readonly missing: ReadonlySet<string>;
}

/** A list that lacks much is believed when another one, begun so much later, lacks the same. Milliseconds. */
export const CONFIRM_AFTER_MILLISECONDS = 5000;

/**
 * Whether a whole list is to be doubted: half of what was known, or all of it, is not on it. A service in trouble lists
 * nothing, and means it as little as an error. What `explained` knows the reason of is not missed. Pure.
 */
export function doubtOf(
  known: ReadonlyMap<string, unknown>,
  next: { readonly items: ReadonlyMap<string, unknown>; readonly startedAt: number },
  earlier: Doubt | undefined,
  explained: (id: string) => boolean,
): Doubt | undefined {
  const missing = new Set([...known.keys()].filter((id) => !next.items.has(id) && !explained(id)));
  if (missing.size === 0 || missing.size * 2 < known.size) return undefined;
  const isSame = earlier !== undefined && [...missing].every((id) => earlier.missing.has(id));
  if (!isSame) return { since: next.startedAt, missing };
  return next.startedAt - earlier.since >= CONFIRM_AFTER_MILLISECONDS ? undefined : earlier;
}
