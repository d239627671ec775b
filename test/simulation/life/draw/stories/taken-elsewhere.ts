import { put } from '../draft.ts';
import { networks } from '../vocabulary.ts';
import { introduce } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OTHER = '113300000950';

/** A SIM is taken over where it is, which takes no call, and then somebody moves it to another gateway by hand. */
export const takenElsewhere: Story = {
  name: 'taken elsewhere',
  wishes: () =>
    eastWith(
      {
        gateways: [gatewayInUse(), gatewayInUse({ id: OTHER, name: 'other-gateway', privateInterface: networks[0] })],
        sims: [oldSim(0, { name: 'sim-1', gateway: gatewayInUseID })],
      },
      6 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', resourceID: gatewayInUseID }, random.int(SECOND));
    const spec = { iccid: iccidOf(0), gatewayRef: { name: 'gateway-1' } };
    const sim = introduce(draft, 'sims', 'sim-1', spec, 500 + random.int(SECOND));
    const moved = MINUTE + random.int(2 * MINUTE);
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { gatewayID: OTHER } } } }, moved);
    const why = 'what is moved by hand is put back once a list shows it';
    put(draft, { what: 'expect', ref: sim.ref, shows: { gatewayID: gatewayInUseID }, why }, moved + 2 * MINUTE);
  },
  encore: () => [],
};
