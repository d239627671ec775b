import type { SimItem } from '../../cloud/sim/types.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation, isPaused, isSet } from '../../reconcile/annotations.ts';
import type { Claims } from '../../reconcile/claims.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { isAsking, isLeftBehind } from '../../reconcile/object-state.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
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

/** Whose turn it is, where the SIM is to get another address on its gateway; undefined where it is to get none. */
export function turnOf(pass: Pass<Sim>, sources: AddressSources, item: SimItem): AddressTurn | undefined {
  const { object, session } = pass;
  const { ipAddress, gatewayRef, managementPolicy } = object.spec;
  // What is only observed takes no turns: that the address is another is drift.
  if (managementPolicy === 'Observe') return undefined;
  if (ipAddress === undefined || !gatewayRef || item.status?.ip === ipAddress || pass.deleting) return undefined;
  const gateway = sources.gateway(object);
  const items = session.sims.snapshot()?.items;
  if ('hold' in gateway || !items) return undefined;
  return addressTurn(
    selfOf(item, ipAddress),
    (address) => {
      const holder = byAddress(items)
        .get(address)
        ?.find((other) => isOn(other, gateway.id));
      return holder && (holder.id === item.id ? selfOf(item, ipAddress) : memberOf(holder));
    },
    (address) =>
      sources.byWantedAddress.get(address).flatMap((sim) => {
        const other = items.get(sim.status?.id ?? '');
        // Anybody may write an ID into a status.
        if (!other || other.id === item.id || simOf(other) !== sim || !isAt(other, gateway.id)) return [];
        // It may never be let: whoever waited for it would do so for ever.
        if (isAsking(sim)) return [];
        const member = memberOf(other);
        return member.leaves && member.wants === address ? [member] : [];
      }),
  );

  function isOn(other: SimItem, gatewayID: string): boolean {
    return other.status?.ip !== undefined && other.status.ip !== '' && isAt(other, gatewayID);
  }

  /** Whether it is registered with the gateway. */
  function isAt(other: SimItem, gatewayID: string): boolean {
    if (!other.status?.registered) return false;
    const isOwnGroup = item.status?.registered && item.status.simgroupID === other.status.simgroupID;
    const recorded = simOf(other)?.status;
    return recorded?.gatewayID === undefined
      ? isOwnGroup === true && other.status.simgroupID !== undefined
      : recorded.gatewayID === gatewayID;
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

  function memberOf(other: SimItem): AddressMember {
    const sim = simOf(other);
    if (!sim) return { id: other.id, label: `SIM ${other.id}`, leaves: false };
    const label = `the Sim ${sim.metadata.namespace}/${sim.metadata.name}`;
    const isHalted =
      sources.accounts.pausedBy(sim.metadata.namespace ?? '', sim.spec, sim.status?.accountRef) !== undefined;
    return {
      id: other.id,
      label,
      ...(isHalted ? { leaves: false } : intentOf(sim, sources.gateway, other.status?.ip)),
    };
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
  if (gateway.id !== status?.gatewayID) return { leaves: true };
  if (spec.ipAddress === undefined) return { leaves: applied.ipAddress !== undefined };
  return { leaves: spec.ipAddress !== ip, wants: spec.ipAddress };
}
