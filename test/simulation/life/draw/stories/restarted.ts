import { put } from '../draft.ts';
import { createRole, removeField, userActs } from '../users.ts';
import { iccids, ref } from '../vocabulary.ts';
import type { Story } from './story.ts';

/** Users go on while no process is there. */
export const restarted: Story = {
  name: 'restarted',
  wishes: () => ({ setting: { replicas: 1, leaderElect: false, trouble: 300_000 } }),
  tell(draft) {
    const { random } = draft;
    draft.at = 120_000 + random.int(30_000);
    const what = random.pick(['kill', 'stop'] as const);
    if (what === 'stop') put(draft, { what, process: 0, restart: 60_000 });
    else put(draft, { what, process: 0, on: undefined, restart: 40_000 });
    draft.at += 35_000;
    // Nobody's news leads to this one: its account is not there.
    const [namespace] = draft.drawn.namespaces;
    const accountRef = { kind: 'CloudAccount', name: 'missing' };
    const fixed = { iccid: random.pick(iccids), accountRef };
    createRole(draft, { ref: ref('sims', namespace, 'sim-lost'), plural: 'sims', fixed, world: 'east' });
    const [edit] = userActs;
    for (let count = 0; count < 3; count++) {
      if (random.chance(0.7)) edit?.draw(draft);
      else removeField(draft);
    }
  },
  isAlone: true,
};
