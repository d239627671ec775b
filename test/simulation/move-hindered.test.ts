import { describe, expect, it } from 'vitest';
import type { ServiceOptions } from '../../src/shadow/service/types.ts';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';
import { GROUP, gateway, letPass } from './gateway-fleet.ts';

const privateInterface = { ipAddress: '10.0.0.1', networkMaskLength: 24 };
const gateways = ['a', 'b'].map(
  (name, index) =>
    ({ id: `11330000200${index + 1}`, name, zone: 'is1b', instanceStatus: 'up', privateInterface }) as const,
);
type SimSeed = NonNullable<NonNullable<ServiceOptions['seed']>[string]['sims']>[number];
const idOf = (sim: number) => String(113_300_003_000 + sim);
const ipOf = (sim: number) => `10.0.0.${20 + sim}`;
const ELSEWHERE = '10.0.0.77';

/** SIMs in service on the gateways of these names, each with an address of its own, beside those that no Sim looks after. */
async function createFleet(places: readonly string[], others: readonly SimSeed[] = []) {
  const sims = places.map((_, index) => ({
    id: idOf(index + 1),
    iccid: iccidOf(index + 1),
    name: `s-${index + 1}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({ seeds: { fleet: { gateways, sims: [...sims, ...others] } } });
  const { world } = fleet;
  world.start('operator');
  for (const { name, id } of gateways) gateway(fleet, name, { resourceID: id });
  for (const [index, name] of places.entries()) {
    const spec = { gatewayRef: { name }, ipAddress: ipOf(index + 1), activated: true };
    fleet.createSim('fleet', `s-${index + 1}`, index + 1, spec);
  }
  await letPass(fleet, 600);
  expect([...fleet.waiting('fleet')]).toEqual([]);
  const view = (sim: number) => world.service.world('fleet').sims.get(idOf(sim));
  return {
    fleet,
    world,
    /** The gateway that a SIM is on, and its address there. */
    place: (sim: number) => [gateways.find(({ id }) => id === view(sim)?.gatewayID)?.name, view(sim)?.ip],
    patch: (sim: number, patch: object) => fleet.patch(`${GROUP}/sims/s-${sim}`, patch),
    /** Somebody moves a SIM in the control panel. */
    move(sim: number, name: string, ip: string) {
      world.service.edit({ sims: { [idOf(sim)]: { gatewayID: null, ip: null } } });
      const gatewayID = gateways.find((one) => one.name === name)?.id ?? null;
      world.service.edit({ sims: { [idOf(sim)]: { gatewayID, ip } } });
    },
    synced: (sim: number) =>
      fleet.read(`${GROUP}/sims/s-${sim}`).status.conditions.find(({ type }) => type === 'Synced'),
  };
}

const isWrite = (message: Message, sim: number, what: RegExp) =>
  message.to === 'service' && message.verb !== 'GET' && message.target.includes(idOf(sim)) && what.test(message.target);

const refusals = (['conflict', 'internal error'] as const).flatMap((fault) =>
  [
    { what: 'IMEI lock', spec: { imeiLock: '490154203237518' }, target: /imeilock/ },
    { what: 'deactivation', spec: { activated: false }, target: /deactivate/ },
  ].map((one) => ({ ...one, fault })),
);

describe.each(['a', 'b'])('two SIMs swap their addresses, the second on gateway %s', (name) => {
  it.each(refusals)('and none gives up its own while the $what of the other fails ($fault)', async (refusal) => {
    const { spec, target, fault } = refusal;
    const { fleet, world, place, patch } = await createFleet(['a', name]);
    world.arm({ to: 'service', fits: (message) => isWrite(message, 2, target), count: 1e9, fault: { service: fault } });
    patch(2, { spec: { gatewayRef: { name: 'a' }, ipAddress: ipOf(1), ...spec } });
    await letPass(fleet, 300);
    patch(1, { spec: { gatewayRef: { name }, ipAddress: ipOf(2) } });
    await letPass(fleet, 1800);
    expect([place(1), place(2)]).toEqual([
      ['a', ipOf(1)],
      [name, ipOf(2)],
    ]);
    world.calm();
    await letPass(fleet, 600);
    expect([place(1), place(2)]).toEqual([
      [name, ipOf(2)],
      ['a', ipOf(1)],
    ]);
  });
});

it.each([0, 1, 60].flatMap((gap) => refusals.map((one) => ({ ...one, gap }))))(
  'a SIM does not give up its address for one that asks for it $gap s later, and whose $what then fails ($fault)',
  async ({ spec, target, fault, gap }) => {
    const { fleet, world, place, patch } = await createFleet(['a', 'a']);
    world.arm({ to: 'service', fits: (message) => isWrite(message, 2, target), count: 1e9, fault: { service: fault } });
    patch(1, { spec: { ipAddress: ipOf(2) } });
    await letPass(fleet, gap);
    patch(2, { spec: { ipAddress: ipOf(1), ...spec } });
    await letPass(fleet, 1800);
    expect([place(1), place(2)]).toEqual([
      ['a', ipOf(1)],
      ['a', ipOf(2)],
    ]);
  },
);

it.each([
  { what: 'while its Sim was paused', places: ['b', 'b', 'a'], switched: 'paused' },
  { what: 'while its Sim was paused, to a gateway on which no other is', places: ['b', 'b'], switched: 'paused' },
  { what: 'once no Sim looked after it, to a gateway on which no other is', places: ['b', 'b'], switched: 'abandon' },
])('a SIM stays where it is for one that was moved by hand $what', async ({ places, switched }) => {
  const { fleet, world, place, patch, move, synced } = await createFleet(places);
  patch(2, { metadata: { annotations: { [`edgeline.dev/${switched}`]: 'true' } } });
  await letPass(fleet, 60);
  if (switched === 'abandon') {
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/s-2`, user: 'user' });
    await letPass(fleet, 60);
  }
  move(2, 'a', ELSEWHERE);
  await letPass(fleet, 600);
  patch(1, { spec: { gatewayRef: { name: 'a' }, ipAddress: ELSEWHERE } });
  await letPass(fleet, 1800);
  expect({ one: place(1), other: place(2), reason: synced(1)?.reason }).toEqual({
    one: ['b', ipOf(1)],
    other: ['a', ELSEWHERE],
    reason: 'AddressTaken',
  });
});

