import type { SimItem } from '../../cloud/sims.ts';
import type { Hold } from '../../reconcile/kind.ts';
import { SimReason } from './reasons.ts';
import type { Sim } from './schema.ts';

const indexes = new WeakMap<ReadonlyMap<string, SimItem>, Map<string, SimItem[]>>();

/**
 * The SIM that belongs to a resource, in a list of the account's SIMs by ID: the one recorded, the one `resourceID`
 * names, else the one with the ICCID.
 */
export function findSim(
  sim: Sim,
  id: string | undefined,
  items: ReadonlyMap<string, SimItem>,
): { item: SimItem | undefined } | { hold: Hold } {
  const { iccid, resourceID } = sim.spec;
  const known = id === undefined ? undefined : items.get(id);
  if (known) return { item: known };
  if (resourceID !== undefined) {
    const named = items.get(resourceID);
    if (!named) return { item: undefined };
    return named.iccid === iccid ? { item: named } : { hold: holdMismatch(sim, named) };
  }
  const matches = byICCID(items).get(iccid) ?? [];
  const [only] = matches;
  return matches.length < 2 ? { item: only } : { hold: holdAmbiguous(sim, matches) };
}

function byICCID(items: ReadonlyMap<string, SimItem>): Map<string, SimItem[]> {
  let index = indexes.get(items);
  if (!index) {
    index = new Map();
    for (const item of items.values()) {
      const same = index.get(item.iccid);
      if (same) same.push(item);
      else index.set(item.iccid, [item]);
    }
    indexes.set(items, index);
  }
  return index;
}

function holdMismatch(sim: Sim, item: SimItem): Hold {
  return {
    kind: 'Stalled',
    reason: SimReason.ResourceIDMismatch,
    message: `SIM ${item.id} has ICCID ${item.iccid}, but the spec says ${sim.spec.iccid}. Create the resource anew with the ICCID and resourceID of one SIM.`,
  };
}

function holdAmbiguous(sim: Sim, items: readonly SimItem[]): Hold {
  const ids = items.map((item) => item.id).join(', ');
  return {
    kind: 'Stalled',
    reason: SimReason.AmbiguousICCID,
    message: `The account has several SIMs with ICCID ${sim.spec.iccid}: ${ids}. Set resourceID to the one that is meant.`,
  };
}
