import { seededID } from '../seed.ts';
import { alter, alteration, appear, role, shows } from './parts.ts';
import { nothing, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** `resourceID` names another SIM than the ICCID does. */
export const mistyped: Story = {
  name: 'mistyped',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: { ...nothing, sims: [oldSim(0), oldSim(1), oldSim(2)] },
    setting: { replicas: 1, leaderElect: false, trouble: 120_000 },
  }),
  cast: () => [
    role('sims', 'sim-1', { ...simSpec(0), resourceID: seededID('east', 2) }),
    role('sims', 'sim-2', simSpec(2)),
  ],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [wrong, right] = cast;
    if (wrong) appear(draft, wrong, { activated: false }, 500 + random.int(1000));
    if (!right) return;
    appear(draft, right, {}, 500 + random.int(1000));
    alter(draft, right, { activated: false }, 40_000 + random.int(40_000));
  },
  encore(draft) {
    const right = draft.cast[1];
    const act = right && alteration(draft, right, { activated: true });
    return act ? [shows(act, 'a change of a spec is carried out at once')] : [];
  },
};
