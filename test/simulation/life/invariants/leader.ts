import type { AlwaysInvariant } from './invariant.ts';
import { leaseHolder } from './limits.ts';

/** No write by who does not hold the Lease, neither at the service nor in the cluster. */
export const leaderOnly: AlwaysInvariant = {
  name: 'only the leader writes',
  watch: (scene, say) => ({
    message(moment, { verb, to, route, process }) {
      if (!scene.script.setting.leaderElect || moment !== 'written' || verb === 'GET') return;
      if (to === 'kubernetes' && / (leases|events)$/.test(route)) return;
      const holder = leaseHolder(scene);
      if (holder !== process)
        say(`${process} sends ${route}, and the Lease is ${holder === undefined ? 'nobody’s' : `${holder}’s`}`);
    },
  }),
};
