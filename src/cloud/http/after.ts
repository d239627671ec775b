import { type Clock, NO_LONGER_WANTED } from '../../clock.ts';

/** Calls `action` after so many milliseconds, unless the returned function is called before. */
export function after(clock: Clock, milliseconds: number, action: () => void): () => void {
  const cancel = new AbortController();
  async function wait(): Promise<void> {
    try {
      await clock.sleep(milliseconds, cancel.signal);
    } catch {
      return;
    }
    if (!cancel.signal.aborted) action();
  }
  void wait();
  return () => cancel.abort(NO_LONGER_WANTED);
}
