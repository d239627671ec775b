import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld, type World } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const SIM_ID = '113300000017';
const SIM = ['Sim', 'truck-17'] as const;
const gateways = { north: { id: '113300000101', zone: 'is1b' }, south: { id: '113300000102', zone: 'tk1a' } } as const;
type Gateway = keyof typeof gateways;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function sim(spec: object): object {
  const metadata = { name: 'truck-17' };
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata, spec: { iccid: ICCID, ...spec } };
}

/** Two gateways that were taken over, each in a zone of its own, and a SIM. */
async function twoGateways(on?: { gateway: Gateway; ip?: string }): Promise<World> {
  const world = await createWorld({
    seed: {
      gateways: Object.entries(gateways).map(([name, place]) => ({ name, ...place })),
      sims: [{ id: SIM_ID, iccid: ICCID, name: 'old', ...on }],
    },
  });
  for (const [name, { id, zone }] of Object.entries(gateways)) {
    const spec = { zone, resourceID: id };
    await world.apply({ apiVersion: 'edgeline.dev/v1alpha1', kind: 'MobileGateway', metadata: { name }, spec });
  }
  for (const name of Object.keys(gateways)) await world.ready('MobileGateway', name);
  return world;
}

/** The calls that change something, by what they mean. */
async function calls(world: World): Promise<string[]> {
  const changes = (await world.requests()).filter(({ method }) => method !== 'GET');
  return changes.map(({ method, path, body }) => {
    const [, zone = '', rest = ''] = /^\/cloud\/zone\/(\w+)\/api\/cloud\/1\.1(.*)$/.exec(path) ?? [];
    const at = Object.entries(gateways).find(([, { id }]) => rest.includes(id));
    const short = rest
      .replace(/^\/appl\w+\/\d+\/mobilegateway/, `${at?.[0]}, ${zone}:`)
      .replace(`/commonserviceitem/${SIM_ID}`, '')
      .replace(SIM_ID, ':sim');
    return `${method} ${short}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`;
  });
}

const register = (gateway: Gateway) =>
  `POST ${gateway}, ${gateways[gateway].zone}:/sims {"sim":{"resource_id":"${SIM_ID}"}}`;
const unregister = (gateway: Gateway) => `DELETE ${gateway}, ${gateways[gateway].zone}:/sims/:sim`;
const setIP = (ip: string) => `PUT /sim/ip {"sim":{"ip":"${ip}"}}`;
const clearIP = 'DELETE /sim/ip';
const at = (name: Gateway, ipAddress?: string) => ({ gatewayRef: { name }, ...(ipAddress && { ipAddress }) });

/** What was done, and that nothing follows. */
async function expectCalls(world: World, expected: readonly string[]): Promise<void> {
  await eventually(async () => expect(await calls(world)).toEqual(expected));
  await world.ready(...SIM);
  await world.settle();
  expect(await calls(world)).toEqual(expected);
}

interface Move {
  readonly title: string;
  readonly from?: { readonly gateway: Gateway; readonly ip?: string };
  /** What the Sim is applied with first; what that does is not looked at. */
  readonly before: object;
  readonly spec?: object;
  readonly drift?: (id: string) => object;
  readonly calls: readonly string[];
}

