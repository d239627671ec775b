import type { Scene } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';
import { limitOf } from './limits.ts';

const HOUR = 3_600_000;
/** What was to be written, and looked at because of it, is done by then. Milliseconds. */
const WRITTEN = 20 * 60_000;

/**
 * A tenth of the hour's web acceleration requests, and one at least of three or more, is kept for certificates, other changes and reads that a change depends
 * on: it is never used where for more than an hour nobody changed anything.
 */
export const keptForWrites: AlwaysInvariant = {
  name: 'a tenth is kept for writes',
  watch(scene, say) {
    const reads = new Map<string, number[]>();
    let lastWrite = 0;
    return {
      arrived({ api, from, route }) {
        const { cause, token } = scene;
        if (api !== 'webaccel' || !cause || cause.isSecond || token === undefined) return;
        const moment = cause.writtenAt;
        if (!route.startsWith('GET ')) lastWrite = moment;
        const times = (reads.get(token) ?? []).filter((time) => time > moment - HOUR && time <= moment);
        times.push(moment);
        reads.set(token, times);
        if (lastDisturbance() > moment - HOUR - WRITTEN) return;
        const limit = limitOf(scene, token, from, 'webAccelRequestsPerHour', 500);
        const most = limit - Math.max(Math.floor(limit / 10), limit > 2 ? 1 : 0);
        if (times.length > most)
          say(
            `${from} reads ${times.length} times in an hour with ${token} (${route}), of ${limit} requests of which ${limit - most} are kept for changes`,
          );
      },
    };

    /** When something was changed last, or went wrong, or a process began. */
    function lastDisturbance(): number {
      const now = scene.world.now();
      const steps = scene.script.steps.findLast(({ at }) => at <= now)?.at ?? 0;
      const starts = scene.world.processes.map(({ startedAt }) => startedAt);
      return Math.max(lastWrite, steps, ...starts, lastEncore(scene, now));
    }
  },
};

/** Once there are acts in quiet times, there is no telling any more. */
function lastEncore({ calmSince, script }: Scene, now: number): number {
  return calmSince !== undefined && script.encore.length > 0 ? now : 0;
}
