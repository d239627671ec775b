import type { Random } from '../../../../src/shadow/world/random.ts';
import type { StatePatch } from '../../../../src/simulator/control/patch.ts';
import { type Draft, put } from './draft.ts';
import { CANARY, networks } from './vocabulary.ts';

type Settings = NonNullable<NonNullable<StatePatch['sites']>[string]['settings']>;
type SettingsDraw = (random: Random) => Settings;

const SECOND = 1000;

/** What people set by hand is nothing that any Secret or spec has. */
const handKeys = (random: Random): Settings => ({
  AccessKeyID: `${CANARY}-hand-key-${random.int(3)}`,
  SecretAccessKey: `${CANARY}-hand-secret-${random.int(3)}`,
});

/** Where a site is delivered from, as another kind of origin: all that such an origin needs goes with it. */
export const originEdits: Readonly<Record<string, SettingsDraw>> = {
  'an object storage': (random) => ({
    OriginType: 1,
    OriginProtocol: 'https',
    BucketName: 'by-hand',
    S3Endpoint: 's3.elsewhere.example.jp',
    S3Region: 'elsewhere-1',
    DocIndex: random.int(2),
    ...handKeys(random),
  }),
  'a web server': (random) => ({
    OriginType: 0,
    OriginProtocol: random.pick(['http', 'https']),
    Origin: 'elsewhere.example.jp',
    ...(random.chance(0.5) && { HostHeader: 'elsewhere.example.jp' }),
  }),
};

/** Members of what a site has already: those of the other kind of origin the service refuses. */
export const storageEdits: Readonly<Record<string, SettingsDraw>> = {
  BucketName: (random) => ({ BucketName: random.pick(['by-hand', 'pictures']) }),
  S3Endpoint: () => ({ S3Endpoint: 's3.elsewhere.example.jp' }),
  S3Region: (random) => ({ S3Region: random.pick(['elsewhere-1', 'jp-east-1']) }),
  DocIndex: (random) => ({ DocIndex: random.int(2) }),
  keys: handKeys,
  AccessKeyID: (random) => ({ AccessKeyID: `${CANARY}-hand-key-${random.int(3)}` }),
  SecretAccessKey: (random) => ({ SecretAccessKey: `${CANARY}-hand-secret-${random.int(3)}` }),
};
export const serverEdits: Readonly<Record<string, SettingsDraw>> = {
  OriginProtocol: (random) => ({ OriginProtocol: random.pick(['http', 'https']) }),
};
/** Of a site with any origin. */
export const secretEdits: Readonly<Record<string, SettingsDraw>> = {
  OnetimeURLSecrets: (random) => ({ OnetimeURLSecrets: `${CANARY}-hand-once-${random.int(3)}` }),
  'no OnetimeURLSecrets': () => ({ OnetimeURLSecrets: '' }),
};

const anyEdits: readonly SettingsDraw[] = [
  ...Object.values(originEdits),
  ...Object.values(storageEdits),
  ...Object.values(serverEdits),
  ...Object.values(secretEdits),
  (random) => ({
    RequestProtocol: random.int(3),
    NormalizeAE: random.pick([1, 3]),
    CORSRules: random.pick([[], [{ AllowsAnyOrigin: true }]]),
  }),
];

/**
 * People who change where sites are delivered from, and their secrets; and what of gateways goes with routes and shaping. Of
 * numbers of their own, so that all else is drawn as without.
 */
export function drawOrigins(draft: Draft, random: Random, share: number): void {
  if (!random.chance(share)) return;
  const { trouble, seed } = draft.drawn.setting;
  const sites = (seed['east']?.sites ?? []).flatMap(({ domain }) => domain ?? []);
  const gateways = draft.cast.flatMap(({ plural, ref }) => (plural === 'mobilegateways' ? [ref.name] : []));
  const mine: Draft = { ...draft, random, at: 0 };
  const times = 2 + random.int(7);
  for (let count = 0; count < times; count++) {
    mine.at = Math.round(random.next() * 0.9 * trouble);
    if (gateways.length > 0 && random.chance(0.25)) {
      const gateway = random.pick(gatewayEdits)(random);
      put(mine, { what: 'edit', patch: { gateways: { [random.pick(gateways)]: gateway } } });
    }
    if (sites.length === 0) continue;
    const domain = random.pick(sites);
    const edit = (settings: Settings, later = 0) =>
      put(mine, { what: 'edit', patch: { sites: { [domain]: { settings } } } }, later);
    if (random.chance(0.4)) edit(random.pick(Object.values(originEdits))(random));
    edit(random.pick(anyEdits)(random), random.int(20 * SECOND));
  }
}

type GatewayPatch = NonNullable<StatePatch['gateways']>[string];

const gatewayEdits: readonly ((random: Random) => GatewayPatch)[] = [
  (random) => {
    const settings = {
      internetConnection: random.chance(0.5),
      interDeviceCommunication: random.chance(0.5),
      privateInterface: random.pick(networks),
      staticRoutes: [{ prefix: '192.168.90.0/24', nextHop: '10.0.0.100' }],
    };
    return { settings, applied: settings };
  },
  (random) => ({
    trafficMonitoring: {
      quotaMB: 512,
      autoTrafficShaping: true,
      bandwidthLimitKbps: random.pick([64, 99]),
      email: random.chance(0.5),
      chat: random.chance(0.5),
      chatURL: 'https://chat.example.jp/by-hand',
    },
  }),
  () => ({ dns: null }),
];
