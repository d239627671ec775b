/** Which observations count for the next decision. */
export interface Freshness {
  /** Only one that began after this; moved on by every write. Monotonic milliseconds. */
  readonly notBefore: number;
  /** Only one that began after this may say that something isn't there. Monotonic milliseconds. */
  readonly absentNotBefore: number;
  /** Details are to be read, too, which no list shows. */
  readonly thorough: boolean;
}

/** What moves it on. Times are monotonic milliseconds. */
export type FreshnessEvent =
  /** Something was, or may have been, changed; or a person asked for a look. */
  | { readonly type: 'changed'; readonly at: number }
  /** What was sent may arrive until then. */
  | { readonly type: 'unsettled'; readonly until: number }
  /** Details are wanted. */
  | { readonly type: 'doubted' }
  /** A look at all that was wanted is over. */
  | { readonly type: 'gathered' };

/** The next state. Pure. */
export function nextFreshness(freshness: Freshness, event: FreshnessEvent): Freshness {
  switch (event.type) {
    case 'changed':
      return { ...freshness, notBefore: event.at };
    case 'unsettled':
      return { ...freshness, absentNotBefore: event.until };
    case 'doubted':
      return { ...freshness, thorough: true };
    case 'gathered':
      return { ...freshness, thorough: false };
  }
}
