import { put } from '../draft.ts';
import { annotateAt, introduce, removeAt } from './parts.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** A Sim is told to let go of its SIM, and another one takes it over. */
export const passedOn: Story = {
  name: 'passed on',
  wishes: () =>
    eastWith(
      {
        sims: [oldSim(0, { name: 'old' })],
      },
      180_000,
    ),
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
