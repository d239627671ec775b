import type { JsonObject } from '../../json.ts';
import type { Act, Occasion } from '../../script.ts';
import { type Draft, put } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { addresses, networks } from '../vocabulary.ts';
import { appear, role } from './parts.ts';
import { defaultAccount, mistyped, rotation } from './parts-accounts.ts';
import { eastWith, oldSim, simRoles } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const gateways = [0, 1].map((index) => seededID('east', gatewayPlace(index)));

/** What takes the SIM out of service, how it is asked for, and whether it is set again afterwards. */
const courses: readonly { readonly route: string; readonly spec: JsonObject; readonly lives: boolean }[] = [
  { route: 'DELETE /commonserviceitem/:id/sim/ip', spec: { gatewayRef: { name: 'gateway-2' } }, lives: false },
  { route: 'DELETE /appliance/:id/mobilegateway/sims/:id', spec: { gatewayRef: { name: 'gateway-2' } }, lives: false },
  { route: 'PUT /commonserviceitem/:id/sim/deactivate', spec: { activated: false }, lives: false },
  { route: 'PUT /commonserviceitem/:id/sim/deactivate', spec: { activated: false }, lives: true },
  { route: 'PUT /commonserviceitem/:id/sim/deactivate', spec: limited(), lives: true },
];

function limited(): JsonObject {
  return { dataLimit: { monthly: '1M', action: 'Deactivate' } };
}

/**
 * A SIM is taken out of service, to be moved, by its spec or for its limit, and from that moment on nobody may look at it: it or
 * its account is paused, or its account is refused; in half of the lives its process dies just then.
 */
export const outOfSight: Story = {
  name: 'out of sight',
  wishes: () => ({
    ...eastWith(
      {
        gateways: gateways.map((id, index) => ({
          id,
          createdAt: OLD,
          name: `old-gateway-${index + 1}`,
          zone: 'is1a',
          privateInterface: networks[0],
          instanceStatus: 'up' as const,
        })),
        sims: [oldSim(0, { traffic: { uplinkBytes: 2_000_000, downlinkBytes: 0 } })],
      },
      8 * MINUTE,
    ),
    hasClusterAccount: false,
  }),
  cast: () => [
    ...simRoles(1),
    ...gateways.map((resourceID, index) =>
      role('mobilegateways', `gateway-${index + 1}`, { resourceID, zone: 'is1a' }),
    ),
  ],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const [sim, ...others] = cast;
    if (!sim) return;
    for (const gateway of others) appear(draft, gateway, {}, random.int(500));
    const place = { gatewayRef: { name: 'gateway-1' }, ipAddress: addresses[0] };
    appear(draft, sim, { activated: true, ...place }, 500 + random.int(2000));
    const { route, spec, lives } = random.pick(courses);
    const at = 3 * MINUTE + random.int(MINUTE);
    const on: Occasion = { moment: lives ? 'answered' : 'arrived', to: 'service', route, nth: 1 };
    if (!lives) put(draft, { what: 'kill', process: 0, on, restart: 500 + random.int(10_000) }, at);
    put(draft, { what: 'upon', process: 0, on, later: random.pick([0, 0, 20]), act: hiding(draft) }, at);
    put(draft, { what: 'patch', ref: sim.ref, patch: { spec } }, at + 10);
  },
};

/** From now on nobody may look at the SIM, to the end of the life. */
function hiding(draft: Draft): Act {
  const { random, cast } = draft;
  const account = defaultAccount(draft);
  const patch = { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } };
  switch (random.int(3)) {
    case 0:
      return { what: 'patch', ref: cast[0]?.ref ?? account.ref, patch };
    case 1:
      return { what: 'patch', ref: account.ref, patch };
    default:
      return rotation(account, mistyped(account.opens));
  }
}
