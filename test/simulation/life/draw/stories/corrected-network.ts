import { alter, annotateAt, introduce } from './parts.ts';
import { expectReady } from './parts-crowd.ts';
import { emptyEast, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSED = 'edgeline.dev/paused';
const right = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
const wrong = { ipAddress: '10.0.0.1', networkMaskLength: 28 };
/** The last of the wrong network, which no SIM can have there. */
const ADDRESS = '10.0.0.15';

/** Somebody writes another network for a paused gateway, in which a SIM can't have its address, and takes that back. */
export const correctedNetwork: Story = {
  name: 'corrected network',
  wishes() {
    const { setting, ...wishes } = emptyEast(6 * MINUTE);
    const service = { migratingTime: 2000, stillCreatingMs: 0, shownAfterCreate: 0, allowDuplicateICCID: true };
    return { ...wishes, setting: { ...setting, service } };
  },
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const spec = { zone: 'is1a', planID: 2, privateInterface: right };
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', spec, random.int(2000));
    annotateAt(draft, gateway, PAUSED, 'true', MINUTE);
    alter(draft, gateway, { privateInterface: wrong }, MINUTE + 10 * SECOND);
    const wanted = { gatewayRef: { name: 'gateway-1' }, ipAddress: ADDRESS };
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, wanted), MINUTE + 20 * SECOND);
    const at = 3 * MINUTE + random.int(MINUTE);
    alter(draft, gateway, { privateInterface: right }, at);
    expectReady(draft, sim, 'the network of its gateway was corrected', at + 30 * SECOND);
    annotateAt(draft, gateway, PAUSED, null, at + MINUTE);
  },
  encore: () => [],
};
