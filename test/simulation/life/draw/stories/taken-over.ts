import type { Act, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { OLD, seededID } from '../seed.ts';
import { introduce } from './parts.ts';
import { eastWith, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** What exists already is found by whoever would make it: asked not to, or after a creation that was interrupted. */
export const takenOver: Story = {
  name: 'taken-over',
  wishes: () =>
    eastWith(
      {
        sims: [oldSim(0)],
        gateways: [{ id: seededID('east', 100), createdAt: OLD, name: 'gateway-1', zone: 'is1a' }],
      },
      300_000,
    ),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'sims', 'sim-1', simSpec(0, { adoption: 'Never', activated: false }), random.int(2000));
    // The old one is moved into the account just when it would have been registered.
    const sim = introduce(draft, 'sims', 'sim-2', simSpec(1), 5000 + random.int(2000));
    const registered: Occasion = { moment: 'begun', to: 'service', route: 'POST /commonserviceitem', nth: 1 };
    interrupt(registered);
    const seed = { iccid: iccidOf(1), name: 'old 2', createdAt: OLD };
    const add: Act = { what: 'add', account: 'east', kind: 'sims', seed };
    put(draft, { what: 'upon', process: 0, on: registered, later: 100 + random.int(400), act: add });
    if (random.chance(0.5)) {
      draft.present.delete(sim);
      put(draft, { what: 'delete', ref: sim.ref }, 280_000);
    }
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2 }, 40_000 + random.int(2000));
    const made: Occasion = {
      moment: random.pick(['begun', 'written', 'answered']),
      to: 'service',
      route: 'POST /appliance',
      nth: 1,
    };
    interrupt(made);

    function interrupt(on: Occasion): void {
      put(draft, { what: 'kill', process: 0, on, restart: 500 + random.int(5000) });
    }
  },
};
