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
/** The same of one that is there and says nothing: it is given up after two minutes. Milliseconds. */
const SILENCE = 120_000 + RECOVERY;

export function createSight(): Sight {
  /** When processes may be blind; they overlap. */
  let blind: { from: number; to: number; recovery: number }[] = [];

  function blindFor(now: number, milliseconds: number, recovery = RECOVERY): void {
    blind.push({ from: now, to: now + milliseconds + recovery, recovery });
  }

  return {
    performed(act, now) {
      switch (act.what) {
        case 'fault':
          if (act.to === 'kubernetes') blindFor(now, act.lasts, act.fault === 'stall' ? SILENCE : RECOVERY);
          return;
        case 'suspend':
          // It strikes when it strikes.
          return blindFor(now, act.milliseconds + (act.on ? 600_000 : 0));
        case 'partition':
          if (act.to === 'kubernetes') blindFor(now, act.milliseconds);
          return;
        case 'restore etcd':
          return blindFor(now, 0);
        case 'freeze watches':
          return blindFor(now, act.milliseconds);
        case 'deny':
          return blindFor(now, act.lasts);
        case 'cut watches':
        case 'end watches':
        case 'compact':
          return blindFor(now, 0);
        default:
      }
    },
    calm(now) {
      blind = blind.map((one) => ({ ...one, to: Math.min(one.to, now + one.recovery) }));
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