const moves: readonly Move[] = [
  { title: 'comes to a gateway', before: {}, spec: at('north'), calls: [register('north')] },
  {
    title: 'comes to a gateway with an address',
    before: {},
    spec: at('north', '10.0.0.17'),
    calls: [register('north'), setIP('10.0.0.17')],
  },
  { title: 'gets an address', before: at('north'), spec: at('north', '10.0.0.17'), calls: [setIP('10.0.0.17')] },
  {
    title: 'gets another address',
    before: at('north', '10.0.0.17'),
    spec: at('north', '10.0.0.18'),
    calls: [setIP('10.0.0.18')],
  },
  { title: 'loses its address', before: at('north', '10.0.0.17'), spec: at('north'), calls: [clearIP] },
  {
    title: 'moves to another gateway',
    before: at('north', '10.0.0.17'),
    spec: at('south', '10.0.0.17'),
    calls: [clearIP, unregister('north'), register('south'), setIP('10.0.0.17')],
  },
  {
    title: 'moves without an address',
    before: at('north'),
    spec: at('south'),
    calls: [unregister('north'), register('south')],
  },
  {
    title: 'leaves its gateway',
    before: at('north', '10.0.0.17'),
    spec: {},
    calls: [clearIP, unregister('north')],
  },
  {
    title: 'was taken over where it is',
    from: { gateway: 'north', ip: '10.0.0.9' },
    before: {},
    spec: at('north', '10.0.0.9'),
    calls: [],
  },
  {
    title: 'was taken over with an address nobody named',
    from: { gateway: 'north', ip: '10.0.0.9' },
    before: {},
    spec: at('north'),
    calls: [],
  },
  {
    title: 'was taken over and moves from a gateway nobody named',
    from: { gateway: 'south', ip: '10.0.0.9' },
    before: {},
    spec: at('north'),
    calls: [clearIP, unregister('south'), register('north')],
  },
  {
    title: 'got another address behind the operator’s back',
    before: at('north', '10.0.0.17'),
    drift: () => ({ ip: '10.0.0.99' }),
    calls: [setIP('10.0.0.17')],
  },
  {
    title: 'lost its address behind the operator’s back',
    before: at('north', '10.0.0.17'),
    drift: () => ({ ip: null }),
    calls: [setIP('10.0.0.17')],
  },
  {
    title: 'was taken off its gateway behind the operator’s back',
    before: at('north', '10.0.0.17'),
    drift: () => ({ gatewayID: null }),
    calls: [register('north'), setIP('10.0.0.17')],
  },
  {
    title: 'was moved behind the operator’s back',
    before: at('north', '10.0.0.17'),
    drift: () => ({ gatewayID: gateways.south.id }),
    calls: [unregister('south'), register('north'), setIP('10.0.0.17')],
  },
];

describe.concurrent('a SIM that', () => {
  it.each(moves)('$title', async ({ from, before, spec, drift, calls: expected }) => {
    const world = await twoGateways(from);
    await world.apply(sim(before));
    await world.ready(...SIM);
    await world.settle();
    await world.forget();
    if (drift) await world.simulator.patch({ sims: { [ICCID]: drift(SIM_ID) } });
    if (spec) await world.apply(sim(spec));
    await expectCalls(world, expected);
    expect((await world.get(...SIM)).status?.conditions).toHaveLength(2);
    await world.stop();
  });

  it('is deleted leaves its gateway first', async () => {
    const world = await twoGateways();
    await world.apply(sim({ ...at('north', '10.0.0.17'), activated: true, deletionPolicy: 'Delete' }));
    await world.ready(...SIM);
    await world.forget();
    await world.delete(...SIM);
    await world.gone(...SIM);
    expect(await calls(world)).toEqual([clearIP, unregister('north'), 'PUT /sim/deactivate', 'DELETE ']);
    await world.stop();
  });

  it('waits for its gateway goes on when it comes', async () => {
    const world = await createWorld({
      seed: { gateways: [{ name: 'north', ...gateways.north }], sims: [{ id: SIM_ID, iccid: ICCID, name: 'old' }] },
    });
    await world.apply(sim(at('north', '10.0.0.17')));
    await world.condition(...SIM, { type: 'Ready', status: 'False', reason: 'GatewayNotFound' });
    expect(await calls(world)).toEqual([]);
    const spec = { zone: gateways.north.zone, resourceID: gateways.north.id };
    await world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'north' },
      spec,
    });
    await expectCalls(world, [register('north'), setIP('10.0.0.17')]);
    await world.stop();
  });

  it('has an address of another SIM is told so by the service', async () => {
    const world = await twoGateways();
    await world.simulator.add('sims', { iccid: '8981040000000000018', gateway: 'north', ip: '10.0.0.17' });
    await world.apply(sim(at('north', '10.0.0.17')));
    const { message } = await world.condition(...SIM, { type: 'Synced', status: 'False', reason: 'AddressTaken' });
    expect(message).toContain('has the address 10.0.0.17');
    await world.stop();
  });
});
