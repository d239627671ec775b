/** Which observations count for the next decision. */
export interface Freshness {
  /** Only one that began after this; moved on by every write. Monotonic milliseconds. */
  readonly notBefore: number;
  /** Only one that began after this may say that something isn't there. Monotonic milliseconds. */
  readonly absentNotBefore: number;
  /** A write whose answer nobody here has may arrive until then; undefined: that is over. Monotonic milliseconds. */
  readonly openUntil?: number | undefined;
  /** The service, or something on the way to it, may hold such a write until then. Monotonic milliseconds. */
  readonly heldUntil?: number | undefined;
  /** Details are to be read, too, which no list shows. */
  readonly thorough: boolean;
  /** What a person asked a look by last: however many passes it takes, only one that began after the first of them counts. */
  readonly askedBy?: string;
  /** The generation for which what is let go was looked at once more. */
  readonly letGoFor?: number;
  /** The generation that wants what was there already, as far as was known. */
  readonly takenFor?: number;
  /** What only details show of that counts when it was read after this. Monotonic milliseconds. */
  readonly takenAt?: number;
}

/** What moves it on. Times are monotonic milliseconds. */
export type FreshnessEvent =
  /** Something was, or may have been, changed. */
  | { readonly type: 'changed'; readonly at: number }
  /** A person asks for a look at all, by this value. */
  | { readonly type: 'asked'; readonly by: string; readonly at: number }
  /** A field left the spec, and is as it would be unset, as far as is known: that is looked at once more for each generation. */
  | { readonly type: 'let go'; readonly generation: number; readonly at: number }
  /** A field came into the spec, or changed there, and what was read before has it so: once for each generation. */
  | { readonly type: 'taken'; readonly generation: number; readonly at: number }
  /** What was sent may arrive until then. */
  | { readonly type: 'unsettled'; readonly until: number }
  /** The same of a write to what is there. */
  | { readonly type: 'unanswered'; readonly until: number }
  /** It may be held until then, by whom it was sent. */
  | { readonly type: 'held'; readonly heldUntil: number }
  /** What nobody wants any more counts as un-set only when what was sent of it can arrive no more. */
  | { readonly type: 'awaited' }
  /** Details are wanted. */
  | { readonly type: 'doubted' }
  /** A look at all that was wanted is over. */
  | { readonly type: 'gathered' };

/** The next state. Pure. */
export function nextFreshness(freshness: Freshness, event: FreshnessEvent): Freshness {
  switch (event.type) {
    case 'changed':
      return { ...freshness, notBefore: Math.max(freshness.notBefore, event.at) };
    case 'asked': {
      const isNew = freshness.askedBy !== event.by;
      return { ...freshness, thorough: true, ...(isNew && { notBefore: event.at, askedBy: event.by }) };
    }
    case 'let go':
      if (freshness.letGoFor === event.generation) return freshness;
      return { ...freshness, notBefore: event.at, letGoFor: event.generation };
    case 'taken':
      if (freshness.takenFor === event.generation) return freshness;
      return { ...freshness, takenFor: event.generation, takenAt: event.at };
    case 'unsettled':
      return { ...freshness, absentNotBefore: event.until };
    case 'unanswered':
      return { ...freshness, openUntil: Math.max(freshness.openUntil ?? event.until, event.until) };
    case 'held':
      return { ...freshness, heldUntil: Math.max(freshness.heldUntil ?? event.heldUntil, event.heldUntil) };
    case 'awaited': {
      const { openUntil, ...rest } = freshness;
      return { ...rest, thorough: true, notBefore: Math.max(rest.notBefore, openUntil ?? rest.notBefore) };
    }
    case 'doubted':
      return { ...freshness, thorough: true };
    case 'gathered':
      return { ...freshness, thorough: false };
  }
}