it('a SIM that was moved by hand to a gateway where another has its address goes back to its own', async () => {
  const other = { id: idOf(9), iccid: iccidOf(9), name: 'other', gateway: gateways.at(-1)?.id ?? '', ip: ipOf(1) };
  const { fleet, place, move } = await createFleet(['a'], [other]);
  move(1, 'b', ELSEWHERE);
  await letPass(fleet, 300);
  expect(place(1)).toEqual(['a', ipOf(1)]);
});

it.each(['internal error', 'bad gateway', 'html', 'list total too high'] as const)(
  'a SIM stays where it is, and gets all else, while the gateway of its next place can’t be asked who has its address (%s)',
  async (fault) => {
    const { fleet, world, place, patch, move } = await createFleet(['b', 'b']);
    patch(2, { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } });
    await letPass(fleet, 60);
    move(2, 'a', ELSEWHERE);
    await letPass(fleet, 600);
    const fits = ({ to, route }: Message) => to === 'service' && route === 'GET /appliance/:id/mobilegateway/sims';
    world.arm({ to: 'service', fits, count: 1e9, fault: { service: fault } });
    patch(1, { spec: { gatewayRef: { name: 'a' }, ipAddress: ELSEWHERE, activated: false } });
    await letPass(fleet, 600);
    const sim = world.service.world('fleet').sims.get(idOf(1));
    expect([place(1), sim?.activated]).toEqual([['b', ipOf(1)], false]);
  },
);

describe('a SIM that is to move to the address of one that the list of SIMs misses', () => {
  /** The list misses the first SIM, which a Sim looks after, for good. */
  async function createUnlisted() {
    const made = await createFleet(['a', 'b']);
    const { world } = made.fleet;
    const missing = ({ to, route }: Message) => to === 'service' && route === 'GET /commonserviceitem';
    world.arm({ to: 'service', fits: missing, count: 1e9, fault: { service: 'list misses half' } });
    await letPass(made.fleet, 120);
    return made;
  }

  it('stays where it is until that one has left it', async () => {
    const { fleet, world, place, patch, synced } = await createUnlisted();
    patch(2, { spec: { gatewayRef: { name: 'a' }, ipAddress: ipOf(1), activated: false } });
    await letPass(fleet, 600);
    const sim = world.service.world('fleet').sims.get(idOf(2));
    expect({ places: [place(1), place(2)], activated: sim?.activated, says: synced(2) }).toMatchObject({
      places: [
        ['a', ipOf(1)],
        ['b', ipOf(2)],
      ],
      activated: false,
      says: { reason: 'AddressTaken', message: expect.stringContaining(`is that of SIM ${idOf(1)} on the gateway`) },
    });
    world.calm();
    patch(1, { spec: { ipAddress: ELSEWHERE } });
    await letPass(fleet, 600);
    expect([place(1), place(2)]).toEqual([
      ['a', ELSEWHERE],
      ['a', ipOf(1)],
    ]);
  });
});

it.each(refusals)(
  'a SIM that was moved by hand is not tried without a pause while its $what fails ($fault)',
  async (refusal) => {
    const { spec, target, fault } = refusal;
    const { fleet, world, patch, move } = await createFleet(['b']);
    world.arm({ to: 'service', fits: (message) => isWrite(message, 1, target), count: 1e9, fault: { service: fault } });
    patch(1, { spec });
    await letPass(fleet, 60);
    move(1, 'a', ELSEWHERE);
    await letPass(fleet, 600);
    let requests = 0;
    world.onMessage((moment, { to }) => {
      if (moment === 'written' && to === 'service') requests++;
    });
    await letPass(fleet, 300);
    expect(requests).toBeLessThan(100);
  },
);
