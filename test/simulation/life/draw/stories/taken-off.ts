import { put } from '../draft.ts';
import { alter, annotateAt, appear, introduce, removeAt, role } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const gateway = role('mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2 });

/** A Sim is paused, names another gateway, and its SIM is taken off the one it was on by hand: that one can be deleted, and made anew. */
export const takenOff: Story = {
  name: 'taken off',
  wishes: () => eastWith({ sims: [oldSim(0)] }, 8 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    appear(draft, gateway, {}, random.int(SECOND));
    const spec = simSpec(0, { gatewayRef: { name: 'gateway-1' } });
    const sim = introduce(draft, 'sims', 'sim-1', spec, random.int(2 * SECOND));
    const at = 2 * MINUTE + random.int(30 * SECOND);
    annotateAt(draft, sim, 'edgeline.dev/paused', 'true', at);
    alter(draft, sim, { gatewayRef: { name: 'gateway-2' } }, at + 2 * SECOND);
    const off = at + 4 * SECOND + random.int(10 * SECOND);
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { gatewayID: null } } } }, off);
    const leaves = off + 2 * SECOND + random.int(20 * SECOND);
    removeAt(draft, gateway, leaves);
    // Whose name is free as soon as the one before is gone.
    appear(draft, gateway, {}, leaves + MINUTE);
    expectReady(draft, gateway, 'nothing is on the one before it any more', leaves + 3 * MINUTE);
  },
  encore: () => [],
};
