import { NO_LONGER_WANTED } from '../clock.ts';

/** Has a reflector begin a list at once, whatever it waits for. */
export interface Relisting {
  ask(): void;
  /** A list was asked for, and none has begun since. */
  isAsked(): boolean;
  /** A list begins. */
  begin(): void;
  /** For what is given up as soon as a list is asked for, or `signal` aborts. */
  until(signal: AbortSignal): AbortSignal;
}

export function createRelisting(): Relisting {
  let isAsked = false;
  let current = new AbortController();
  return {
    ask() {
      isAsked = true;
      current.abort(NO_LONGER_WANTED);
    },
    isAsked: () => isAsked,
    begin() {
      isAsked = false;
    },
    until(signal) {
      current = new AbortController();
      return AbortSignal.any([signal, current.signal]);
    },
  };
}
