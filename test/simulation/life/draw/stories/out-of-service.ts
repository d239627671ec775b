import type { Act } from '../../script.ts';
import { type Draft, presentOf, put } from '../draft.ts';
import { addresses, networks } from '../vocabulary.ts';
import { alteration, introduce } from './parts.ts';
import { iccidOf, nothing, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

/** People take SIMs and a gateway out of service, and what would bring a SIM back fails for a while. */
export const outOfService: Story = {
  name: 'out-of-service',
  wishes: (random) => ({
    namespaces: 1,
    isEast: true,
    east: nothing,
    dialect: random.chance(0.85) ? 'Extended' : 'Documented',
    setting: { replicas: 1, trouble: 300_000 },
  }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    introduce(draft, 'mobilegateways', 'gateway-1', { zone: 'is1a', planID: 2, privateInterface: networks[0] });
    for (let index = 0; index < 3; index++) {
      const ipAddress = random.chance(0.5) ? (addresses[index] ?? null) : undefined;
      const spec = { activated: true, gatewayRef: { name: 'gateway-1' }, ...(ipAddress && { ipAddress }) };
      const sim = introduce(draft, 'sims', `sim-${index + 1}`, simSpec(index, spec), random.int(2000));
      const later = 70_000 + random.int(120_000);
      const [route, change] = random.pick([
        ['PUT /commonserviceitem/:id/sim/activate', { activated: false }],
        ['POST /appliance/:id/mobilegateway/sims', { gatewayID: null }],
        ipAddress
          ? ['PUT /commonserviceitem/:id/sim/ip', { ip: null }]
          : ['POST /appliance/:id/mobilegateway/sims', { gatewayID: null }],
      ] as const);
      if (random.chance(0.8)) fail(draft, route, later - 1000);
      put(draft, { what: 'edit', patch: { sims: { [iccidOf(index)]: change } } }, later);
      if (random.chance(0.6)) continue;
      // Who knows of it does not wait for the next list.
      const asked = { metadata: { annotations: { 'edgeline.dev/reconcile-at': `${later}` } } };
      put(draft, { what: 'patch', ref: sim.ref, patch: asked }, later + random.int(20_000));
    }
    if (random.chance(0.3)) {
      const later = 80_000 + random.int(100_000);
      fail(draft, 'PUT /appliance/:id', later - 1000);
      const settings = { privateInterface: null };
      put(draft, { what: 'edit', patch: { gateways: { 'gateway-1': { settings, applied: settings } } } }, later);
    }
    if (random.chance(0.15)) return;
    const later = 80_000 + random.int(150_000);
    stop(draft, 'down', later);
    if (random.chance(0.2)) stop(draft, 'up', later + 70_000);
  },
  encore(draft) {
    const gateway = presentOf(draft, 'mobilegateways')[0];
    const act = gateway && alteration(draft, gateway, { interDeviceCommunication: true });
    return act ? [{ act, within: 120_000, why: 'a change of a spec is carried out at once' }] : [];
  },
};

function fail(draft: Draft, route: string, later: number): void {
  const fault: Act = {
    what: 'fault',
    to: 'service',
    route,
    fault: { service: draft.random.pick(['unavailable', 'internal error', 'conflict']) },
    count: 20,
    skip: 0,
    milliseconds: 0,
    lasts: 90_000,
  };
  put(draft, fault, later);
}

function stop(draft: Draft, instanceStatus: 'up' | 'down', later: number): void {
  put(draft, { what: 'edit', patch: { gateways: { 'gateway-1': { instanceStatus } } } }, later);
}
