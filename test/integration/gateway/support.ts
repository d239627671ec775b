import { expect } from 'vitest';
import { eventually } from '../../support/kubernetes.ts';
import { createWorld, type World, type WorldOptions } from '../../support/world.ts';

export const GATEWAY_ID = '113300000101';
export const DEPOT = ['MobileGateway', 'depot'] as const;
export const GATEWAY = '/appliance/:id';
export const ICCID = '8981040000000000017';
export const SIM_ID = '113300000017';
export const TRUCK = ['Sim', 'truck-17'] as const;

export const seededGateway = { id: GATEWAY_ID, name: 'old depot', zone: 'is1b' } as const;
/** For whatever is waited for here: the machine may be busy. */
export const PATIENCE = { timeoutSeconds: 30 };

/** A world whose account has one gateway with nothing set, and a SIM on it. */
export function gatewayWorld(options: WorldOptions = {}): Promise<World> {
  const sims = [{ id: SIM_ID, iccid: ICCID, name: 'truck', gateway: seededGateway.name }];
  return createWorld({ prefix: 'gateway', seed: { gateways: [seededGateway], sims }, ...options });
}

/** A manifest; it takes the seeded gateway over. */
export function adopted(spec: object): object {
  return gateway({ resourceID: GATEWAY_ID, ...spec });
}

/** A manifest of a gateway in zone is1b. */
export function gateway(spec: object, name = 'depot'): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: { name },
    spec: { zone: 'is1b', ...spec },
  };
}

/** A manifest of a Sim, named as its ICCID ends. */
export function sim(spec: object, name = 'truck-17', iccid = ICCID): object {
  return { apiVersion: 'edgeline.dev/v1alpha1', kind: 'Sim', metadata: { name }, spec: { iccid, ...spec } };
}

/** Resolves after the list of gateways was taken twice more. */
export async function settleGateways(world: World): Promise<void> {
  const lists = async () => (await world.requests()).filter(({ route }) => route === 'GET /appliance').length;
  const before = await lists();
  await eventually(async () => expect(await lists()).toBeGreaterThanOrEqual(before + 2), PATIENCE);
}

/** Exactly these calls change something at the service, and nothing follows. */
export async function expectGatewayWrites(world: World, calls: readonly string[]): Promise<void> {
  await eventually(async () => expect(await world.writes()).toEqual(calls), PATIENCE);
  await settleGateways(world);
  expect(await world.writes()).toEqual(calls);
}

/** The call that sends settings; what is not given is off. */
export function putSettings(given: {
  readonly internet?: boolean;
  readonly devices?: boolean;
  readonly interface?: readonly [string, number];
  readonly routes?: readonly (readonly [string, string])[];
}): string {
  const word = (enabled = false) => ({ Enabled: enabled ? 'True' : 'False' });
  const [ip, length] = given.interface ?? [];
  const settings = {
    InternetConnection: word(given.internet),
    InterDeviceCommunication: word(given.devices),
    Interfaces: ip === undefined ? [null] : [null, { IPAddress: [ip], NetworkMaskLen: length }],
    StaticRoutes: (given.routes ?? []).map(([Prefix, NextHop]) => ({ Prefix, NextHop })),
  };
  return `PUT ${GATEWAY} ${JSON.stringify({ Appliance: { Settings: { MobileGateway: settings } } })}`;
}

export const config = `PUT ${GATEWAY}/config`;
export const putDNS = (dns_1: string, dns_2: string) =>
  `PUT ${GATEWAY}/mobilegateway/dnsresolver ${JSON.stringify({ sim_group: { dns_1, dns_2 } })}`;
export const putRoutes = (...routes: { resource_id: string; prefix: string }[]) =>
  `PUT ${GATEWAY}/mobilegateway/simroutes ${JSON.stringify({ sim_routes: routes })}`;
export const putMonitoring = (monitoring: object) =>
  `PUT ${GATEWAY}/mobilegateway/traffic_monitoring ${JSON.stringify({ traffic_monitoring_config: monitoring })}`;
export const deleteMonitoring = `DELETE ${GATEWAY}/mobilegateway/traffic_monitoring`;

/** Has the operator look at everything of a resource again. */
export function lookAgain(world: World, kind: string, name: string): Promise<void> {
  return world.annotate(kind, name, { 'edgeline.dev/reconcile-at': `${Date.now()}` });
}

/** The gateways at the service. */
export async function stored(world: World): Promise<Record<string, unknown>[]> {
  const { gateways } = await world.simulator.state();
  return Object.values(gateways).filter((one) => one !== undefined);
}
