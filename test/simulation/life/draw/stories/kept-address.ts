import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { addresses, networks } from '../vocabulary.ts';
import { alter, alteration, appear, introduce, role } from './parts.ts';
import { defaultAccount, mistyped, rotation } from './parts-accounts.ts';
import { eastWith, iccidOf, oldSim, simSpec } from './parts-sims.ts';
import type { Story } from './story.ts';

const MINUTE = 60_000;
const gateways = [0, 1].map((index) => seededID('east', gatewayPlace(index)));
const [first, second, third] = addresses;
/** Whose SIM no resource is about. */
const FOREIGN = 5;

/** A Sim is to move to an address of the next gateway that a SIM has there, and keeps: it stays, and moves once it is free. */
export const keptAddress: Story = {
  name: 'kept address',
  wishes: () =>
    eastWith(
      {
        gateways: gateways.map((id, index) => ({
          id,
          createdAt: OLD,
          name: `old-gateway-${index + 1}`,
          zone: index === 0 ? 'is1a' : 'is1b',
          privateInterface: networks[0],
          instanceStatus: 'up' as const,
        })),
        sims: [oldSim(FOREIGN, { name: 'by hand', gateway: gateways[1] ?? '', ip: third })],
      },
      7 * MINUTE,
    ),
  arrives: true,
  isAlone: true,
  tell(draft) {
    const { random } = draft;
    for (const [index, resourceID] of gateways.entries()) {
      const gateway = { resourceID, zone: index === 0 ? 'is1a' : 'is1b' };
      appear(draft, role('mobilegateways', `gateway-${index + 1}`, gateway), {}, random.int(500));
    }
    const here = simSpec(0, { gatewayRef: { name: 'gateway-1' }, ipAddress: first, activated: true });
    const sim = introduce(draft, 'sims', 'sim-1', here, 500 + random.int(2000));
    const there = simSpec(1, { gatewayRef: { name: 'gateway-2' }, ipAddress: second, activated: true });
    const holder = introduce(draft, 'sims', 'sim-2', there, 500 + random.int(2000));
    const at = 2 * MINUTE + random.int(MINUTE);
    const isForeign = random.chance(0.4);
    if (isForeign && random.chance(0.6)) return takenUnseen(draft, sim, at);
    alter(draft, sim, { gatewayRef: { name: 'gateway-2' }, ipAddress: isForeign ? third : second }, at);
    if (random.chance(0.3))
      put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, at + random.int(5000));
    const free = at + 30_000 + random.int(MINUTE);
    if (isForeign) put(draft, { what: 'edit', patch: { sims: { [iccidOf(FOREIGN)]: { ip: null } } } }, free);
    else if (random.chance(0.6)) alter(draft, holder, { ipAddress: random.chance(0.5) ? undefined : first }, free);
    else alter(draft, sim, { ipAddress: addresses[3] }, free);
  },
  encore(draft) {
    const sim = [...draft.present.keys()].find(({ ref }) => ref.name === 'sim-2');
    const act = sim && alteration(draft, sim, { ipAddress: '10.0.0.20' });
    return act
      ? [{ act, within: 2 * MINUTE, why: 'an address is changed, and who waits for the one before gets it' }]
      : [];
  },
};

/** The address is taken while the service does not let the operator in, and is asked for before it does. */
function takenUnseen(draft: Draft, sim: Role, at: number): void {
  const { random } = draft;
  const ofForeign = (ip: string | null, later: number) =>
    put(draft, { what: 'edit', patch: { sims: { [iccidOf(FOREIGN)]: { ip } } } }, later);
  ofForeign(null, MINUTE);
  const account = defaultAccount(draft);
  put(draft, rotation(account, mistyped(account.opens)), at);
  const meanwhile = at + 80_000;
  ofForeign(third, meanwhile + random.int(5000));
  alter(draft, sim, { gatewayRef: { name: 'gateway-2' }, ipAddress: third }, meanwhile + random.int(5000));
  put(draft, rotation(account, account.opens), meanwhile + 20_000);
  const shows = { gatewayID: gateways[0] ?? null, ip: first };
  const why = 'what was seen before says nothing of the address, and a SIM leaves for none that is taken';
  put(draft, { what: 'expect', ref: sim.ref, shows, why }, meanwhile + 2 * MINUTE);
  ofForeign(null, meanwhile + 3 * MINUTE);
}
