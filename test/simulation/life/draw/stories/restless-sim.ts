import { put } from '../draft.ts';
import { networks } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { emptyEast, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const gatewayRef = { name: 'gateway-1' };

/** A SIM comes to a gateway, and then another one is to go there and elsewhere in turn, which is only observed. */
export const restlessSim: Story = {
  name: 'restless sim',
  wishes: () => ({ ...emptyEast(190 * SECOND), hasOther: false }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', {
      zone: 'is1a',
      planID: 2,
      privateInterface: networks[0],
    });
    const restless = introduce(draft, 'sims', 'restless', simSpec(1), 1000);
    const comer = introduce(draft, 'sims', 'comer', simSpec(0), 2000);
    const at = 110 * SECOND + random.int(30 * SECOND);
    alter(draft, restless, { managementPolicy: 'Observe', gatewayRef }, at - 40 * SECOND);
    alter(draft, comer, { gatewayRef, ipAddress: '10.0.0.11' }, at);
    let isThere = true;
    for (let turn = at + 2 * SECOND; turn < at + 40 * SECOND; turn += 3 * SECOND + random.int(5 * SECOND)) {
      isThere = !isThere;
      alter(draft, restless, { gatewayRef: isThere ? gatewayRef : { name: 'gateway-2' } }, turn);
    }
    const shows = { 'sims.registered': 1 };
    const why = 'only what another Sim asks for was changed again since that SIM came';
    put(draft, { what: 'expect', ref: gateway.ref, shows, why }, at + 25 * SECOND);
  },
  encore: () => [],
};
