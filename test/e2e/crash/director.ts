/** What becomes of a request that was held: it goes on, or its connection ends without it. */
export type Verdict = 'release' | 'drop';

/** One request of the operator, as the crash tests speak of it. */
export interface Call {
  /** The Sim, or what else, it is about. */
  readonly subject: string;
  /** `METHOD /path` at the service, `METHOD kind` or `METHOD kind/subresource` at Kubernetes. */
  readonly route: string;
}

/** A moment of a subject's life: just before or just after its nth call on a route, counted from 1. */
export interface Point {
  readonly route: string;
  readonly nth: number;
  readonly when: 'before' | 'after';
}

interface Followed {
  readonly calls: string[];
  readonly answered: Map<string, number>;
  readonly point: Point | undefined;
}

/**
 * Decides about each request that passes one of the proxies: all go on at once, but for the one that meets the point its
 * subject is to be stopped at.
 */
export function createDirector() {
  const followed = new Map<string, Followed>();
  const held = new Map<string, (verdict: Verdict) => void>();

  function isMet(subject: Followed, route: string, when: Point['when']): boolean {
    const { point, calls, answered } = subject;
    if (when === 'before') calls.push(route);
    else answered.set(route, (answered.get(route) ?? 0) + 1);
    if (point?.route !== route || point.when !== when) return false;
    const nth = when === 'before' ? calls.filter((call) => call === route).length : answered.get(route);
    return nth === point.nth;
  }

  return {
    /** Counts a subject's calls from now on, and stops it at the point, if one is given. */
    follow: (subject: string, point?: Point): void =>
      void followed.set(subject, { calls: [], answered: new Map(), point }),

    /** The routes of its calls since `follow`, in order. */
    calls: (subject: string): readonly string[] => followed.get(subject)?.calls ?? [],

    isHeld: (subject: string): boolean => held.has(subject),

    /** Lets the held request of a subject go on, or ends it; does nothing when none is held. */
    decide(subject: string, verdict: Verdict): void {
      held.get(subject)?.(verdict);
      held.delete(subject);
    },

    /** What the proxies ask. */
    async meet({ subject, route }: Call, when: Point['when']): Promise<Verdict> {
      const entry = followed.get(subject);
      if (!entry || !isMet(entry, route, when)) return 'release';
      return new Promise((resolve) => held.set(subject, resolve));
    },
  };
}

export type Director = ReturnType<typeof createDirector>;
