import { put } from '../draft.ts';
import { seededID } from '../seed.ts';
import { annotateAt, introduce, removeAt } from './parts.ts';
import { iccidOf, nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** A Sim is told to let go of its SIM, and another one takes it over. */
export const passedOn: Story = {
  name: 'passed on',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: {
      ...nothing,
      sims: [
        { id: seededID('east', 1), createdAt: '2025-06-01T00:00:00Z', iccid: iccidOf(0), name: 'old', activated: true },
      ],
    },
    setting: { replicas: 1, leaderElect: false, trouble: 180_000 },
  }),
  cast: () => [],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const first = introduce(draft, 'sims', 'sim-1', simSpec(0), 500);
    annotateAt(draft, first, 'edgeline.dev/abandon', 'true', 30_000 + random.int(30_000));
    introduce(draft, 'sims', 'sim-2', simSpec(0, { activated: random.chance(0.5) }), 20_000 + random.int(60_000));
    if (random.chance(0.2)) removeAt(draft, first, 120_000);
    if (random.chance(0.3)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, 100_000);
  },
};
