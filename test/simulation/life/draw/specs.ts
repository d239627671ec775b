import type { Random } from '../../../../src/shadow/world/random.ts';
import type { Json, JsonObject } from '../json.ts';
import { addresses, carriers, imeis, networks, resolvers, rules } from './vocabulary.ts';

/** What a resource may name, in its namespace. */
export interface Surroundings {
  readonly gateways: readonly string[];
  readonly sims: readonly string[];
}

/** How to draw one field of a spec. */
type FieldDraw = (random: Random, around: Surroundings) => Json | undefined;

const flag: FieldDraw = (random) => random.chance(0.6);

const simFields: Readonly<Record<string, FieldDraw>> = {
  activated: (random) => random.chance(0.75),
  gatewayRef: (random, { gateways }) => (gateways.length === 0 ? undefined : { name: random.pick(gateways) }),
  ipAddress: (random) => random.pick(addresses),
  imeiLock: (random) => random.pick(imeis),
  carriers: (random) => {
    const some = carriers.filter(() => random.chance(0.5));
    return (some.length > 0 ? some : [carriers[0]]).map((name, index) => ({
      name,
      allow: index === 0 || random.chance(0.5),
    }));
  },
  displayName: (random) => random.pick(['Truck', 'Crane', 'Barge']),
};

const gatewayFields: Readonly<Record<string, FieldDraw>> = {
  internetConnection: flag,
  interDeviceCommunication: flag,
  privateInterface: (random) => random.pick(networks),
  staticRoutes: (random) =>
    ['192.168.10.0/24', '192.168.11.0/24', '192.168.12.0/24']
      .filter(() => random.chance(0.6))
      .map((prefix) => ({ prefix, nextHop: random.pick(['10.0.0.100', '10.0.0.101']) })),
  dns: (random) => random.pick(resolvers),
  simRoutes: (random, { sims }) =>
    sims.length === 0
      ? []
      : ['192.168.20.0/24', '192.168.21.0/24']
          .filter(() => random.chance(0.6))
          .map((prefix) => ({ prefix, simRef: { name: random.pick(sims) } })),
  trafficMonitoring: (random) => {
    const shaping = random.chance(0.4);
    return {
      quotaMB: random.pick([512, 1024]),
      ...(shaping && { autoTrafficShaping: true, bandwidthLimitKbps: random.pick([64, 128]) }),
      ...(random.chance(0.4) && { email: random.chance(0.7) }),
      ...(random.chance(0.4) && { chatWebhookSecretRef: { name: 'secrets', key: 'webhook' } }),
    };
  },
};

const siteFields: Readonly<Record<string, FieldDraw>> = {
  displayName: (random) => random.pick(['Front', 'Shop']),
  requestProtocol: (random) => random.pick(['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS']),
  origin: (random) =>
    random.chance(0.6)
      ? {
          webServer: {
            host: random.pick(['origin.example.jp', 'origin-2.example.jp']),
            ...(random.chance(0.5) && { hostHeader: random.pick(['www.example.jp', 'shop.example.jp']) }),
            ...(random.chance(0.5) && { protocol: random.pick(['HTTP', 'HTTPS']) }),
          },
        }
      : {
          objectStorage: {
            bucket: random.pick(['pictures', 'films']),
            endpoint: 's3.example.jp',
            region: random.pick(['jp-north-1', 'jp-east-1']),
            credentialsSecretRef: { name: 'bucket' },
            ...(random.chance(0.5) && { documentIndex: random.chance(0.5) }),
          },
        },
  defaultCacheTTL: (random) => random.pick([-1, 0, 60, 3600]),
  vary: flag,
  normalizeAcceptEncoding: (random) => random.pick(['Gzip', 'BrotliAndGzip']),
  cors: (random) =>
    random.pick([
      {},
      { allowAnyOrigin: true },
      { allowedOrigins: ['https://www.example.jp', 'https://shop.example.jp'] },
    ]),
  oneTimeURLSecretRef: (random) => ({ name: 'secrets', key: random.pick(['once', 'once-2']) }),
  accessControl: (random) => (random.chance(0.15) ? [] : random.pick(rules)),
};

const certificateFields: Readonly<Record<string, FieldDraw>> = {
  allowRollback: flag,
  allowTemporary: flag,
};

/** The fields that users change as they like, by plural. */
export const fields: Readonly<Record<string, Readonly<Record<string, FieldDraw>>>> = {
  sims: simFields,
  mobilegateways: gatewayFields,
  webaccelsites: siteFields,
  sitecertificates: certificateFields,
};

/** A spec with some of its fields. `fixed` are those that name what is meant. */
export function drawSpec(plural: string, fixed: JsonObject, random: Random, around: Surroundings): JsonObject {
  const spec: Record<string, Json> = { ...fixed };
  const much = random.pick([0.25, 0.5, 0.8]);
  for (const [name, draw] of Object.entries(fields[plural] ?? {})) {
    if (!random.chance(much)) continue;
    const value = draw(random, around);
    if (value !== undefined) spec[name] = value;
  }
  return lawful(plural, plural === 'sims' ? { ...spec, ...guardsOf(fixed, random) } : spec);
}

/** Of numbers of their own, so that all else is drawn as without. */
function guardsOf(fixed: JsonObject, random: Random): JsonObject {
  const own = random.fork(`guards ${JSON.stringify(fixed['iccid'])}`);
  const monthly = own.pick(['20k', '500k', '1M']);
  return {
    ...(own.chance(0.25) && { dataLimit: { monthly, action: own.chance(0.8) ? 'Deactivate' : 'Warn' } }),
    ...(own.chance(0.25) && { expectOnlineWithin: own.pick(['1m', '10m', '1d']) }),
  };
}

/** The spec, without what the rules of its kind refuse. */
export function lawful(plural: string, spec: JsonObject): JsonObject {
  if (plural === 'sims' && spec['gatewayRef'] === undefined) return without(spec, 'ipAddress');
  if (plural === 'mobilegateways' && spec['privateInterface'] === undefined) return without(spec, 'staticRoutes');
  return spec;
}

export function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}
