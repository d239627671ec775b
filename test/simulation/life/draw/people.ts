import type { Random } from '../../../../src/shadow/world/random.ts';
import type { StatePatch } from '../../../../src/simulator/control/patch.ts';
import type { JsonObject } from '../json.ts';
import type { Act } from '../script.ts';
import { type Draft, put } from './draft.ts';
import { addresses, carriers, drawCertificate, iccids, imeis, networks, resolvers, rules } from './vocabulary.ts';

/** Something that people do at the service's control panel. */
export const peopleActs: readonly { readonly weight: number; readonly draw: (draft: Draft) => void }[] = [
  { weight: 10, draw: edit },
  { weight: 1, draw: add },
  { weight: 1, draw: remove },
  { weight: 1, draw: removeMany },
  { weight: 2, draw: revert },
];

type SimPatch = NonNullable<StatePatch['sims']>[string];
type GatewayPatch = NonNullable<StatePatch['gateways']>[string];
type SitePatch = NonNullable<StatePatch['sites']>[string];

/** By the member that changes, for each kind of object. */
const simEdits: Readonly<Record<string, (random: Random) => SimPatch>> = {
  name: (random) => ({ name: random.pick(['renamed', 'Truck']) }),
  activated: (random) => ({ activated: random.chance(0.4) }),
  ip: (random) => ({ ip: random.chance(0.4) ? null : random.pick(addresses) }),
  imeiLock: (random) => ({ imeiLock: random.chance(0.4) ? null : random.pick(imeis) }),
  carriers: (random) => ({
    carriers: carriers.map((name, index) => ({ name, allow: index === 2 || random.chance(0.5) })),
  }),
  gatewayID: (random) => ({ gatewayID: random.pick([null, null, 'gateway-1', 'old-gateway']) }),
};

const gatewayEdits: Readonly<Record<string, (random: Random) => GatewayPatch>> = {
  settings: (random) => {
    const settings = {
      internetConnection: random.chance(0.5),
      interDeviceCommunication: random.chance(0.5),
      privateInterface: random.chance(0.7) ? random.pick(networks) : null,
      staticRoutes: [],
    };
    return { settings, applied: settings };
  },
  dns: (random) => ({ dns: random.pick(resolvers) }),
  simRoutes: () => ({ simRoutes: [] }),
  name: () => ({ name: 'renamed' }),
  trafficMonitoring: (random) => ({
    trafficMonitoring: random.chance(0.3) ? null : { quotaMB: 777, email: random.chance(0.5) },
  }),
  instanceStatus: (random) => ({ instanceStatus: random.pick(['up', 'down']) }),
};

const siteEdits: Readonly<Record<string, (random: Random, domain: string) => SitePatch>> = {
  Name: (random) => ({ settings: { Name: random.pick(['Renamed', 'Front']) } }),
  RequestProtocol: (random) => ({ settings: { RequestProtocol: random.int(3) } }),
  DefaultCacheTTL: (random) => ({ settings: { DefaultCacheTTL: random.pick([-1, 0, 61]) } }),
  VarySupport: (random) => ({ settings: { VarySupport: random.int(2) } }),
  NormalizeAE: (random) => ({ settings: { NormalizeAE: random.pick([1, 3]) } }),
  CORSRules: (random) => ({ settings: { CORSRules: random.pick([[], [{ AllowsAnyOrigin: true }]]) } }),
  origin: (random) => ({ settings: { Origin: random.pick(['elsewhere.example.jp', 'origin.example.jp']) } }),
  HostHeader: (random) => ({ settings: { HostHeader: random.pick(['elsewhere.example.jp', 'www.example.jp']) } }),
  status: (random) => ({ status: random.pick(['disabled', 'enabled', 'enabled']) }),
  accessControl: (random) => ({ accessControl: [...random.pick(rules)] }),
  certificate: (random, domain) => ({ certificate: drawCertificate(domain, random) }),
};

/** A member of an object that may be there, changed. */
export function drawEdit({ random, cast, drawn }: Pick<Draft, 'random' | 'cast' | 'drawn'>): StatePatch | undefined {
  const east = drawn.setting.seed['east'];
  const kind = random.pick(['sims', 'sims', 'gateways', 'sites'] as const);
  if (kind === 'sims') {
    const known = cast.flatMap(({ fixed }) => (typeof fixed['iccid'] === 'string' ? [fixed['iccid']] : []));
    if (known.length === 0) return undefined;
    const change = random.pick(Object.values(simEdits))(random);
    return { sims: { [random.pick(known)]: change } };
  }
  if (kind === 'gateways') {
    const names = [
      ...cast.flatMap(({ plural, ref }) => (plural === 'mobilegateways' ? [ref.name] : [])),
      ...(east?.gateways ?? []).flatMap(({ id }) => (id === undefined ? [] : [id])),
    ];
    if (names.length === 0) return undefined;
    return { gateways: { [random.pick(names)]: random.pick(Object.values(gatewayEdits))(random) } };
  }
  const seeded = (east?.sites ?? []).flatMap(({ domain }) => (domain === undefined ? [] : [domain]));
  if (seeded.length === 0) return undefined;
  const domain = random.pick(seeded);
  const change = random.pick(Object.values(siteEdits))(random, domain);
  return { sites: { [domain]: change } };
}

function edit(draft: Draft): void {
  const patch = drawEdit(draft);
  if (patch) put(draft, { what: 'edit', patch });
}

/** The same again and again: somebody who fights back. */
function revert(draft: Draft): void {
  const patch = drawEdit(draft);
  if (!patch) return;
  const times = 2 + draft.random.int(3);
  for (let count = 0; count < times; count++) put(draft, { what: 'edit', patch }, count * 20_000);
}

function add(draft: Draft): void {
  const { random } = draft;
  const seed: JsonObject = { iccid: random.pick(iccids), name: 'by hand', activated: random.chance(0.5) };
  put(draft, { what: 'add', account: 'east', kind: 'sims', seed });
}

function drawRemoval({ random, cast }: Draft): Act {
  const names = cast.filter(({ plural }) => plural === 'mobilegateways').map(({ ref }) => ref.name);
  return names.length > 0 && random.chance(0.3)
    ? { what: 'remove', kind: 'gateways', name: random.pick(names) }
    : { what: 'remove', kind: 'sims', name: random.pick(iccids) };
}

function remove(draft: Draft): void {
  put(draft, drawRemoval(draft));
}

/** Much is gone at once. */
function removeMany(draft: Draft): void {
  if (!draft.random.chance(0.3)) return;
  for (const name of iccids) put(draft, { what: 'remove', kind: 'sims', name }, draft.random.int(3000));
}
