import { describe, expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, GW, gateway, letPass, OTHER, SIM } from './gateway-fleet.ts';

const SECOND_SIM = { ...SIM, id: '113300002102', iccid: '8981040000000000002' };

it.each([
  { what: 'the gateway’s own', ipAddress: '10.9.0.1', reason: 'AddressNotUsable' },
  { what: 'no host’s', ipAddress: '10.9.0.255', reason: 'AddressNotUsable' },
  { what: 'another SIM’s, which keeps it', ipAddress: '10.9.0.22', reason: 'AddressTaken' },
])(
  'a SIM stays in service on its gateway where its address on the next would be $what',
  async ({ ipAddress, reason }) => {
    const { id, name, zone } = GW;
    const gateways = [{ id, name, zone, instanceStatus: 'up' as const }, OTHER];
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims: [SIM, SECOND_SIM] } } });
    const { world } = fleet;
    world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id });
    const privateInterface = { ipAddress: '10.9.0.1', networkMaskLength: 24 };
    gateway(fleet, 'yard', { resourceID: OTHER.id, privateInterface });
    fleet.createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.21' });
    fleet.createSim('fleet', 'crane', 2, { gatewayRef: { name: 'yard' }, ipAddress: '10.9.0.22' });
    await letPass(fleet, 600);
    expect([...fleet.waiting('fleet', 'sims')]).toEqual([]);
    const writes: string[] = [];
    world.onMessage((moment, { to, verb, route }) => {
      if (moment === 'written' && to === 'service' && verb !== 'GET') writes.push(`${verb} ${route}`);
    });
    const path = `${GROUP}/sims/truck`;
    fleet.patch(path, { spec: { gatewayRef: { name: 'yard' }, ipAddress } });
    await letPass(fleet, 600);
    const sim = () => world.service.world('fleet').sims.get(SIM.id);
    const { conditions } = fleet.read(path).status;
    expect([writes, sim()?.gatewayID, sim()?.ip, conditions.find(({ type }) => type === 'Synced')?.reason]).toEqual([
      [],
      GW.id,
      '10.0.0.21',
      reason,
    ]);
    fleet.patch(path, { spec: { ipAddress: '10.9.0.23' } });
    await letPass(fleet, 300);
    expect([sim()?.gatewayID, sim()?.ip, [...fleet.waiting('fleet', 'sims')]]).toEqual([OTHER.id, '10.9.0.23', []]);
  },
);

