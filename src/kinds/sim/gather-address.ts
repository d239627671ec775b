import type { SimItem } from '../../cloud/sim/types.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation, isPaused, isSet } from '../../reconcile/annotations.ts';
import type { Claims } from '../../reconcile/claims.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { isAsking, isLeftBehind } from '../../reconcile/object-state.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import { isUnusable, placeIn } from '../common/network.ts';
import { type AddressMember, type AddressTurn, addressTurn } from './address.ts';
import type { GatewayAddress } from './facts.ts';
import type { SimHold } from './reasons.ts';
import type { Sim, SimApplied } from './schema.ts';

/** What finding out about addresses reads from. */
export interface AddressSources {
  readonly accounts: AccountResolver;
  /** Sims by the ID their status records. */
  readonly byID: Index<Sim>;
  /** Sims by the address their spec asks for. */
  readonly byWantedAddress: Index<Sim>;
  /** Who has which SIM. */
  readonly claims: Claims<Sim>;
  /** Resolves the `gatewayRef` of a Sim that has one. */
  readonly gateway: (sim: Sim) => GatewayAddress | { readonly hold: SimHold };
}

type SimList = ReadonlyMap<string, SimItem>;

const addressesOf = new WeakMap<SimList, ReadonlyMap<string | undefined, readonly SimItem[]>>();

/** The SIMs of a list by their addresses, made once for each list: of a thousand Sims, each would look at a thousand SIMs. */
function byAddress(items: SimList): ReadonlyMap<string | undefined, readonly SimItem[]> {
  const known = addressesOf.get(items);
  if (known) return known;
  const made = Map.groupBy(items.values(), ({ status }) => status?.ip);
  addressesOf.set(items, made);
  return made;
}

/** The gateways of groups that Sims tell, made once for each list: the same. */
const gatewaysByGroup = new WeakMap<SimList, ReadonlyMap<string, string>>();
/** So many wait for one another, each for the next, until nobody asks further. */
const LONGEST_CHAIN = 32;

