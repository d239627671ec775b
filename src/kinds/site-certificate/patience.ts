import type { Clock } from '../../clock.ts';

/** So long whoever has a certificate's record is waited for, though its account does not show the site. Milliseconds. */
const PATIENCE_MILLISECONDS = 900_000;

/** Who is still waited for: each once in the life of a process, for nobody is kept waiting by what anybody can make up again and again. */
export interface Patience {
  /** `uid`: of the SiteCertificate that may have the site. The first question begins the time. */
  isFor(uid: string): boolean;
  drop(uid: string): void;
}

export function createPatience(clock: Pick<Clock, 'monotonic'>): Patience {
  const since = new Map<string, number>();
  return {
    isFor(uid) {
      const now = clock.monotonic();
      const first = since.get(uid) ?? now;
      since.set(uid, first);
      return now - first < PATIENCE_MILLISECONDS;
    },
    drop: (uid) => void since.delete(uid),
  };
}
