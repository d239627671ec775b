import type { SimItem } from '../../cloud/sim/types.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import type { Claims } from '../../reconcile/claims.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import type { Sim, SimApplied } from './schema.ts';

/** What finding out where SIMs are reads from. */
export interface PlacingSources {
  readonly accounts: AccountResolver;
  /** Sims by the ID their status records. */
  readonly byID: Index<Sim>;
  /** Who has which SIM. */
  readonly claims: Claims<Sim>;
}

/** Where the SIMs of a list are, and whose they are, as far as Sims tell it. */
export interface Placing {
  /** The Sim of this account that looks after a SIM. */
  simOf(other: SimItem): Sim | undefined;
  /**
   * The ID of the gateway that a SIM is on: whose group it is in; where that is not known, what its Sim says, unless that was in
   * another group then, as before somebody moved it while its Sim was paused.
   */
  gatewayOf(other: SimItem): string | undefined;
}

export type SimList = ReadonlyMap<string, SimItem>;

/** What Sims tell of the gateway of a group. */
interface GroupGateways {
  /** As it was seen when they got there, by their namespaces. */
  readonly applied: Map<string | undefined, string>;
  /** What the first one says of where it is, which may be of long ago. */
  told: string | undefined;
}

/** The gateways of groups, made once for each list: of a thousand Sims, each would look at a thousand SIMs. */
const gatewaysByGroup = new WeakMap<SimList, ReadonlyMap<string, GroupGateways>>();

/** What the status of a Sim says is applied. */
export function appliedOf(sim: Sim | undefined): SimApplied {
  return sim?.status?.applied ?? {};
}

/** As a Sim sees it. */
export function placing({ object, session }: Pass<Sim>, sources: PlacingSources, list: SimList): Placing {
  function simOf(other: SimItem): Sim | undefined {
    const all = sources.byID.get(other.id).filter((sim) => {
      if (isStatusOfAnother(sim)) return false;
      const account = sources.accounts.resolve(sim.metadata.namespace ?? '', sim.spec, sim.status?.accountRef);
      return 'session' in account && account.session.identity === session.identity;
    });
    // Anybody may write its ID into a status.
    return all.find((sim) => sources.claims.has(sim, other)) ?? all[0];
  }

  /** What a Sim says of where its SIM is, where that is in the group in which it was then. */
  function toldBy(sim: Sim | undefined, group: string | undefined): string | undefined {
    const { simGroupID = group } = appliedOf(sim).gateway ?? {};
    return simGroupID === group ? sim?.status?.gatewayID : undefined;
  }

  function gatewaysHere(): ReadonlyMap<string, GroupGateways> {
    const known = gatewaysByGroup.get(list);
    if (known) return known;
    const made = new Map<string, GroupGateways>();
    const ofGroup = (group: string): GroupGateways => {
      const found = made.get(group) ?? { applied: new Map(), told: undefined };
      made.set(group, found);
      return found;
    };
    for (const one of list.values()) {
      const group = one.status?.registered ? one.status.simgroupID : undefined;
      const sim = group === undefined ? undefined : simOf(one);
      const { simGroupID, id } = appliedOf(sim).gateway ?? {};
      // The two were seen together, and stay so wherever the SIM is by now.
      if (simGroupID !== undefined && id !== undefined) ofGroup(simGroupID).applied.set(sim?.metadata.namespace, id);
      const told = toldBy(sim, group);
      if (group !== undefined && told !== undefined) ofGroup(group).told ??= told;
    }
    gatewaysByGroup.set(list, made);
    return made;
  }

  /** The gateway of a group. Anybody may write into statuses of their own: where these differ, those of one's own namespace count. */
  function gatewayOfGroup(group: string): string | undefined {
    const found = gatewaysHere().get(group);
    if (!found) return undefined;
    const own = found.applied.get(object.metadata.namespace);
    if (own !== undefined) return own;
    const [first, ...others] = new Set(found.applied.values());
    if (others.length > 0) return undefined;
    return first ?? found.told;
  }

  return {
    simOf,
    gatewayOf(other) {
      const { registered, simgroupID: group } = other.status ?? {};
      if (!registered) return undefined;
      return (group === undefined ? undefined : gatewayOfGroup(group)) ?? toldBy(simOf(other), group);
    },
  };
}
