import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { alteration, introduce } from './parts.ts';
import { eastWith, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
/** A third of it on each of its ways, to the connection, to the apiserver and back. */
const SLOW = 24 * SECOND;

/**
 * A process that stands by reads its resources anew, and the answer takes long. Meanwhile a SIM is taken out of service, and
 * then this process is to lead: what it is about to be told is of before, and what is so since takes as long again.
 */
export const newLeader: Story = {
  name: 'new leader',
  wishes: () => {
    const { setting, ...wishes } = eastWith({ sims: [oldSim(0)] }, 140 * SECOND);
    return { ...wishes, setting: { ...setting, replicas: 2, leaderElect: true } };
  },
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sim = introduce(draft, 'sims', 'sim-1', { iccid: iccidOf(0), activated: true }, 500);
    // From then on the other one leads.
    put(draft, { what: 'stop', process: 1, restart: 15 * SECOND }, 5 * SECOND);
    const at = 40 * SECOND + random.int(10 * SECOND);
    // First it looks whether the cluster's history is still the same, which takes a list of one.
    const slow = { what: 'fault', to: 'kubernetes', route: 'list sims', fault: 'slow', count: 2, skip: 1 } as const;
    put(draft, { ...slow, milliseconds: SLOW, lasts: 60 * SECOND }, at - 10);
    put(draft, { what: 'compact' }, at - 5);
    put(draft, { what: 'cut watches', process: 1 }, at);
    const on: Occasion = { moment: 'arrived', to: 'kubernetes', route: 'list sims', nth: 2 };
    const act = alteration(draft, sim, { activated: false });
    if (act) put(draft, { what: 'upon', process: 1, on, later: 100 + random.int(500), act }, at - 1);
    const stop = { what: 'stop', process: 0, restart: 60 * SECOND } as const;
    put(draft, { what: 'upon', process: 1, on, later: 1500 + random.int(1000), act: stop }, at - 1);
    const shows = { activated: false, activatedAt: '2025-06-01T00:00:00+00:00' };
    const why = 'nobody wanted it active again';
    put(draft, { what: 'expect', ref: sim.ref, shows, why }, at + 80 * SECOND);
  },
  encore: () => [],
};
