/** A request that is being held. */
export interface Hold {
  readonly id: string;
  readonly faultID: string;
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly account: string | null;
  /** Held before or after its change. */
  readonly when: 'before' | 'after';
  readonly body?: unknown;
}

type Verdict = 'release' | 'drop';

export interface Holds {
  /** Resolves when someone has decided about the request. */
  hold(request: Omit<Hold, 'id'>): Promise<Verdict>;
  list(): readonly Hold[];
  /** Resolves when at least one request is held, or after so many milliseconds. */
  wait(milliseconds: number): Promise<readonly Hold[]>;
  decide(id: string, verdict: Verdict): boolean;
  decideAll(verdict: Verdict): void;
}

export function createHolds(): Holds {
  const held = new Map<string, { hold: Hold; decide: (verdict: Verdict) => void }>();
  const waiting = new Set<() => void>();
  let last = 0;
  const list = () => [...held.values()].map(({ hold }) => hold);

  function decide(id: string, verdict: Verdict): boolean {
    const entry = held.get(id);
    held.delete(id);
    entry?.decide(verdict);
    return entry !== undefined;
  }

  return {
    hold(request) {
      return new Promise((resolve) => {
        const id = String(++last);
        held.set(id, { hold: { id, ...request }, decide: resolve });
        for (const wake of waiting) wake();
      });
    },
    list,
    async wait(milliseconds) {
      if (held.size === 0 && milliseconds > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(wake, milliseconds);
          waiting.add(wake);
          function wake() {
            clearTimeout(timer);
            waiting.delete(wake);
            resolve();
          }
        });
      }
      return list();
    },
    decide,
    decideAll(verdict) {
      for (const id of held.keys()) decide(id, verdict);
    },
  };
}
