import type { AlwaysInvariant } from './invariant.ts';

/** Within so long each list is read again, with the time that its requests take. Milliseconds. */
const POLL = 150_000;

/** Where nothing else is wrong, a creation that the token is not allowed stops nothing that it is allowed. */
export const refusalStopsNothingElse: AlwaysInvariant = {
  name: 'a refused creation stops nothing else',
  watch(scene, say) {
    const isAllElseWell = scene.script.steps.every(
      (step) =>
        ['create', 'patch', 'delete', 'edit'].includes(step.what) ||
        (step.what === 'fault' &&
          typeof step.fault === 'object' &&
          'service' in step.fault &&
          step.fault.service === 'forbidden'),
    );
    const read = new Map<string, number>();
    return {
      arrived({ fault, route, api }) {
        const { token = '', world } = scene;
        if (!isAllElseWell) return;
        if (route.startsWith('GET ')) read.set(`${token} ${api}`, world.now());
        if (fault !== 'forbidden') return;
        const refusedAt = world.now();
        world.at(refusedAt + POLL, () => {
          const last = read.get(`${token} ${api}`);
          // One that was under way then says nothing.
          if (last !== undefined && last > refusedAt + 5000) return;
          say(`since ${route} was forbidden nothing was read with ${token} for ${POLL / 1000} s`);
        });
      },
    };
  },
};