/** Whose turn it is, where the SIM is to get another address on its gateway; undefined where it is to get none. */
export function turnOf(pass: Pass<Sim>, sources: AddressSources, item: SimItem): AddressTurn | undefined {
  const { object, session } = pass;
  const { ipAddress, gatewayRef, managementPolicy } = object.spec;
  // What is only observed takes no turns: that the address is another is drift.
  if (managementPolicy === 'Observe') return undefined;
  if (ipAddress === undefined || !gatewayRef || item.status?.ip === ipAddress || pass.deleting) return undefined;
  const gateway = sources.gateway(object);
  const snapshot = session.sims.snapshot();
  if ('hold' in gateway || !snapshot) return undefined;
  const list: SimList = snapshot.items;
  return addressTurn(
    selfOf(item, ipAddress),
    (address) => {
      const holder = holderOf(gateway.id, address);
      return holder && (holder.id === item.id ? selfOf(item, ipAddress) : memberOf(holder));
    },
    (address) => claimantsOf(gateway.id, address),
  );

  function holderOf(gatewayID: string, address: string): SimItem | undefined {
    return byAddress(list)
      .get(address)
      ?.find((other) => isOn(other, gatewayID));
  }

  /** Those on a gateway that may take an address now. */
  function claimantsOf(gatewayID: string, address: string, path?: ReadonlySet<string>): AddressMember[] {
    return sources.byWantedAddress.get(address).flatMap((sim) => {
      const other = list.get(sim.status?.id ?? '');
      // Anybody may write an ID into a status.
      if (!other || other.id === item.id || simOf(other) !== sim || !isAt(other, gatewayID)) return [];
      // Who is to be elsewhere wants none here.
      const wanted = sources.gateway(sim);
      if ('hold' in wanted || wanted.id !== gatewayID || sim.status?.gatewayID !== gatewayID) return [];
      // It may never be let: whoever waited for it would do so for ever.
      if (isAsking(sim)) return [];
      const member = memberOf(other, path);
      return member.leaves && member.wants === address ? [member] : [];
    });
  }

  function isOn(other: SimItem, gatewayID: string): boolean {
    return other.status?.ip !== undefined && other.status.ip !== '' && isAt(other, gatewayID);
  }

  /** Whether it is registered with the gateway, as its Sim says, or one that is in its group. */
  function isAt(other: SimItem, gatewayID: string): boolean {
    if (!other.status?.registered) return false;
    const recorded = simOf(other)?.status?.gatewayID;
    if (recorded !== undefined) return recorded === gatewayID;
    const { simgroupID: group } = other.status;
    if (group === undefined) return false;
    const known = gatewaysHere().get(group);
    const isOwnGroup = item.status?.registered && item.status.simgroupID === group;
    return known === undefined ? isOwnGroup === true : known === gatewayID;
  }

  /** The Sim of this account that looks after a SIM. */
  function simOf(other: SimItem): Sim | undefined {
    const all = sources.byID.get(other.id).filter((sim) => {
      if (isStatusOfAnother(sim)) return false;
      const account = sources.accounts.resolve(sim.metadata.namespace ?? '', sim.spec, sim.status?.accountRef);
      return 'session' in account && account.session.identity === session.identity;
    });
    // Anybody may write its ID into a status.
    return all.find((sim) => sources.claims.has(sim, other)) ?? all[0];
  }

  function gatewaysHere(): ReadonlyMap<string, string> {
    const known = gatewaysByGroup.get(list);
    if (known) return known;
    const made = new Map<string, string>();
    for (const one of list.values()) {
      const group = one.status?.registered ? one.status.simgroupID : undefined;
      const gatewayID = group === undefined || made.has(group) ? undefined : simOf(one)?.status?.gatewayID;
      if (group !== undefined && gatewayID !== undefined) made.set(group, gatewayID);
    }
    gatewaysByGroup.set(list, made);
    return made;
  }

  /** `path`: of whom is asked what they do, each because the one before depends on it. */
  function memberOf(other: SimItem, path: ReadonlySet<string> = new Set([item.id])): AddressMember {
    const sim = simOf(other);
    if (!sim) return { id: other.id, label: `SIM ${other.id}`, leaves: false };
    const label = `the Sim ${sim.metadata.namespace}/${sim.metadata.name}`;
    const isHalted =
      sources.accounts.pausedBy(sim.metadata.namespace ?? '', sim.spec, sim.status?.accountRef) !== undefined;
    return {
      id: other.id,
      label,
      ...(isHalted
        ? { leaves: false }
        : intentOf(sim, sources.gateway, other.status?.ip, (to) => stays(other, sim, to, path))),
    };
  }

  /** Whether it does not leave for another gateway, for it could not have its address there. A circle moves, and a long chain. */
  function stays(other: SimItem, { spec }: Sim, to: GatewayAddress, path: ReadonlySet<string>): boolean {
    const address = spec.ipAddress;
    if (address === undefined || path.has(other.id) || path.size > LONGEST_CHAIN) return false;
    if (to.inner && isUnusable(placeIn(address, to.inner))) return true;
    const longer = new Set([...path, other.id]);
    const holder = holderOf(to.id, address);
    if (holder && !longer.has(holder.id) && !memberOf(holder, longer).leaves) return true;
    return claimantsOf(to.id, address, longer).some(({ id }) => id < other.id);
  }
}

function selfOf(item: SimItem, wants: string): AddressMember {
  return { id: item.id, label: '', wants, leaves: true };
}

/** What a Sim is about to do with the address its SIM has. One that nothing is done for keeps it. */
function intentOf(
  sim: Sim,
  resolve: AddressSources['gateway'],
  ip: string | undefined,
  stays: (to: GatewayAddress) => boolean,
): Pick<AddressMember, 'wants' | 'leaves'> {
  const { metadata, spec, status } = sim;
  const keeps = { leaves: false };
  if (spec.managementPolicy === 'Observe' || isPaused(sim) || isSet(sim, Annotation.abandon)) return keeps;
  if (metadata.deletionTimestamp) return { leaves: !isLeftBehind(sim, status?.ownership) };
  if (status?.conditions?.some(({ type, status: is }) => type === 'Stalled' && is === 'True')) return keeps;
  const applied: SimApplied = status?.applied ?? {};
  if (!spec.gatewayRef) return { leaves: applied.gateway !== undefined };
  const gateway = resolve(sim);
  if ('hold' in gateway) return keeps;
  if (gateway.id !== status?.gatewayID) return { leaves: !stays(gateway) };
  if (spec.ipAddress === undefined) return { leaves: applied.ipAddress !== undefined };
  return { leaves: spec.ipAddress !== ip, wants: spec.ipAddress };
}
