import type { AlwaysInvariant } from './invariant.ts';

const routes: ReadonlySet<string> = new Set([
  'PUT /commonserviceitem/:id/sim/activate',
  'PUT /commonserviceitem/:id/sim/deactivate',
  'PUT /commonserviceitem/:id/sim/ip',
  'DELETE /commonserviceitem/:id/sim/ip',
]);
/** So long a list that lies is remembered, and so long a write is known to have been answered. Milliseconds. */
const REMEMBERED = 120_000;

/** What was written and answered is not written again at once: no decision goes by what was observed before it. */
export const writtenOnce: AlwaysInvariant = {
  name: 'written once',
  watch(scene, say) {
    const arrivedAt = new Map<number, number>();
    /** Writes whose answer says nothing. */
    const spoilt = new Set<number>();
    /** By process and what is written: when it was carried out, of the last that was answered. */
    const done = new Map<string, number>();
    let liedAt = -Infinity;
    return {
      arrived({ fault, method }) {
        if (fault === undefined) return;
        if (method === 'GET') liedAt = scene.world.now();
        else if (scene.cause) spoilt.add(scene.cause.message.serial);
      },
      message(moment, { serial, route, target, body, process }, answer) {
        if (!routes.has(route)) return;
        const now = scene.world.now();
        const key = `${process} ${route} ${target} ${body ?? ''}`;
        if (moment === 'arrived' && !arrivedAt.has(serial)) arrivedAt.set(serial, now);
        if (moment === 'answered' && answer?.status === 200 && !spoilt.has(serial))
          done.set(key, arrivedAt.get(serial) ?? now);
        if (moment !== 'begun') return;
        const before = done.get(key);
        const id = /commonserviceitem\/(\d+)/.exec(target)?.[1] ?? '';
        const startedAt = scene.world.processes.find(({ name }) => name === process)?.startedAt ?? 0;
        if (before === undefined || before < Math.max(startedAt, now - REMEMBERED) || liedAt > now - REMEMBERED) return;
        if (scene.atService.lastChange('sims', id) > before) return;
        say(
          `${process} sends ${route} for SIM ${id} again ${((now - before) / 1000).toFixed(1)} s after it was carried out`,
        );
      },
    };
  },
};
