import type { JsonObject } from '../../json.ts';
import { put } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { networks, resolvers } from '../vocabulary.ts';
import { alter, introduce } from './parts.ts';
import { iccidOf, nothing, oldSim } from './parts-sims.ts';
import type { Story } from './story.ts';

const id = seededID('east', gatewayPlace(0));
const sim = seededID('east', 1);
/** As it is at the service: who writes it into a spec changes nothing. */
const found = {
  internetConnection: true,
  interDeviceCommunication: true,
  privateInterface: networks[0],
  staticRoutes: [{ prefix: '192.168.10.0/24', nextHop: '10.0.0.100' }],
};

/** A gateway in use is taken over with a spec that says what it is like; fields leave the spec again, and at last it goes. */
export const oldGateway: Story = {
  name: 'old-gateway',
  wishes: () => ({
    namespaces: 1,
    isEast: true,
    east: {
      ...nothing,
      gateways: [
        {
          id,
          createdAt: OLD,
          name: 'old-gateway',
          zone: 'is1a',
          ...found,
          dns: resolvers[0],
          simRoutes: [{ sim: iccidOf(0), prefix: '192.168.20.0/24' }],
          instanceStatus: 'up',
        },
      ],
      sims: [oldSim(0, { gateway: id, ip: '10.0.0.11' })],
    },
    setting: { replicas: 1, trouble: 240_000 },
  }),
  arrives: true,
  tell(draft) {
    const { random } = draft;
    const named: JsonObject = Object.fromEntries(Object.entries(found).filter(() => random.chance(0.7)));
    // There are routes only into a network that it is in.
    const { staticRoutes, ...settings } = named;
    const spec = {
      zone: 'is1a',
      resourceID: id,
      ...settings,
      ...(staticRoutes && settings['privateInterface'] && { staticRoutes }),
      ...(random.chance(0.5) && { dns: { primary: '8.8.8.8', secondary: random.pick(['8.8.4.4', '9.9.9.9']) } }),
      ...(random.chance(0.5) && { deletionPolicy: 'Delete' }),
    };
    const gateway = introduce(draft, 'mobilegateways', 'gateway-1', spec, random.int(2000));
    for (const name of ['staticRoutes', 'internetConnection', 'interDeviceCommunication'] as const) {
      if (random.chance(0.5)) alter(draft, gateway, { [name]: undefined }, 20_000 + random.int(100_000));
    }
    const prefix = '192.168.21.0/24';
    const simRoutes = [{ simID: sim, prefix }];
    if (random.chance(0.5))
      put(draft, { what: 'edit', patch: { gateways: { [id]: { simRoutes } } } }, random.int(150_000));
    if (random.chance(0.5)) return;
    draft.present.delete(gateway);
    put(draft, { what: 'delete', ref: gateway.ref }, 150_000 + random.int(60_000));
  },
};
