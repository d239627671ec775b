import type { Clock } from '../clock.ts';

/** A finalizer that somebody takes off is put back at once, and no more often than this. Milliseconds. */
const PUT_BACK_MILLISECONDS = 30_000;

/** Of one that goes again and again each write would be answered by another: says when the next may be sent. */
export function createPutBack(clock: Pick<Clock, 'monotonic'>) {
  /** When it was, or will be, put back last, by UID. Monotonic milliseconds. */
  const putBackAt = new Map<string, number>();
  return {
    /** Milliseconds until the finalizer of an object (UID), which is gone now, is to be put back. */
    wait(uid: string): number {
      const now = clock.monotonic();
      const last = putBackAt.get(uid) ?? Number.NEGATIVE_INFINITY;
      if (last > now) return last - now;
      const next = Math.max(now, last + PUT_BACK_MILLISECONDS);
      putBackAt.set(uid, next);
      return next - now;
    },
    /** The object is gone. */
    forget: (uid: string): void => void putBackAt.delete(uid),
  };
}
