import type { ObjectSeeds } from '../../setting.ts';
import { seededID } from '../seed.ts';
import { alter, alteration, appear, role, shows } from './parts.ts';
import { iccidOf, nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const old = (index: number): NonNullable<ObjectSeeds['sims']>[number] => ({
  id: seededID('east', index + 1),
  createdAt: '2025-06-01T00:00:00Z',
  iccid: iccidOf(index),
  name: `old ${index + 1}`,
  activated: true,
});

/** `resourceID` names another SIM than the ICCID does. */
export const mistyped: Story = {
  name: 'mistyped',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: { ...nothing, sims: [old(0), old(1), old(2)] },
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
