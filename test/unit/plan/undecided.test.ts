import { describe, expect, it } from 'vitest';
import { type Objects, objectsIn } from '../../../src/plan/objects.ts';
import { undecidedOf } from '../../../src/plan/undecided.ts';
import type { StoredObject } from '../../../src/shadow/apiserver/apiserver.ts';

const GATEWAY = '113300000201';

function object(kind: string, name: string, spec: object, status?: object): StoredObject {
  const metadata = { name, namespace: 'fleet', uid: name, resourceVersion: '1', generation: 1, creationTimestamp: '' };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind, metadata, spec, ...(status && { status }) };
}

const routeTo = (sim: string, prefix = '192.168.20.0/24') => ({ prefix, simRef: { name: sim } });
const gateway = (routes: readonly object[], observed: readonly object[] = []) =>
  object('MobileGateway', 'depot', { zone: 'is1a', simRoutes: routes }, { id: GATEWAY, simRoutes: observed });
/** A Sim; `on`: it is registered with the gateway, under an ID that ends so. */
const sim = (
  name: string,
  { names = true, on }: { names?: boolean; on?: number } = {},
  more: object = {},
  ip?: string,
) =>
  object(
    'Sim',
    name,
    {
      iccid: `89810400000000000${name.length}${name.at(-1)}`,
      ...(names && { gatewayRef: { name: 'depot' } }),
      ...more,
    },
    on === undefined ? undefined : { id: `11330000000${on}`, registered: true, gatewayID: GATEWAY, ip },
  );

function objects(gateways: readonly StoredObject[], sims: readonly StoredObject[]): Objects {
  return objectsIn((plural) => (plural === 'mobilegateways' ? gateways : plural === 'sims' ? sims : []));
}

function told(
  all: Objects,
  { changed, deleted = [] }: { readonly changed: readonly string[]; readonly deleted?: readonly string[] },
  reasons: Readonly<Record<string, string>> = {},
  leaving: readonly string[] = [],
): string[] {
  const rehearsal = { created: new Set<string>(), changed: new Set(changed), deleted: new Set(deleted) };
  return undecidedOf(
    all,
    rehearsal,
    (key) => reasons[key],
    (key) => new Set(leaving.includes(key) ? [GATEWAY] : []),
  );
}

const DEPOT = 'mobilegateways/fleet/depot';
const keyOfSim = (name: string) => `sims/fleet/${name}`;
const BOTH = [routeTo('one'), routeTo('two', '192.168.21.0/24')];
const routesOfBoth = [
  { prefix: '192.168.20.0/24', resourceID: '113300000001' },
  { prefix: '192.168.21.0/24', resourceID: '113300000002' },
];
const parts = (names: string) => [
  `MobileGateway fleet/depot has routes to ${names}, which come or leave at the same time: its simRoutes may be sent more than once, or not at all.`,
];

describe('the routes of a gateway', () => {
  it('are not told to come apart where none are sent, as for want of an account', () => {
    const all = objects([gateway(BOTH)], [sim('one'), sim('two')]);
    const changed = [DEPOT, keyOfSim('one'), keyOfSim('two')];
    expect(told(all, { changed })).toEqual(parts('Sim fleet/one and Sim fleet/two'));
    expect(told(all, { changed }, { [DEPOT]: 'RouteWaitsForSim' })).toEqual(parts('Sim fleet/one and Sim fleet/two'));
    expect(told(all, { changed }, { [DEPOT]: 'AccountNotFound' })).toEqual([]);
  });

  it.each([
    {
      what: 'to one SIM that comes are sent once',
      all: objects([gateway([routeTo('one')])], [sim('one')]),
      changed: [keyOfSim('one')],
      expected: [],
    },
    {
      what: 'to two SIMs that come may be sent in two parts',
      all: objects([gateway(BOTH)], [sim('one'), sim('two')]),
      changed: [keyOfSim('one'), keyOfSim('two')],
      expected: parts('Sim fleet/one and Sim fleet/two'),
    },
    {
      what: 'to one that comes and to one that is there, and is new in the spec, may be sent in two parts',
      all: objects([gateway(BOTH)], [sim('one'), sim('two', { on: 2 })]),
      changed: [keyOfSim('one'), DEPOT],
      expected: parts('Sim fleet/one'),
    },
    {
      what: 'to SIMs that leave are taken away with them, and none is sent',
      all: objects([gateway(BOTH, routesOfBoth)], [sim('one', { on: 1, names: false }), sim('two', { on: 2 })]),
      changed: [keyOfSim('one'), keyOfSim('two')],
      deleted: [keyOfSim('two')],
      expected: [],
    },
    {
      what: 'to a SIM that is taken over from the gateway they are of may be sent, or not',
      all: objects([gateway([routeTo('one')])], [sim('one', { names: false })]),
      changed: [keyOfSim('one')],
      leaving: [keyOfSim('one')],
      expected: parts('Sim fleet/one'),
    },
    {
      what: 'that change while a SIM they name is deleted may be sent, or held back',
      all: objects([gateway([routeTo('one')], routesOfBoth)], [sim('one', { names: false }), sim('two', { on: 2 })]),
      changed: [DEPOT],
      deleted: [keyOfSim('one')],
      expected: parts('Sim fleet/one'),
    },
    {
      what: 'that leave the spec while their SIM is deleted may be sent, or go with it',
      all: objects(
        [
          object(
            'MobileGateway',
            'depot',
            { zone: 'is1a' },
            { id: GATEWAY, simRoutes: routesOfBoth, applied: { simRoutes: routesOfBoth } },
          ),
        ],
        [sim('one', { on: 1 })],
      ),
      changed: [DEPOT],
      deleted: [keyOfSim('one')],
      expected: parts('Sim fleet/one'),
    },
    {
      what: 'are not about a SIM that names another gateway',
      all: objects([gateway(BOTH)], [sim('one', { names: false }), sim('two')]),
      changed: [keyOfSim('one'), keyOfSim('two')],
      expected: [],
    },
  ])('$what', ({ all, expected, leaving = [], ...what }) => {
    expect(told(all, what, {}, leaving)).toEqual(expected);
  });
});

