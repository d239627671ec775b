import type { Sim } from './schema.ts';

/** Every SIM's details are read at least this often. Milliseconds. */
const CYCLE = 12 * 3_600_000;

/**
 * Chooses whose carriers to read again: the list of SIMs doesn't show them, so drift in them is found only by looking.
 * One SIM a poll costs nothing worth mentioning; a fleet too large for that gets as many as see each SIM every 12 hours.
 */
export function createSimAudit(random: () => number) {
  const auditedAt = new Map<string, number>();
  return {
    /** The SIMs of one account that are due, given all it has; `now` and `interval` in milliseconds. */
    due(sims: readonly Sim[], now: number, interval: number): Sim[] {
      const eligible = sims.filter(
        (sim) => sim.status?.id !== undefined && sim.metadata.deletionTimestamp === undefined,
      );
      const last = (sim: Sim): number => {
        const { uid } = sim.metadata;
        const known = auditedAt.get(uid);
        if (known !== undefined) return known;
        // Where this process has not looked yet, the order is random, so that restarts don't favour the same few.
        const assumed = now - random() * CYCLE;
        auditedAt.set(uid, assumed);
        return assumed;
      };
      const count = Math.max(1, Math.ceil((eligible.length * interval) / CYCLE));
      const chosen = eligible
        .map((sim) => ({ sim, at: last(sim) }))
        .sort((a, b) => a.at - b.at)
        .slice(0, count);
      for (const { sim } of chosen) auditedAt.set(sim.metadata.uid, now);
      return chosen.map(({ sim }) => sim);
    },
    forget: (uid: string): void => void auditedAt.delete(uid),
  };
}
