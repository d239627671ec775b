import { imeis, networks } from '../vocabulary.ts';
import { alter, introduce, removeAt } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const OTHER = '113300000950';
const CROWD = 7;

/** A SIM is to move to another gateway while much waits for its turn, and that gateway is deleted before it has left its own. */
export const goneMeanwhile: Story = {
  name: 'gone meanwhile',
  wishes: () => ({
    ...eastWith(
      {
        gateways: [gatewayInUse(), gatewayInUse({ id: OTHER, name: 'other-gateway', privateInterface: networks[0] })],
        sims: Array.from({ length: CROWD }, (_, index) =>
          oldSim(index, index === 0 ? { gateway: gatewayInUseID } : {}),
        ),
      },
      4 * MINUTE,
    ),
    cloudRequestsPerSecond: 1,
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', resourceID: gatewayInUseID }, random.int(SECOND));
    const other = introduce(
      draft,
      'mobilegateways',
      'gateway-2',
      { zone: 'is1a', resourceID: OTHER },
      random.int(SECOND),
    );
    const [sim, ...others] = Array.from({ length: CROWD }, (_, index) => {
      const spec = simSpec(index, index === 0 ? { gatewayRef: { name: 'gateway-1' } } : {});
      return introduce(draft, 'sims', `sim-${index + 1}`, spec, random.int(2000));
    });
    const at = 90 * SECOND + random.int(30 * SECOND);
    for (const one of others) alter(draft, one, { imeiLock: random.pick(imeis) }, at + random.int(200));
    if (sim) alter(draft, sim, { gatewayRef: { name: 'gateway-2' } }, at + 100 + random.int(SECOND));
    removeAt(draft, other, at + SECOND + random.int(8 * SECOND));
  },
  encore: () => [],
};
