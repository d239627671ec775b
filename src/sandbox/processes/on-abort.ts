/** Calls back when the signal is aborted, at once if it is already, until told to end. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): { end(): void } {
  if (signal?.aborted) callback();
  else signal?.addEventListener('abort', callback, { once: true });
  return { end: () => signal?.removeEventListener('abort', callback) };
}
