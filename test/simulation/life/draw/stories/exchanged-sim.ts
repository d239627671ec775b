import { put } from '../draft.ts';
import { seededID } from '../seed.ts';
import { imeis } from '../vocabulary.ts';
import { alter, annotateAt, introduce } from './parts.ts';
import { eastWith, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSED = 'edgeline.dev/paused';

/**
 * While a Sim is paused, its fields leave its spec, and somebody registers its SIM anew at the service, and sets the same fields
 * there: they are not the Sim's to unset.
 */
export const exchangedSim: Story = {
  name: 'exchanged SIM',
  wishes: () => eastWith({ sims: [oldSim(0), oldSim(1)] }, 6 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const spec = { imeiLock: imeis[0], displayName: 'Truck', carriers: [{ name: 'KDDI', allow: true }] };
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, spec), random.int(2000));
    const at = MINUTE + random.int(MINUTE);
    annotateAt(draft, sim, PAUSED, 'true', at);
    alter(draft, sim, { imeiLock: undefined, displayName: undefined, carriers: undefined }, at + 5 * SECOND);
    const made = at + 20 * SECOND + random.int(10 * SECOND);
    put(draft, { what: 'remove', kind: 'sims', name: iccidOf(0) }, made);
    const seed = {
      // As a service has it that is the copy of another, where IDs are the same.
      ...(random.chance(0.5) && { id: seededID('east', 1) }),
      iccid: iccidOf(0),
      name: 'by hand',
      activated: true,
      imeiLock: imeis[1],
    };
    put(draft, { what: 'add', account: 'east', kind: 'sims', seed }, made + 1);
    annotateAt(draft, sim, PAUSED, null, made + 20 * SECOND + random.int(2 * MINUTE));
  },
  encore: () => [],
};
