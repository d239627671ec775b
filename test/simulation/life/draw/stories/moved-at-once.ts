import type { Occasion } from '../../script.ts';
import { put } from '../draft.ts';
import { networks } from '../vocabulary.ts';
import { introduce } from './parts.ts';
import { emptyEast, iccidOf, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** Somebody moves a SIM, or takes it off its gateway, the moment after it was registered there, or as a route to it is set. */
export const movedAtOnce: Story = {
  name: 'moved at once',
  wishes: () => emptyEast(240_000),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const simRoutes = [{ prefix: '192.168.20.0/24', simRef: { name: 'sim-1' } }];
    const inner = { zone: 'is1a', planID: 2, privateInterface: networks[0] };
    introduce(draft, 'mobilegateways', 'gateway-2', inner, 100);
    introduce(draft, 'mobilegateways', 'gateway-1', { ...inner, ...(random.chance(0.6) && { simRoutes }) }, 500);
    introduce(draft, 'sims', 'sim-1', simSpec(0, { gatewayRef: { name: 'gateway-1' }, activated: true }), 60_000);
    const registered: Occasion = {
      moment: 'arrived',
      to: 'service',
      route: 'POST /appliance/:id/mobilegateway/sims',
      nth: 1,
    };
    const routed: Occasion = {
      moment: 'begun',
      to: 'service',
      route: 'PUT /appliance/:id/mobilegateway/simroutes',
      nth: 1,
    };
    const [on, gatewayID] = random.pick([
      [registered, 'gateway-2'],
      [routed, null],
    ] as const);
    const act = { what: 'edit', patch: { sims: { [iccidOf(0)]: { gatewayID } } } } as const;
    put(draft, { what: 'upon', process: 0, on, later: random.pick([0, 1]), act }, 50_000);
  },
};
