import type { Json } from '../../json.ts';
import { put } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { imeis, networks } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { eastWith, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const SECOND = 1000;
const [lock, otherLock] = imeis;
const [inner] = networks;
const outer = { ipAddress: '10.9.0.1', networkMaskLength: 24 };

const SETTINGS = 'PUT /appliance/:id';
const old = {
  id: seededID('east', gatewayPlace(0)),
  createdAt: OLD,
  name: 'gateway-1',
  zone: 'is1a',
  instanceStatus: 'up',
} as const;

/** What a field says one after the other, before its user thinks better of it; the request for the second is late. */
interface Course {
  readonly of: 'gateway' | 'sim';
  readonly field: string;
  readonly route: string;
  readonly values: readonly [first: Json | undefined, second: Json];
}

const changed: readonly Course[] = [
  {
    of: 'gateway',
    field: 'trafficMonitoring',
    route: 'PUT /appliance/:id/mobilegateway/traffic_monitoring',
    values: [
      { quotaMB: 100, email: true },
      { quotaMB: 200, email: true },
    ],
  },
  {
    of: 'gateway',
    field: 'simRoutes',
    route: 'PUT /appliance/:id/mobilegateway/simroutes',
    values: [
      [{ prefix: '192.0.2.0/24', simRef: { name: 'sim-1' } }],
      [{ prefix: '198.51.100.0/24', simRef: { name: 'sim-1' } }],
    ],
  },
  { of: 'sim', field: 'imeiLock', route: 'PUT /commonserviceitem/:id/sim/imeilock', values: [lock, otherLock] },
  { of: 'sim', field: 'ipAddress', route: 'PUT /commonserviceitem/:id/sim/ip', values: ['10.0.0.11', '10.0.0.12'] },
];

/** Settings of a gateway that nobody has set: what arrives late does not take effect, and is shown as if it had. */
const settings: readonly Course[] = [
  { of: 'gateway', field: 'internetConnection', route: SETTINGS, values: [undefined, true] },
  { of: 'gateway', field: 'privateInterface', route: SETTINGS, values: [undefined, outer] },
];

/**
 * The request for a new value of a field arrives after its user has thought better of it: over a restart, with the field out
 * of the spec; or, of settings of a gateway, without one, and what arrived late is wanted again.
 */
export const changedLate: Story = {
  name: 'changed late',
  wishes: () => eastWith({ gateways: [old] }, 600 * SECOND),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    const isOfSettings = random.chance(0.4);
    const { of, field, route, values } = random.pick(isOfSettings ? settings : changed);
    const [first, second] = values;
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', {
      zone: 'is1a',
      resourceID: old.id,
      ...(!isOfSettings && { privateInterface: inner }),
    });
    const sim = introduce(draft, 'sims', 'sim-1', simSpec(0, { gatewayRef: { name: 'gateway-1' } }), 1000);
    const one = of === 'gateway' ? gateway : sim;
    alter(draft, one, { [field]: first }, 60 * SECOND);

    const at = 120 * SECOND + random.int(30 * SECOND);
    const held = isOfSettings ? 20 * SECOND : 40 * SECOND + random.int(60 * SECOND);
    const late = { fault: 'delayed-arrival', count: 1, skip: 0, milliseconds: held, lasts: 60 * SECOND } as const;
    put(draft, { what: 'fault', to: 'service', route, ...late }, at - 10);
    alter(draft, one, { [field]: second }, at);
    if (isOfSettings) {
      alter(draft, one, { [field]: undefined }, at + 3 * SECOND);
      alter(draft, one, { [field]: second }, at + held + 60 * SECOND + random.int(60 * SECOND));
      return;
    }
    const on = { moment: 'written', to: 'service', route, nth: 1 } as const;
    put(draft, { what: 'kill', process: 0, on, restart: 3 * SECOND + random.int(5 * SECOND) }, at - 10);
    alter(draft, one, { [field]: random.chance(0.7) ? undefined : first }, at + 2 * SECOND);
  },
};
