import type { Act, Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { alter, creation, introduce, role } from './parts.ts';
import { eastWith, gatewayInUse, gatewayInUseID } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/**
 * A MobileGateway changes its gateway and is deleted, which leaves that as it is; in the same moment another one comes for it,
 * that wants what it was before.
 */
export const nextMadeAnew: Story = {
  name: 'next made anew',
  wishes: () => eastWith({ gateways: [gatewayInUse({ internetConnection: true })] }, 5 * MINUTE),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const fixed = { resourceID: gatewayInUseID, zone: 'is1a' };
    const first = introduce(draft, 'mobilegateways', 'first', { ...fixed, internetConnection: true }, 500);
    const at = 2 * MINUTE + random.int(MINUTE);
    const on: Occasion = { moment: 'answered', to: 'service', route: 'PUT /appliance/:id/config', nth: 1 };
    const upon = (act: Act, later: number) => put(draft, { what: 'upon', process: 0, on, later, act }, at);
    const slow = { to: 'service', route: 'GET /appliance', fault: 'slow', count: 2, skip: 0 } as const;
    upon({ what: 'fault', ...slow, milliseconds: 9000, lasts: MINUTE }, 0);
    const soon = random.pick([20, 200, 1000]);
    upon({ what: 'delete', ref: first.ref }, soon);
    alter(draft, first, { internetConnection: false }, at + 10);
    draft.present.delete(first);
    const next = role('mobilegateways', 'next', { ...fixed, internetConnection: true });
    upon(creation(draft, next), soon + random.int(300));
  },
  encore: () => [],
};
