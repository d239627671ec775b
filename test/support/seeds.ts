import * as fc from 'fast-check';
import { defined } from '../../src/cloud/list/page.ts';
import type { Seed } from '../../src/simulator/seed-schema.ts';

type World = Pick<Seed, 'sims' | 'gateways' | 'sites'>;

const zones = ['is1a', 'is1b', 'tk1a'] as const;
const names = fc.oneof(
  fc.constantFrom('truck', 'Truck', 'depot', 'トラック', 'a.b_c', '-', 'null', '1e3', 'two\nlines', 'x'.repeat(80)),
  fc.string({ minLength: 1, maxLength: 70 }),
);
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const tags = fc.uniqueArray(fc.constantFrom('east', 'west', 'spare'), { maxLength: 2 });
const carriers = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('KDDI', 'SoftBank', 'NTT DOCOMO'), allow: fc.boolean() }), {
    selector: ({ name }) => name,
    minLength: 1,
  })
  .filter((all) => all.some(({ allow }) => allow));

/** What two gateways have, without the SIMs that are on them. */
const gateway = fc.record({
  name: names,
  zone: fc.constantFrom(...zones),
  description: optional(fc.constantFrom('', 'old')),
  tags,
  internetConnection: optional(fc.boolean()),
  interDeviceCommunication: optional(fc.boolean()),
  instanceStatus: fc.constantFrom('up' as const, 'down' as const),
  dns: optional(fc.constant({ primary: '8.8.8.8', secondary: '8.8.4.4' })),
  hasNetwork: fc.boolean(),
  hasRoute: fc.boolean(),
  trafficMonitoring: optional(
    fc.record({
      quotaMB: fc.integer({ min: 1, max: 100_000 }),
      autoTrafficShaping: fc.boolean(),
      bandwidthLimitKbps: fc.constantFrom(undefined, 0, 64),
      email: fc.boolean(),
      chatURL: optional(fc.constant('https://chat.example.jp/hooks/a')),
    }),
  ),
});

const sim = fc.record({
  name: optional(names),
  description: optional(fc.constantFrom('', 'old')),
  tags,
  activated: fc.boolean(),
  place: fc.constantFrom(undefined, 0, 1),
  hasAddress: fc.boolean(),
  hasRoute: fc.boolean(),
  imeiLock: optional(fc.constant('356938035643809')),
  carriers: optional(carriers),
});

const cors = fc.constantFrom<object[]>(
  [],
  [{ AllowsAnyOrigin: true }],
  [{ AllowedOrigins: ['https://a.example.jp', 'http://b.example.jp:8080'] }],
);
const site = fc.record({
  name: names,
  hasDomain: fc.boolean(),
  status: fc.constantFrom('enabled' as const, 'disabled' as const),
  rules: fc.constantFrom<string[]>([], ['deny 192.0.2.0/24', 'allow all'], ['deny 2001:DB8::/32']),
  settings: fc.record(
    {
      RequestProtocol: fc.constantFrom(0, 1, 2),
      OriginProtocol: fc.constantFrom('http', 'https'),
      HostHeader: fc.constantFrom('', 'www.example.jp'),
      DefaultCacheTTL: fc.constantFrom(-1, 0, 3600, 604_800),
      VarySupport: fc.constantFrom(0, 1),
      NormalizeAE: fc.constantFrom(1, 3),
      CORSRules: cors,
    },
    { requiredKeys: [] },
  ),
});

/** An account of the simulated service, as anything that can be made there by hand; each by a number of its own. */
export const anyWorld: fc.Arbitrary<(number: number) => World> = fc
  .record({
    gateways: fc.array(gateway, { minLength: 2, maxLength: 2 }),
    sims: fc.array(sim, { maxLength: 6 }),
    sites: fc.array(site, { maxLength: 3 }),
  })
  .map(({ gateways, sims, sites }) => (number) => {
    const iccid = (index: number) => `8981040000${1_000_000 + number * 100 + index}`;
    const idOf = (index: number) => String(113_300_000_000 + number * 100 + index);
    return {
      gateways: gateways.map(({ hasNetwork, hasRoute, trafficMonitoring, ...one }, index) => ({
        ...one,
        id: idOf(index),
        ...(hasNetwork && { privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 } }),
        ...(hasNetwork && hasRoute && { staticRoutes: [{ prefix: '192.168.200.0/24', nextHop: '10.0.0.254' }] }),
        ...(trafficMonitoring && { trafficMonitoring: defined(trafficMonitoring) }),
        simRoutes: sims.flatMap((one, at) =>
          one.place === index && one.hasRoute ? [{ sim: iccid(at), prefix: `192.168.${at}.0/24` }] : [],
        ),
      })),
      sims: sims.map((drawn, index) => {
        const { place, hasAddress, hasRoute: _, ...one } = drawn;
        return {
          ...one,
          iccid: iccid(index),
          ...(place !== undefined && { gateway: idOf(place) }),
          ...(place !== undefined && hasAddress && { ip: `10.0.0.${10 + index}` }),
        };
      }),
      sites: sites.map(({ hasDomain, rules, settings, ...one }, index) => ({
        ...one,
        ...(hasDomain && { domain: `www${index}.example.jp` }),
        accessControl: rules,
        settings: { Origin: 'origin.example.jp', ...settings },
      })),
    };
  });
