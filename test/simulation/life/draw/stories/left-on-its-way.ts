import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { imeis } from '../vocabulary.ts';
import { alteration, annotateAt, introduce } from './parts.ts';
import { emptyEast, iccidOf, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const ROUTE = 'PUT /commonserviceitem/:id/sim/imeilock';

/**
 * Somebody takes the lock off a SIM by hand, and the process that puts it back dies before its request arrives. Before the
 * next one starts nobody wants the lock any more.
 */
export const leftOnItsWay: Story = {
  name: 'left on its way',
  wishes: () => ({ ...emptyEast(120 * SECOND), dialect: 'Extended' }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, { imeiLock: imeis[0] }), random.int(1000));
    const at = 60 * SECOND + random.int(20 * SECOND);
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { imeiLock: null } } } }, at);
    annotateAt(draft, sim, 'edgeline.dev/reconcile-at', '2026-01-01T00:00:00Z', at + 100);
    const fault = { what: 'fault', to: 'service', route: ROUTE, fault: 'delayed-arrival', count: 1, skip: 0 } as const;
    // The network may take three seconds more, and five is what a process waits.
    put(draft, { ...fault, milliseconds: 1200 + random.int(500), lasts: 30 * SECOND }, at);
    const on: Occasion = { moment: 'written', to: 'service', route: ROUTE, nth: 1 };
    put(draft, { what: 'kill', process: 0, on, restart: 300 }, at);
    const act = alteration(draft, sim, { imeiLock: undefined });
    if (act) put(draft, { what: 'upon', process: 0, on, later: 1 + random.int(200), act }, at);
  },
  encore: () => [],
};
