import type { JsonObject } from '../../json.ts';
import type { ObjectSeeds } from '../../setting.ts';
import type { Role } from '../cast.ts';
import type { Draft } from '../draft.ts';
import { gatewayPlace, OLD, seededID } from '../seed.ts';
import { passCodeKey } from '../setting.ts';
import { iccids, networks } from '../vocabulary.ts';
import { introduce, role } from './parts.ts';
import type { Wishes } from './story.ts';

type SimSeed = NonNullable<ObjectSeeds['sims']>[number];
type GatewaySeed = NonNullable<ObjectSeeds['gateways']>[number];

/** An account that has nothing at first. */
export const nothing: ObjectSeeds = { sims: [], gateways: [], sites: [], servers: [] };

/** One namespace whose account has only this at first, and one process. `trouble`: how long things go wrong, milliseconds. */
export function eastWith(east: Partial<ObjectSeeds>, trouble: number): Wishes {
  return {
    namespaces: 1,
    isEast: true,
    east: { ...nothing, ...east },
    setting: { replicas: 1, leaderElect: false, trouble },
  };
}

/**
 * One namespace whose account has nothing at first, and one process. `trouble`: how long things go wrong, milliseconds;
 * `service`: how the service is set, where not as always.
 */
export function emptyEast(trouble: number, service?: NonNullable<Wishes['setting']>['service']): Wishes {
  const { setting, ...wishes } = eastWith({}, trouble);
  return { ...wishes, setting: { ...setting, ...(service && { service }) } };
}

/** The ID of a {@link gatewayInUse}. */
export const gatewayInUseID = seededID('east', gatewayPlace(0));

/** A gateway that somebody made long ago, and that is up. */
export function gatewayInUse(more: Partial<GatewaySeed> = {}): GatewaySeed {
  return {
    id: gatewayInUseID,
    createdAt: OLD,
    name: 'old-gateway',
    zone: 'is1a',
    privateInterface: networks[0],
    instanceStatus: 'up',
    ...more,
  };
}

/** One namespace with an account of its own, and one process. `trouble`: how long things go wrong, milliseconds. */
export function oneNamespace(trouble: number): Wishes {
  return { namespaces: 1, hasClusterAccount: false, setting: { replicas: 1, leaderElect: false, trouble } };
}

/** An activated SIM that somebody registered long ago, at this place of the vocabulary. */
export function oldSim(index: number, more: Partial<SimSeed> = {}): SimSeed {
  return {
    id: seededID('east', index + 1),
    createdAt: OLD,
    iccid: iccidOf(index),
    name: `old ${index + 1}`,
    activated: true,
    ...more,
  };
}

export function iccidOf(index: number): string {
  return iccids[index] ?? '';
}

/** The spec of a Sim for the SIM at this place of the vocabulary. */
export function simSpec(index: number, more: JsonObject = {}): JsonObject {
  const iccid = iccidOf(index);
  return { iccid, passCodeSecretRef: { name: 'secrets', key: passCodeKey(iccid) }, ...more };
}

/** Sims that may register their SIMs. */
export function simRoles(count: number): Role[] {
  return Array.from({ length: count }, (_, index) => role('sims', `sim-${index + 1}`, simSpec(index)));
}

export function gatewayRoles(count: number): Role[] {
  return Array.from({ length: count }, (_, index) =>
    role('mobilegateways', `gateway-${index + 1}`, { zone: 'is1a', planID: 2 }),
  );
}

/** Two gateways with one private network each, of the same addresses. */
export function introduceGateways(draft: Draft): void {
  const { random } = draft;
  for (const name of ['gateway-1', 'gateway-2']) {
    const zone = random.pick(['is1a', 'is1b']);
    introduce(draft, 'mobilegateways', name, { zone, planID: 2, privateInterface: networks[0] }, random.int(2000));
  }
}
