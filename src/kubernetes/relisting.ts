import { NO_LONGER_WANTED } from '../clock.ts';

/** Has a reflector begin a list at once, whatever it waits for. */
export interface Relisting {
  ask(): void;
  /** A list was asked for, and none has begun since. */
  isAsked(): boolean;
  /** A list begins. */
  begin(): void;
  /** For what is begun now: it is given up as soon as a list is asked for, or all is over. */
  turn(): AbortSignal;
}

/** `signal`: all is over. A signal made of both would be kept for ever by whatever still listens to it. */
export function createRelisting(signal: AbortSignal): Relisting {
  let isAsked = false;
  let current = new AbortController();
  signal.addEventListener('abort', () => current.abort(signal.reason), { once: true });
  return {
    ask() {
      isAsked = true;
      current.abort(NO_LONGER_WANTED);
    },
    isAsked: () => isAsked,
    begin() {
      isAsked = false;
    },
    turn() {
      current = new AbortController();
      if (signal.aborted) current.abort(signal.reason);
      return current.signal;
    },
  };
}
