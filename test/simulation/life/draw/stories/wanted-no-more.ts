import { put } from '../draft.ts';
import { alter, appear, removeAt } from './parts.ts';
import { iccidOf, nothing, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** A registration is interrupted and then not wanted any more; long after somebody registers the SIM by hand. */
export const wantedNoMore: Story = {
  name: 'wanted no more',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    setting: { replicas: 1, leaderElect: false, trouble: 9 * MINUTE, service: { stillCreatingMs: 0 } },
  }),
  cast: () => simRoles(1),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [sim] = cast;
    if (!sim) return;
    const route = 'POST /commonserviceitem';
    const fault = { service: random.pick(['cut before', 'stall before'] as const) };
    put(draft, { what: 'fault', to: 'service', route, fault, count: 1, skip: 0, milliseconds: 0, lasts: MINUTE });
    appear(draft, sim, {}, 500);
    alter(draft, sim, { adoption: 'Required' }, 20_000 + random.int(20_000));
    const at = 5.5 * MINUTE + random.int(30_000);
    put(draft, { what: 'stop', process: 0, restart: 10_000 }, at);
    const seed = { iccid: iccidOf(0), name: 'by hand' };
    put(draft, { what: 'add', account: 'east', kind: 'sims', seed }, at + 3000);
    removeAt(draft, sim, at + 80_000);
  },
};