describe('a SIM stays in service on its gateway where another that has its address on the next', () => {
  /** `crane` is on the first gateway; `truck` and `barge` are on one each, and are to change places with what they cannot have. */
  async function createChain() {
    const { id, name, zone } = GW;
    const gateways = [{ id, name, zone, instanceStatus: 'up' as const }, OTHER];
    const barge = { ...SIM, id: '113300002900', iccid: iccidOf(3), name: 'barge' };
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims: [SIM, SECOND_SIM, barge] } } });
    fleet.world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id });
    gateway(fleet, 'yard', { resourceID: OTHER.id });
    fleet.createSim('fleet', 'truck', 1, { gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.21' });
    fleet.createSim('fleet', 'crane', 2, { gatewayRef: { name: 'yard' }, ipAddress: '10.0.0.22' });
    const place = (one: string) => {
      const sim = fleet.world.service.world('fleet').sims.get(one);
      return [sim?.gatewayID, sim?.ip];
    };
    const move = (sim: string, to: string, ipAddress: string) =>
      fleet.patch(`${GROUP}/sims/${sim}`, { spec: { gatewayRef: { name: to }, ipAddress } });
    return { fleet, place, move };
  }

  it.each([{ first: 'crane' }, { first: 'truck' }])(
    'waits for a third that keeps its own ($first is moved first)',
    async ({ first }) => {
      const { fleet, place, move } = await createChain();
      fleet.createSim('fleet', 'barge', 3, { gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.30' });
      await letPass(fleet, 600);
      const moves = [() => move('crane', 'depot', '10.0.0.30'), () => move('truck', 'yard', '10.0.0.22')];
      for (const one of first === 'crane' ? moves : moves.toReversed()) {
        one();
        await letPass(fleet, 300);
      }
      await letPass(fleet, 3600);
      expect([place(SIM.id), place(SECOND_SIM.id)]).toEqual([
        [GW.id, '10.0.0.21'],
        [OTHER.id, '10.0.0.22'],
      ]);
    },
  );

  it('waits for one that keeps its own on the gateway of both', async () => {
    const { fleet, place, move } = await createChain();
    fleet.createSim('fleet', 'barge', 3, { gatewayRef: { name: 'yard' }, ipAddress: '10.0.0.40' });
    await letPass(fleet, 600);
    move('truck', 'yard', '10.0.0.40');
    await letPass(fleet, 120);
    move('crane', 'depot', '10.0.0.21');
    await letPass(fleet, 3600);
    expect([place(SIM.id), place(SECOND_SIM.id)]).toEqual([
      [GW.id, '10.0.0.21'],
      [OTHER.id, '10.0.0.22'],
    ]);
  });

  it('is to have that of the first: they change places', async () => {
    const { fleet, place, move } = await createChain();
    await letPass(fleet, 600);
    move('truck', 'yard', '10.0.0.22');
    await letPass(fleet, 120);
    move('crane', 'depot', '10.0.0.21');
    await letPass(fleet, 600);
    expect([place(SIM.id), place(SECOND_SIM.id), [...fleet.waiting('fleet', 'sims')]]).toEqual([
      [OTHER.id, '10.0.0.22'],
      [GW.id, '10.0.0.21'],
      [],
    ]);
  });
});

describe('two gateways that change all their SIMs', () => {
  async function createFull(count: number) {
    const { id, name, zone } = GW;
    const gateways = [{ id, name, zone, instanceStatus: 'up' as const }, OTHER];
    const names = Array.from({ length: 2 * count }, (_, index) => `sim-${index}`);
    const sims = names.map((one, index) => {
      return { ...SIM, id: String(113_300_003_001 + index), iccid: iccidOf(index + 1), name: one };
    });
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims } } });
    fleet.world.start('operator');
    gateway(fleet, 'depot', { resourceID: GW.id });
    gateway(fleet, 'yard', { resourceID: OTHER.id });
    const gatewayOf = (index: number) => ({ name: index < count ? 'depot' : 'yard' });
    for (const [index, one] of names.entries()) {
      const spec = { gatewayRef: gatewayOf(index), ipAddress: `10.0.0.${20 + index}` };
      fleet.createSim('fleet', one, index + 1, spec);
    }
    await letPass(fleet, 600);
    const move = (addressOf: (index: number) => string) => {
      for (const [index, one] of names.entries()) {
        const spec = { gatewayRef: gatewayOf((index + count) % (2 * count)), ipAddress: addressOf(index) };
        fleet.patch(`${GROUP}/sims/${one}`, { spec });
      }
    };
    return { fleet, move };
  }

  it('have each at its place in the end', async () => {
    const { fleet, move } = await createFull(50);
    move((index) => `10.0.0.${20 + ((index + 50) % 100)}`);
    await letPass(fleet, 1800);
    expect([...fleet.waiting('fleet', 'sims')]).toEqual([]);
  });

  it('have one at its place and all others in service where they were, if all ask for one address', async () => {
    const { fleet, move } = await createFull(40);
    move(() => '10.0.0.200');
    await letPass(fleet, 1800);
    const sims = [...fleet.world.service.world('fleet').sims.values()];
    expect(fleet.waiting('fleet', 'sims').size).toBeGreaterThanOrEqual(78);
    expect(sims.filter(({ gatewayID }) => gatewayID === null)).toEqual([]);
  });
});
