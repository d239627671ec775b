import { put } from '../draft.ts';
import { introduce } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Somebody registered it by hand, and no resource is about it. */
const foreign = 7;

/** A gateway is deleted that has one SIM, which nobody looks after, and one list of its SIMs lacks that one. */
export const leftOutAtLast: Story = {
  name: 'left out at last',
  wishes: () => ({
    ...eastWith(
      { gateways: [gatewayInUse()], sims: [oldSim(foreign, { name: 'by hand', gateway: gatewayInUseID })] },
      6 * MINUTE,
    ),
    // There it is stopped before it is deleted, which the service refuses as long as it has a SIM.
    dialect: 'Extended',
  }),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const spec = { zone: 'is1a', resourceID: gatewayInUseID, deletionPolicy: 'Delete' };
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', spec, random.int(SECOND));
    const at = MINUTE + random.int(MINUTE);
    const route = 'GET /appliance/:id/mobilegateway/sims';
    const lacks = { to: 'service', route, fault: { service: 'list misses a member' } } as const;
    put(draft, { what: 'fault', ...lacks, count: 1, skip: 0, milliseconds: 0, lasts: MINUTE }, at - 1);
    put(draft, { what: 'delete', ref: gateway.ref }, at);
    // Long after: a look of which each shows it.
    if (random.chance(0.5)) {
      const again = at + 2 * MINUTE + random.int(MINUTE);
      put(draft, { what: 'fault', ...lacks, count: 1, skip: 0, milliseconds: 0, lasts: 2 * MINUTE }, again);
    }
  },
  encore: () => [],
};
