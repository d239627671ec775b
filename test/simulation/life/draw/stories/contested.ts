import { put } from '../draft.ts';
import { appear } from './parts.ts';
import { iccidOf, nothing, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** A script, or another installation elsewhere, takes a SIM out of service again and again. */
export const contested: Story = {
  name: 'contested',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: { replicas: 1, leaderElect: false, logs: false, trouble: 32 * MINUTE },
  }),
  cast: () => simRoles(1),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    for (const role of cast) appear(draft, role, { activated: true }, 500);
    const every = 20_000 + random.int(20_000);
    for (let at = 2 * MINUTE; at < 30 * MINUTE; at += every) {
      put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { activated: false } } } }, at);
    }
  },
};
