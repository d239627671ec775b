import type { Random } from '../../../../src/shadow/world/random.ts';
import type { ObjectSeeds } from '../setting.ts';
import { addresses, carriers, domains, drawCertificate, iccids, imeis, resolvers, zones } from './vocabulary.ts';

/** When people made what is there at first. */
export const OLD = '2025-06-01T00:00:00Z';

/** IDs of what is there at first begin with another digit for each account. */
const firstDigits: Readonly<Record<string, string>> = { east: '21', west: '22' };

/** The ID of the object at this place among those an account has at first. */
export function seededID(account: string, place: number): string {
  return `1133${firstDigits[account] ?? '29'}${String(place).padStart(6, '0')}`;
}

export const gatewayPlace = (index: number): number => 100 + index;
export const sitePlace = (index: number): number => 200 + index;

/** What an account has before the operator starts: made by people, who use it. */
export function seedOf(account: string, random: Random): ObjectSeeds {
  const gateways = [0, 1]
    .filter(() => random.chance(0.4))
    .map((index) => ({
      id: seededID(account, gatewayPlace(index)),
      createdAt: OLD,
      name: random.pick(['old-gateway', `gateway-${index + 1}`]) + (account === 'east' ? '' : `-${account}`),
      zone: random.pick(zones),
      ...(random.chance(0.5) && { internetConnection: random.chance(0.5) }),
      ...(random.chance(0.3) && { interDeviceCommunication: random.chance(0.5) }),
      ...(random.chance(0.6) && { privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 } }),
      ...(random.chance(0.3) && { dns: random.pick(resolvers) }),
      ...(random.chance(0.3) && { trafficMonitoring: { quotaMB: 256, email: random.chance(0.5) } }),
      ...(random.chance(0.5) && { instanceStatus: 'up' as const }),
    }));
  const taken = new Set<string>();
  const sims = iccids.flatMap((iccid, index) => {
    if (!random.chance(account === 'east' ? 0.35 : 0.1)) return [];
    const gateway = gateways.length > 0 && random.chance(0.5) ? random.pick(gateways) : undefined;
    const ip = random.pick(addresses);
    const isFree = gateway?.privateInterface !== undefined && !taken.has(`${gateway.id} ${ip}`);
    if (gateway) taken.add(`${gateway.id} ${ip}`);
    return [
      {
        id: seededID(account, index + 1),
        createdAt: OLD,
        iccid,
        name: `old ${index + 1}`,
        activated: random.chance(0.5),
        ...(gateway && { gateway: gateway.id }),
        ...(isFree && random.chance(0.6) && { ip }),
        ...(random.chance(0.25) && { imeiLock: random.pick(imeis) }),
        ...(random.chance(0.5) && {
          carriers: carriers.map((name, place) => ({ name, allow: place === 0 || random.chance(0.5) })),
        }),
      },
    ];
  });
  const sites = domains.flatMap((domain, index) => {
    if (!random.chance(account === 'east' ? 0.75 : 0.25)) return [];
    return [
      {
        id: seededID(account, sitePlace(index)),
        createdAt: OLD,
        name: random.pick([domain, 'Old']),
        domain: account === 'east' ? domain : `${account}.${domain}`,
        settings: {
          ...(random.chance(0.3) && { RequestProtocol: random.int(3) }),
          ...(random.chance(0.3) && { DefaultCacheTTL: random.pick([-1, 120]) }),
          ...(random.chance(0.3) && { VarySupport: 1 }),
          ...(random.chance(0.2) && { NormalizeAE: 3 }),
          ...(random.chance(0.2) && { CORSRules: [{ AllowsAnyOrigin: true }] }),
        },
        ...(random.chance(0.3) && { accessControl: ['deny 192.0.2.0/24', 'allow all'] }),
        ...(account === 'east' && random.chance(0.5) && { certificate: drawCertificate(domain, random) }),
      },
    ];
  });
  return { sims, gateways, sites, servers: [] };
}
