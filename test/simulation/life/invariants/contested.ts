import { same } from '../json.ts';
import { simReadings } from '../reading/sim.ts';
import { isByOperator } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

const HOUR = 3_600_000;
/** Five at once, and then after one minute, two, four and so on. */
const MOST = 5 + 6;

/** Drift that somebody causes again and again is corrected less and less often. */
export const contested: AlwaysInvariant = {
  name: 'what is contested is corrected less and less often',
  watch(scene, say) {
    /** Fields that people changed last, and when they were put right, by SIM and field. */
    const edited = new Set<string>();
    const corrected = new Map<string, number[]>();
    return {
      changed(change) {
        const now = scene.world.now();
        for (const object of change.objects) {
          if (object.kind !== 'sims' || !object.before || !object.after) continue;
          const { before, after } = object;
          for (const reading of simReadings) {
            if (same(reading.part(before), reading.part(after))) continue;
            const key = `${reading.field} of SIM ${after.id}`;
            if (!isByOperator(change)) edited.add(key);
            else if (edited.delete(key)) count(key, after.iccid, now);
          }
        }
      },
    };

    function count(key: string, iccid: string, now: number): void {
      const since = Math.max(now - HOUR, lastWord(iccid));
      const times = (corrected.get(key) ?? []).filter((at) => at > since);
      times.push(now);
      corrected.set(key, times);
      if (times.length === MOST + 1) say(`${key} is put right for the ${times.length}th time within an hour`);
    }

    /** When users last changed what they want of it, or a process began that remembers nothing. */
    function lastWord(iccid: string): number {
      const versions = scene.intent.all
        .filter((one) => one.plural === 'sims')
        .flatMap((one) => one.versions.filter(({ spec }) => spec['iccid'] === iccid));
      return Math.max(0, ...versions.map(({ at }) => at), ...scene.world.processes.map(({ startedAt }) => startedAt));
    }
  },
};
