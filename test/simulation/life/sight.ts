import type { Act } from './script.ts';

/** How far back a decision may lie that is carried out now. */
export interface Sight {
  /** An act that may keep processes from seeing what users want. Call it when it is performed. */
  performed(act: Act, now: number): void;
  /** Nothing is in the way from now on, but for what began before. */
  calm(now: number): void;
  /** What was wanted before this moment, every process has seen. Virtual milliseconds. */
  since(now: number): number;
}

/** In good times a process sees a change, and what it decided before has left it, within this long. Milliseconds. */
const QUICK = 6000;
/** So long it takes until a watch that was lost is there again, with the longest waits between its tries. Milliseconds. */
const RECOVERY = 45_000;

export function createSight(): Sight {
  /** When processes may be blind; they overlap. */
  let blind: { from: number; to: number }[] = [];

  function blindFor(now: number, milliseconds: number): void {
    blind.push({ from: now, to: now + milliseconds });
  }

  return {
    performed(act, now) {
      switch (act.what) {
        case 'fault':
          if (act.to === 'kubernetes') blindFor(now, act.lasts + RECOVERY);
          return;
        case 'suspend':
          // It strikes when it strikes.
          return blindFor(now, act.milliseconds + RECOVERY + (act.on ? 600_000 : 0));
        case 'partition':
          if (act.to === 'kubernetes') blindFor(now, act.milliseconds + RECOVERY);
          return;
        case 'restore etcd':
          return blindFor(now, RECOVERY);
        case 'freeze watches':
          return blindFor(now, act.milliseconds + RECOVERY);
        case 'deny':
          return blindFor(now, act.lasts + RECOVERY);
        case 'cut watches':
        case 'end watches':
        case 'compact':
          return blindFor(now, RECOVERY);
        default:
      }
    },
    calm(now) {
      blind = blind.map(({ from, to }) => ({ from, to: Math.min(to, now + RECOVERY) }));
    },
    since(now) {
      let since = now - QUICK;
      for (;;) {
        const earlier = blind.reduce((least, { from, to }) => (to >= since ? Math.min(least, from) : least), since);
        if (earlier === since) return Math.max(0, since);
        since = earlier - QUICK;
      }
    },
  };
}
