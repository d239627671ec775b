import { secret } from '../../support/manifests.ts';
import type { World } from '../../support/world.ts';
import { account, type Chapter, ICCID, type Mistake, object, sim } from './mistake.ts';

const TRUCK = ['Sim', 'truck-17'] as const;
const DEPOT = ['MobileGateway', 'depot'] as const;
const truck = { id: '113300000017', iccid: ICCID, name: 'old truck' };
const depot = { id: '113300000101', name: 'depot', zone: 'is1b' } as const;
const other = { name: 'other', accessToken: 'other', accessTokenSecret: 'other' };
const gateway = (part: string) =>
  object('MobileGateway', 'depot', part, { zone: 'is1b', resourceID: '"113300000101"' });

async function readyDepot(world: World): Promise<void> {
  await world.apply(gateway(''));
  await world.ready(...DEPOT);
}

/** A gateway with a private network, and the SIM registered with it. */
const inNetwork = {
  seed: {
    gateways: [{ ...depot, privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 } }],
    sims: [{ ...truck, gateway: 'depot', ip: '10.0.0.17', activated: true }],
  },
};

const mistakes: readonly Mistake[] = [
  {
    title: 'The last address of the network',
    ...sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.255'),
    world: inNetwork,
    before: readyDepot,
    sees: {
      on: TRUCK,
      reason: 'AddressNotUsable',
      message:
        'ipAddress 10.0.0.255 is the last address of the gateway’s private network 10.0.0.0/24, which no SIM can have. Write another one.',
    },
    remedy: 'Write another address of the network. The SIM keeps the one it has until then.',
    mend: (world) => world.apply(sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.18').manifest),
    mended: [TRUCK],
  },
  {
    title: 'The address of the gateway',
    ...sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.1'),
    world: inNetwork,
    before: readyDepot,
    sees: {
      on: TRUCK,
      reason: 'AddressNotUsable',
      message: 'ipAddress 10.0.0.1 is the gateway’s own address in its private network 10.0.0.0/24. Write another one.',
    },
    remedy: 'Write another address of the network.',
    mend: (world) => world.apply(sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.18').manifest),
    mended: [TRUCK],
  },
  {
    title: 'An address outside the network',
    ...sim('activated: true\ngatewayRef: {name: depot}\nipAddress: 10.9.0.17'),
    world: inNetwork,
    before: readyDepot,
    sees: {
      on: TRUCK,
      status: 'True',
      reason: 'Available',
      message:
        'SIM 113300000017 is at the service. Warning: ipAddress 10.9.0.17 is outside the gateway’s private network 10.0.0.0/24, where the gateway is 10.0.0.1. Write an address in that network, or correct privateInterface of the MobileGateway.',
    },
    remedy:
      'Write an address in the network. The service decides whether one outside works; if it refuses, the reason is Rejected.',
    mend: (world) => world.apply(sim('activated: true\ngatewayRef: {name: depot}\nipAddress: 10.0.0.18').manifest),
    mended: [TRUCK],
  },
  {
    title: 'Another network under the SIMs',
    wrote: '# the Sims have addresses in 10.0.0.0/24\nprivateInterface: {ipAddress: 10.1.0.1, networkMaskLength: 24}',
    world: inNetwork,
    before: async (world) => {
      await readyDepot(world);
      await world.apply(sim('activated: true\ngatewayRef: {name: depot}\nipAddress: 10.0.0.17').manifest);
      await world.ready(...TRUCK);
    },
    act: (world) => world.apply(gateway('privateInterface: {ipAddress: 10.1.0.1, networkMaskLength: 24}')),
    sees: {
      on: DEPOT,
      status: 'True',
      reason: 'Available',
      message:
        'Gateway 113300000101 is available. Warning: SIMs have addresses outside the private network 10.1.0.0/24: 113300000017 (10.0.0.17). Give their Sims addresses in it, or put privateInterface back.',
    },
    remedy: 'Give the Sims addresses in the new network, or put the old one back. Each of the Sims reports it, too.',
    mend: (world) => world.apply(sim('activated: true\ngatewayRef: {name: depot}\nipAddress: 10.1.0.17').manifest),
    mended: [TRUCK],
  },
  {
    title: 'An address that another SIM has',
    ...sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.17'),
    world: {
      seed: {
        gateways: [depot],
        sims: [truck, { id: '113300000018', iccid: '8981040000000000018', gateway: 'depot', ip: '10.0.0.17' }],
      },
    },
    before: readyDepot,
    sees: {
      on: TRUCK,
      type: 'Synced',
      reason: 'AddressTaken',
      message:
        'PUT /commonserviceitem/113300000017/sim/ip: the service answered 409 conflict: sim.ip: SIM 113300000018 has the address 10.0.0.17 (serial 00000000000004d2). 10.0.0.17 is the address of SIM 113300000018, and nothing moves that one: give one of the two another address. It is tried again.',
    },
    remedy: 'Choose an address no other SIM of the gateway has.',
    mend: (world) => world.apply(sim('gatewayRef: {name: depot}\nipAddress: 10.0.0.18').manifest),
    mended: [TRUCK],
  },
  {
    title: 'A gateway of another account',
    ...sim('accountRef: {kind: CloudAccount, name: default}\ngatewayRef: {name: depot}'),
    wrote:
      '# the gateway depot is in the account other\naccountRef: {kind: CloudAccount, name: default}\ngatewayRef: {name: depot}',
    world: { seed: { sims: [truck], accounts: [{ ...other, gateways: [depot] }] } },
    before: async (world) => {
      await world.apply(secret('other-credentials', other));
      const { manifest } = account('credentialsSecretRef: {name: other-credentials}');
      await world.apply(manifest.replace('{name: default}', '{name: other}'));
      await world.apply(gateway('accountRef: {kind: CloudAccount, name: other}'));
      await world.ready(...DEPOT);
    },
    sees: {
      on: TRUCK,
      reason: 'GatewayInOtherAccount',
      message: 'The MobileGateway depot lives in another account than the SIM. Use a gateway of the same account.',
    },
    remedy: 'Use a gateway of the account the SIM is in.',
    mend: (world) => world.apply(sim('accountRef: {kind: CloudAccount, name: default}').manifest),
    mended: [TRUCK],
  },
  {
    title: 'A gateway deleted while Sims use it',
    wrote: 'kubectl delete mobilegateway depot',
    world: { seed: { gateways: [depot], sims: [truck] } },
    before: async (world) => {
      await world.apply(gateway('deletionPolicy: Delete'));
      await world.apply(sim('gatewayRef: {name: depot}').manifest);
      await world.ready(...TRUCK);
    },
    act: (world) => world.delete(...DEPOT),
    sees: {
      on: DEPOT,
      reason: 'SimsStillRegistered',
      message:
        'The gateway is deleted when no Sim is registered with it any more. Remove gatewayRef and ipAddress from these Sims, or delete those whose SIMs were made for them: fleet/truck-17.',
    },
    remedy: 'Remove gatewayRef from the Sims, or name another gateway; the gateway then goes.',
    mend: async (world) => {
      await world.apply(sim('').manifest);
      await world.gone(...DEPOT);
    },
    mended: [TRUCK],
  },
];

export const gatewayChapters: readonly Chapter[] = [
  {
    title: 'A Sim and its gateway',
    about: 'A SIM has an address in the network of a gateway only, and leaves the gateway before the gateway goes.',
    mistakes,
  },
];
