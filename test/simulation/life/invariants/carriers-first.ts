import { claims } from '../reading/claim.ts';
import { listedCarriers } from '../reading/sim.ts';
import { isByOperator, nameOf } from '../scene.ts';
import type { AlwaysInvariant } from './invariant.ts';

/** A SIM is not made active while it may use carriers that its spec blocks: they would charge for it. */
export const carriersFirst: AlwaysInvariant = {
  name: 'carriers before activation',
  watch: (scene, say) => ({
    changed(change) {
      if (!isByOperator(change) || scene.cause?.isSecond) return;
      const moment = scene.cause?.writtenAt ?? scene.world.now();
      for (const { kind, before, after } of change.objects) {
        if (kind !== 'sims' || !before || !after || before.activated || !after.activated) continue;
        const edited = scene.lastEdit('sims', after.id);
        if (edited !== undefined && edited > moment - EDITED) continue;
        // Whoever else means this SIM may be the one it belongs to.
        const asking = claims(scene, 'sims', change.account, moment).filter(({ versions }) =>
          versions.some(({ spec }) => spec['iccid'] === after.iccid),
        );
        const blocked = (name: string) =>
          asking.every(({ versions }) =>
            versions.every(({ spec }) => listedCarriers(spec).some((one) => one.name === name && !one.allow)),
          );
        const open = after.carriers.filter(({ name, allow }) => allow && blocked(name)).map(({ name }) => name);
        const [first] = asking;
        if (first && open.length > 0)
          say(`${nameOf(first.incarnation)} activates its SIM while it may use ${open.join(', ')}`);
      }
    },
  }),
};

/** What people change may not be known yet. Milliseconds. */
const EDITED = 35 * 60_000;
