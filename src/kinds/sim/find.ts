import type { SimItem } from '../../cloud/sim/types.ts';
import { isSameCounterpart } from '../../reconcile/counterpart.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { differsInTime, holdStranger, type Proposal } from '../cloud-account/losses.ts';
import { AccountReason } from '../cloud-account/reasons.ts';
import { type SimHold, SimReason } from './reasons.ts';
import type { Sim } from './schema.ts';

const indexes = new WeakMap<ReadonlyMap<string, SimItem>, Map<string, SimItem[]>>();

/** Whether a SIM of the list is the one a status recorded: an ID alone is none. Pure. */
export function isTheSim({ spec, status }: Sim, item: SimItem): boolean {
  const isSame = status?.id !== item.id || isSameCounterpart({ id: item.id, createdAt: status.createdAt }, item);
  return isSame && (item.iccid === '' || item.iccid === spec.iccid);
}

/**
 * The SIM that belongs to a resource with none on record, in a list of the account's SIMs by ID: the one `resourceID`
 * names, else the one with the ICCID; where it is deleted, that one, too, if the ID is another SIM's.
 */
export function findSim(
  sim: Sim,
  items: ReadonlyMap<string, SimItem>,
  deleting = false,
): { item: SimItem | undefined } | { hold: SimHold } {
  const { iccid, resourceID } = sim.spec;
  if (resourceID !== undefined) {
    const named = items.get(resourceID);
    if (named?.iccid === iccid) return { item: named };
    // What an interrupted creation made, before the ID was in the spec, goes with the resource.
    if (!deleting) return named ? { hold: holdMismatch(sim, named) } : { item: undefined };
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

/** Why nothing is done with the SIM that has the recorded ID. */
export function holdOtherSim({ spec, status }: Sim, item: SimItem, proposal: Proposal): Hold<AccountReason> {
  const isOther = item.iccid !== '' && item.iccid !== spec.iccid;
  const differs = isOther ? `its ICCID is not ${spec.iccid}` : differsInTime(status?.createdAt);
  return holdStranger(`SIM ${item.id}`, differs, proposal);
}

/** Why no SIM is made for a Sim whose status names another's. */
export function holdAnothers({ spec }: Sim, { id }: SimItem): SimHold {
  return {
    state: 'Stalled',
    reason: AccountReason.NotTheSame,
    message: `The status of this resource was written for another one, as a backup or a copy is, and names SIM ${id}, which has another ICCID; the account has none with ICCID ${spec.iccid}. Create this resource again, with the ICCID that the control panel shows of that SIM if it is the one; otherwise a new SIM is made.`,
    retryAfterSeconds: 60,
  };
}

function holdMismatch(sim: Sim, item: SimItem): SimHold {
  return {
    state: 'Stalled',
    reason: SimReason.ResourceIDMismatch,
    message: `SIM ${item.id} has another ICCID than ${sim.spec.iccid}, which the spec says. Create the resource again with the ICCID and resourceID of one SIM.`,
  };
}

function holdAmbiguous(sim: Sim, items: readonly SimItem[]): SimHold {
  const ids = items.map((item) => item.id).join(', ');
  return {
    state: 'Stalled',
    reason: SimReason.AmbiguousICCID,
    message: `The account has several SIMs with ICCID ${sim.spec.iccid}: ${ids}. Set resourceID to the one that is meant.`,
  };
}
