import { put } from '../draft.ts';
import { networks } from '../vocabulary.ts';
import { annotateAt, introduce } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { eastWith, gatewayInUse, gatewayInUseID, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OTHER = '113300000950';
const ADDRESS = '10.0.0.11';

/** A Sim is paused, and its SIM is moved to another gateway by hand: the address that it had is there for the next one. */
export const movedWhilePaused: Story = {
  name: 'moved while paused',
  wishes: () =>
    eastWith(
      {
        gateways: [gatewayInUse(), gatewayInUse({ id: OTHER, name: 'other-gateway', privateInterface: networks[0] })],
        sims: [oldSim(0, { gateway: gatewayInUseID, ip: ADDRESS }), oldSim(1)],
      },
      7 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', resourceID: gatewayInUseID }, random.int(SECOND));
    const place = { gatewayRef: { name: 'gateway-1' }, ipAddress: ADDRESS };
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, place), random.int(2 * SECOND));
    const at = MINUTE + random.int(MINUTE);
    annotateAt(draft, sim, 'edgeline.dev/paused', 'true', at);
    const moved = at + 5 * SECOND;
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(0)]: { gatewayID: OTHER, ip: ADDRESS } } } }, moved);
    const next = moved + 5 * SECOND + random.int(MINUTE);
    const other = introduce(draft, 'sims', 'sim-2', simSpec(1, place), next);
    expectReady(draft, other, 'nobody has its address there any more', next + 2.5 * MINUTE);
  },
  encore: () => [],
};
