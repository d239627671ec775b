import type { Message } from '../../src/shadow/world/messages.ts';
import { iccidOf, type VirtualFleet } from './fleet.ts';

export const SECOND = 1000;
export const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
export const MGW = `${GROUP}/mobilegateways`;
/** What the account has: a SIM, a gateway in use, and one that nobody has set anything on. */
export const SIM = { id: '113300003001', iccid: iccidOf(1), name: 'truck', activated: true };
export const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
export const GW = {
  id: '113300002001',
  name: 'depot',
  zone: 'is1b',
  instanceStatus: 'up',
  internetConnection: true,
  privateInterface,
} as const;
export const OTHER = { id: '113300002002', name: 'other', zone: 'is1b', instanceStatus: 'up' } as const;

export const on = (route: string) => (m: Message) => m.to === 'service' && m.route === route;

/** Makes a MobileGateway in the zone of these. */
export function gateway({ create }: VirtualFleet, name: string, spec: object): void {
  create(MGW, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name },
    spec: { zone: 'is1b', ...spec },
  });
}

/** One as the service has it. */
export const theGateway = (fleet: VirtualFleet, id: string = GW.id) =>
  fleet.world.service.world('fleet').gateways.get(id);

/** Lives so many seconds, or until then. */
export const letPass = ({ world }: VirtualFleet, seconds: number, until?: () => boolean) =>
  world.run(world.now() + seconds * SECOND, until);
