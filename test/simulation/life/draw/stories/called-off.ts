import type { Act } from '../../script.ts';
import { put } from '../draft.ts';
import { introduce, removeAt } from './parts.ts';
import { fail } from './parts-crowd.ts';
import { eastWith, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A deletion fails for a while, and somebody calls it off; no watch tells of that, and none says that it has ended. */
export const calledOffUnseen: Story = {
  name: 'called off unseen',
  wishes: () => eastWith({ sims: [oldSim(0)] }, 6 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, { deletionPolicy: 'Delete' }), random.int(2000));
    const at = MINUTE + random.int(MINUTE);
    const fault = random.pick(['conflict', 'locked'] as const);
    fail(draft, { route: 'DELETE /commonserviceitem/:id', fault, lasts: 93 * SECOND }, at - 10);
    removeAt(draft, sim, at);
    put(draft, { what: 'freeze watches', process: 0, milliseconds: 118 * SECOND }, at + SECOND);
    const patches = [
      { spec: { deletionPolicy: 'Orphan' } },
      { metadata: { annotations: { 'edgeline.dev/abandon': 'true' } } },
    ];
    const act: Act = { what: 'patch', ref: sim.ref, patch: random.pick(patches) };
    put(draft, act, at + SECOND + 10);
  },
  encore: () => [],
};