describe('a Sim that changes while its gateway is deleted', () => {
  it('may come too late or in time', () => {
    const all = objects([gateway([])], [sim('one')]);
    expect(told(all, { changed: [DEPOT, keyOfSim('one')], deleted: [DEPOT] })).toEqual([
      'MobileGateway fleet/depot is deleted while Sim fleet/one, which names it, changes: whichever is first has its way.',
    ]);
  });

  it('is waited for if it is on it', () => {
    const all = objects([gateway([])], [sim('one', { on: 1 })]);
    expect(told(all, { changed: [DEPOT, keyOfSim('one')], deleted: [DEPOT] })).toEqual([]);
  });

  it('may get another address in time, or not', () => {
    const all = objects([gateway([])], [sim('one', { on: 1 }, { ipAddress: '10.0.0.12' })]);
    expect(told(all, { changed: [DEPOT, keyOfSim('one')], deleted: [DEPOT] })).toHaveLength(1);
  });
});

describe('a SiteCertificate that changes while its site is deleted', () => {
  const certificate = object('SiteCertificate', 'shop', { siteRef: { name: 'shop' }, secretRef: { name: 'shop-tls' } });
  const all = objectsIn((plural) => (plural === 'sitecertificates' ? [certificate] : []));
  const [key, site] = ['sitecertificates/fleet/shop', 'webaccelsites/fleet/shop'];

  it('may have its certificate put there in time, or not', () => {
    expect(told(all, { changed: [key], deleted: [site] })).toEqual([
      'WebAccelSite fleet/shop is deleted while SiteCertificate fleet/shop, which names it, changes: whichever is first has its way.',
    ]);
  });

  it('is certain while its site stays, and where it does not change', () => {
    expect([told(all, { changed: [key] }), told(all, { changed: [], deleted: [site] })]).toEqual([[], []]);
  });
});

describe('two Sims with one address', () => {
  const all = objects(
    [gateway([])],
    [sim('one', {}, { ipAddress: '10.0.0.11' }), sim('two', {}, { ipAddress: '10.0.0.11' })],
  );
  const changed = [keyOfSim('one'), keyOfSim('two')];

  it('race for it', () => {
    expect(told(all, { changed })).toEqual([
      'Sim fleet/one and Sim fleet/two ask for the same at once: whichever is first gets it.',
    ]);
  });

  it('race when their gateway is made', () => {
    expect(told(all, { changed: [DEPOT] })).toHaveLength(1);
  });

  it.each([
    { what: 'race when the one that has it takes another', ipAddress: '10.0.0.99', moves: true, races: 1 },
    { what: 'do not while another has it', ipAddress: '10.0.0.11', moves: false, races: 0 },
  ])('$what', ({ ipAddress, moves, races }) => {
    const three = sim('three', { on: 3 }, { ipAddress }, '10.0.0.11');
    const { sims } = objects([], [three]);
    const among = { ...all, sims: [...all.sims, ...sims] };
    expect(told(among, { changed: moves ? [keyOfSim('three')] : [] })).toHaveLength(races);
  });

  it('do not if one of them never comes to ask', () => {
    expect(told(all, { changed }, { [keyOfSim('two')]: 'PassCodeRequired' })).toEqual([]);
  });
});
