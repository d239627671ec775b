import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { addresses, networks } from '../vocabulary.ts';
import { alter, annotateAt, introduce } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSED = 'edgeline.dev/paused';
const OTHER = '113300000950';
const [ADDRESS, NEXT] = addresses;
const gatewayRef = { name: 'gateway-1' };

/**
 * A SIM is taken over where it is, which takes no call, and then somebody moves it to another gateway by hand. Or that happens while
 * its Sim is paused: its address on the gateway of before is free for others.
 */
export const takenElsewhere: Story = {
  name: 'taken elsewhere',
  wishes: () =>
    eastWith(
      {
        gateways: [gatewayInUse(), gatewayInUse({ id: OTHER, name: 'other-gateway', privateInterface: networks[0] })],
        sims: [
          oldSim(0, { name: 'sim-1', gateway: gatewayInUseID, ip: ADDRESS }),
          oldSim(1, { gateway: OTHER, ip: NEXT }),
        ],
      },
      6 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', resourceID: gatewayInUseID }, random.int(SECOND));
    const spec = { iccid: iccidOf(0), gatewayRef };
    const sim = introduce(draft, 'sims', 'sim-1', spec, 500 + random.int(SECOND));
    const moved = MINUTE + random.int(2 * MINUTE);
    if (random.chance(0.5)) return whilePaused(draft, sim, moved);
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { gatewayID: OTHER } } } }, moved);
    const why = 'what is moved by hand is put back once a list shows it';
    put(draft, { what: 'expect', ref: sim.ref, shows: { gatewayID: gatewayInUseID }, why }, moved + 2 * MINUTE);
  },
  encore: () => [],
};

function whilePaused(draft: Draft, sim: Role, moved: number): void {
  const elsewhere = { sims: { [iccidOf(0)]: { gatewayID: OTHER, ip: ADDRESS } } };
  annotateAt(draft, sim, PAUSED, 'true', moved - 5 * SECOND);
  put(draft, { what: 'edit', patch: elsewhere }, moved);
  const spec = { iccid: iccidOf(1), gatewayRef, ipAddress: ADDRESS };
  const next = introduce(draft, 'sims', 'sim-2', spec, moved + MINUTE);
  const why = 'who had the address was moved elsewhere by hand';
  const shows = { gatewayID: gatewayInUseID, ip: ADDRESS };
  put(draft, { what: 'expect', ref: next.ref, shows, why }, moved + MINUTE + 30 * SECOND);
  alter(draft, sim, { ipAddress: addresses[2] }, moved + 2 * MINUTE);
  annotateAt(draft, sim, PAUSED, null, moved + 2 * MINUTE);
}
