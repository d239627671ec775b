/** Whether a resource waits for an observation. One wait at a time is enough, however many passes ask for one. */
export type Wait =
  | { readonly state: 'idle' }
  | { readonly state: 'waiting' }
  /** The observation failed, which the next pass has to deal with as if it had looked itself. */
  | { readonly state: 'failed'; readonly waitError: unknown };

/** What a wait's state follows from. */
export type WaitEvent =
  | { readonly type: 'asked' }
  | { readonly type: 'observed' }
  | { readonly type: 'failed'; readonly error: unknown }
  /** A pass has taken note of the failure. */
  | { readonly type: 'handled' };

/** The next state. Pure. */
export function nextWait(wait: Wait, event: WaitEvent): Wait {
  switch (event.type) {
    case 'asked':
      return wait.state === 'idle' ? { state: 'waiting' } : wait;
    case 'observed':
      return { state: 'idle' };
    case 'failed':
      return { state: 'failed', waitError: event.error };
    case 'handled':
      return wait.state === 'failed' ? { state: 'idle' } : wait;
  }
}
