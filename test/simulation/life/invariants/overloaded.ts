import type { AlwaysInvariant } from './invariant.ts';

/** Milliseconds. */
const MINUTE = 60_000;
/** So many refusals a minute are met at most: of one request, a few tries, and then now and then one to see whether it is over. */
const MOST = 35;

/** A service that answers that it has too much to do is asked less from then on, however much there is to ask. */
export const overloaded: AlwaysInvariant = {
  name: 'who has too much to do is asked less',
  watch(scene, say) {
    const { steps, setting } = scene.script;
    // Whoever begins anew finds out anew.
    if (setting.replicas > 1 || steps.some(({ what }) => what === 'kill' || what === 'stop')) return {};
    /** When which token was refused so. */
    const refused = new Map<string, number[]>();
    return {
      arrived({ fault }) {
        const { token = '', world } = scene;
        if (fault !== 'too many requests') return;
        const since = world.now() - MINUTE;
        const times = [...(refused.get(token) ?? []).filter((at) => at > since), world.now()];
        refused.set(token, times);
        if (times.length > MOST)
          say(`${token} is refused for the ${times.length}th time within a minute, for it asks too much`);
      },
    };
  },
};
