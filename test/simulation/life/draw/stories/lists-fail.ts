import { type Draft, put } from '../draft.ts';
import { appear, introduce } from './parts.ts';
import { gatewayRoles, simRoles, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;

/** The list of SIMs is not given for minutes; or that of a gateway's routes comes without what it lists. */
export const listsFail: Story = {
  name: 'lists fail',
  wishes: () => ({ namespaces: 1, setting: { replicas: 1, leaderElect: false, trouble: 10 * MINUTE } }),
  cast: () => [...gatewayRoles(1), ...simRoles(2)],
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random, cast } = draft;
    const simRoutes = [{ prefix: '192.168.20.0/24', simRef: { name: 'sim-1' } }];
    for (const role of cast) {
      const more = role.plural === 'sims' ? { gatewayRef: { name: 'gateway-1' }, activated: true } : { simRoutes };
      appear(draft, role, more, 500 + random.int(1000));
    }
    random.pick([noSims, noRoutes])(draft);
  },
};

function noSims(draft: Draft): void {
  const { random } = draft;
  const fault = { service: random.pick(['unavailable', 'internal error', 'garbage', 'not ok'] as const) };
  const all = { what: 'fault', to: 'service', route: 'GET /commonserviceitem', count: 10_000, skip: 0 } as const;
  const at = 90_000 + random.int(MINUTE);
  put(draft, { ...all, fault, milliseconds: 0, lasts: 5 * MINUTE + random.int(MINUTE) }, at);
  // Who comes meanwhile has to be told why nothing becomes of it.
  if (random.chance(0.7)) introduce(draft, 'sims', 'sim-late', simSpec(5), at + 5000 + random.int(MINUTE));
}

/** The routes leave the spec, and whether they are gone is not told for a while. */
function noRoutes(draft: Draft): void {
  const { random, cast } = draft;
  const [gateway] = cast;
  if (!gateway) return;
  const at = 4 * MINUTE + random.int(MINUTE);
  const fault = { service: 'list without its array' } as const;
  const route = 'GET /appliance/:id/mobilegateway/simroutes';
  const all = { what: 'fault', to: 'service', route, fault, skip: 0, milliseconds: 0 } as const;
  put(draft, { ...all, count: 100, lasts: MINUTE }, at - 2500);
  if (random.chance(0.7)) put(draft, { what: 'kill', process: 0, on: undefined, restart: 1000 }, at - 2000);
  const simRoutes = random.chance(0.7) ? null : [];
  put(draft, { what: 'patch', ref: gateway.ref, patch: { spec: { simRoutes } } }, at);
}
