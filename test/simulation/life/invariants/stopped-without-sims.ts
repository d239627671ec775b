import { nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A SIM that came so lately may not have been seen. Milliseconds. */
const SEEN = 75_000;
const RELEASE = 'edgeline.dev/release-sims';

/** A gateway is stopped to be deleted only once it has no SIM, unless somebody said that these are to be taken off. */
export const stoppedWithoutSims: AlwaysInvariant = {
  name: 'a gateway that has SIMs is not stopped',
  watch: (scene, say) => ({
    arrived({ from, route, ids: [id = ''], outcome }) {
      if (route !== 'DELETE /appliance/:id/power' || outcome !== 200) return;
      const account = scene.atService.accountOf(id);
      if (account === undefined) return;
      const since = scene.world.now() - SEEN;
      const owners = scene.intent.all.filter(({ plural, ids }) => plural === 'mobilegateways' && ids.includes(id));
      const isReleased = owners.some(({ versions }) =>
        versions.some(({ annotations }) => annotations[RELEASE] === 'true'),
      );
      const [owner] = owners;
      if (!owner || isReleased) return;
      for (const { id: sim, gatewayID } of scene.world.service.world(account).sims.values()) {
        const wasThere = scene.atService.pastOf('sims', sim, since).every((view) => view.gatewayID === id);
        if (gatewayID !== id || !wasThere) continue;
        return say(`${from} stops ${id} of ${nameOf(owner)}, and SIM ${sim} is registered with it`);
      }
    },
  }),
};
