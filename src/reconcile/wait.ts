import { NonceExpiredError } from '../cloud/errors.ts';

/** Whether a resource waits for an observation. One wait at a time is enough, however many passes ask for one. */
export type Wait =
  /** `isAgain`: the last time it came to its turn too late, and nothing was read. */
  | { readonly state: 'idle' | 'waiting'; readonly isAgain?: boolean }
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
      return wait.state === 'idle' ? { ...wait, state: 'waiting' } : wait;
    case 'observed':
      return { state: 'idle' };
    case 'failed':
      // That says nothing of what was asked for, unless it goes on so.
      if (event.error instanceof NonceExpiredError && wait.state === 'waiting' && !wait.isAgain)
        return { state: 'idle', isAgain: true };
      return { state: 'failed', waitError: event.error };
    case 'handled':
      return wait.state === 'failed' ? { state: 'idle' } : wait;
  }
}
