import type { SimItem } from '../../cloud/sim/types.ts';
import { Annotation, isPaused, isSet } from '../../reconcile/annotations.ts';
import { askingOf } from '../../reconcile/approval.ts';
import { isOfAccount } from '../../reconcile/failure.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import { isAsking, isLeftBehind } from '../../reconcile/object-state.ts';
import { isUnusable, placeIn } from '../common/network.ts';
import { type AddressMember, type AddressTurn, addressTurn } from './address.ts';
import type { GatewayAddress } from './facts.ts';
import type { GatewayLocator } from './locate-gateway.ts';
import type { Places } from './places.ts';
import { appliedOf, type PlacingSources, placing, type SimList } from './placing.ts';
import type { SimHold } from './reasons.ts';
import { saysToWait } from './says-to-wait.ts';
import type { Sim } from './schema.ts';

/** What finding out about addresses reads from. */
export interface AddressSources extends PlacingSources {
  /** Sims by the address their spec asks for. */
  readonly byWantedAddress: Index<Sim>;
  /** Which SIM is about to have which address. */
  readonly places: Places;
  readonly locator: Pick<GatewayLocator, 'shownOn'>;
  /** Resolves the `gatewayRef` of a Sim that has one. */
  readonly gateway: (sim: Sim) => GatewayAddress | { readonly hold: SimHold };
}

const addressesOf = new WeakMap<SimList, ReadonlyMap<string | undefined, readonly SimItem[]>>();

/** The SIMs of a list by their addresses, made once for each list: of a thousand Sims, each would look at a thousand SIMs. */
function byAddress(items: SimList): ReadonlyMap<string | undefined, readonly SimItem[]> {
  const known = addressesOf.get(items);
  if (known) return known;
  const made = Map.groupBy(items.values(), ({ status }) => status?.ip);
  addressesOf.set(items, made);
  return made;
}

/** For so long a gateway's list counts for who has an address and is in no list of SIMs. Milliseconds. */
const UNLISTED_MILLISECONDS = 60_000;

/** It is about to leave its place, or has: that of one that has none is 1, and of all others 0. */
const MOST_URGENT = 2;

/** Where the SIM is to be with an address; undefined: nowhere, or not for now. */
function targetOf({ object, deleting }: Pass<Sim>, sources: AddressSources): GatewayAddress | undefined {
  const { ipAddress, gatewayRef, managementPolicy } = object.spec;
  // What is only observed takes no turns: that the address is another is drift.
  if (managementPolicy === 'Observe' || deleting || !gatewayRef || ipAddress === undefined) return undefined;
  const gateway = sources.gateway(object);
  return 'hold' in gateway ? undefined : gateway;
}

/** What the gateway on which a SIM is to get its address tells of who has that, where the list of SIMs does not. */
export interface HoldersShown {
  /** Those that have it there, of the SIMs of which nobody tells where they are: a Sim that is paused, or none, looks after them. */
  readonly placed: ReadonlySet<string>;
  /** The one that has it there, and that the list of SIMs misses. Looked for only before a SIM leaves its gateway. */
  readonly unlisted?: string | undefined;
}

const NONE_SHOWN: HoldersShown = { placed: new Set() };

/** Asks the gateway on which the SIM is to get its address who has that; `here`: the ID of the one that it is on. */
export async function holdersShown(
  pass: Pass<Sim>,
  sources: AddressSources,
  item: SimItem,
  here: string | undefined,
): Promise<HoldersShown> {
  const { object, session } = pass;
  const { ipAddress } = object.spec;
  const target = targetOf(pass, sources);
  const snapshot = session.sims.snapshot();
  if (!target || !snapshot || (item.status?.ip === ipAddress && here === target.id)) return NONE_SHOWN;
  const { items } = snapshot;
  const { gatewayOf } = placing(pass, sources, items);
  const unplaced = (byAddress(items).get(ipAddress) ?? []).filter(
    (other) => other.id !== item.id && other.status?.registered && gatewayOf(other) === undefined,
  );
  const leaves = item.status?.registered === true && here !== target.id;
  if (unplaced.length === 0 && !leaves) return NONE_SHOWN;
  try {
    const { startedAt } = snapshot;
    const thereAfter = async (notBefore: number) => {
      const shown = await sources.locator.shownOn(session, target, notBefore, pass.call('verify'));
      return new Set([...shown].flatMap(([id, ip]) => (ip === ipAddress && id !== item.id ? [id] : [])));
    };
    const unlistedOf = (there: ReadonlySet<string>) => [...there].find((id) => !items.has(id));
    // Where many move, each list of SIMs is another; what none of them shows is hardly new, but may be gone.
    const before = await thereAfter(startedAt - (unplaced.length > 0 ? 0 : UNLISTED_MILLISECONDS));
    const there = unlistedOf(before) === undefined ? before : await thereAfter(startedAt);
    const placed = new Set(unplaced.flatMap(({ id }) => (there.has(id) ? [id] : [])));
    return { placed, unlisted: leaves ? unlistedOf(there) : undefined };
  } catch (error) {
    if (isOfAccount(error)) throw error;
    // Each may be there: all but the address goes on. A circle that has begun must not wait for what may never be told.
    return { placed: new Set(unplaced.map(({ id }) => id)) };
  }
}

/**
 * Whose turn it is, where the SIM is to get another address, on its gateway or on the next; undefined where it is to get none.
 * `here`: the ID of the gateway that it is on, as far as that is known. `shown`: see {@link holdersShown}.
 */
export function turnOf(
  pass: Pass<Sim>,
  sources: AddressSources,
  item: SimItem,
  here: string | undefined,
  shown: HoldersShown = NONE_SHOWN,
): AddressTurn | undefined {
  const { object, session } = pass;
  const { ipAddress } = object.spec;
  const { uid } = object.metadata;
  const snapshot = session.sims.snapshot();
  const list: SimList = snapshot?.items ?? new Map();
  const { simOf, gatewayOf } = placing(pass, sources, list);
  const target = targetOf(pass, sources)?.id;
  if (target === undefined || !snapshot) {
    sources.places.drop(uid);
    return undefined;
  }
  // Others know that it has it only once its status says on which gateway it is.
  if (item.status?.ip === ipAddress && here === target) return undefined;
  const self: AddressMember = { id: item.id, label: '', wants: ipAddress, on: target, leaves: true };
  const urgencies = new Map<string, number>();
  const turn = addressTurn(self, holderOf, claimantsOf, urgencyOf);
  const goes = turn.do === 'clear' || (turn.do === 'set' && turn.holder === undefined);
  if (goes) sources.places.take(uid, placeOf(self), item.id);
  // Who gave up its own in a circle waits, and goes first.
  else if (turn.do !== 'wait') sources.places.drop(uid);
  return turn;

  function placeOf({ wants, on }: AddressMember): string {
    return `${session.identity} ${on} ${wants}`;
  }

  /** Whoever one that can't wait depends on can't wait either, however many are in between: a circle that has begun goes on. */
  function urgencyOf(one: AddressMember): number {
    const known = urgencies.get(one.id);
    if (known !== undefined) return known;
    const waiting = new Map([[one.id, one]]);
    let most = 0;
    for (const member of waiting.values()) {
      most = Math.max(most, ownUrgencyOf(member));
      if (most === MOST_URGENT) break;
      for (const other of waitingFor(member)) waiting.set(other.id, other);
    }
    urgencies.set(one.id, most);
    return most;
  }

  function ownUrgencyOf(one: AddressMember): number {
    if (sources.places.of(placeOf(one)) === one.id) return MOST_URGENT;
    const other = list.get(one.id);
    const { registered, ip = '' } = other?.status ?? {};
    if (registered && ip !== '') return 0;
    const sim = one.id === item.id ? object : other && simOf(other);
    return appliedOf(sim).ipAddress === undefined ? 1 : MOST_URGENT;
  }

  /** Those that are to have the place that a SIM has. */
  function waitingFor({ id }: AddressMember): AddressMember[] {
    const other = list.get(id);
    const wants = other?.status?.ip;
    const on = id === item.id ? here : other && gatewayOf(other);
    if (wants === undefined || on === undefined) return [];
    const others = claimantsOf({ id, label: '', wants, on, leaves: true });
    return self.wants === wants && self.on === on ? [self, ...others] : others;
  }

  function holderOf({ wants, on }: AddressMember): AddressMember | undefined {
    const holder = byAddress(list)
      .get(wants)
      ?.find((other) => isOn(other, on));
    const { unlisted: id } = shown;
    const isUnlisted = !holder && id !== undefined && wants === ipAddress && on === target;
    if (isUnlisted) return { id, label: `SIM ${id}`, leaves: false };
    return holder && (holder.id === item.id ? self : memberOf(holder));
  }

  /** Those that are to have the same place, wherever they are. */
  function claimantsOf({ wants = '', on }: AddressMember): AddressMember[] {
    return sources.byWantedAddress.get(wants).flatMap((sim) => {
      const other = list.get(sim.status?.id ?? '');
      // Anybody may write an ID into a status.
      if (!other || other.id === item.id || simOf(other) !== sim) return [];
      // It may never be let: whoever waited for it would do so for ever.
      if (isAsking(sim)) return [];
      const member = memberOf(other);
      return member.leaves && member.wants === wants && member.on === on ? [member] : [];
    });
  }

  function isOn(other: SimItem, gatewayID: string | undefined): boolean {
    return other.status?.ip !== undefined && other.status.ip !== '' && isAt(other, gatewayID);
  }

  function isAt(other: SimItem, gatewayID: string | undefined): boolean {
    if (!other.status?.registered) return false;
    if (shown.placed.has(other.id)) return gatewayID === target;
    const known = gatewayOf(other);
    if (known !== undefined) return known === gatewayID;
    const { simgroupID: group } = other.status;
    const isWithThisOne = group !== undefined && item.status?.registered === true && item.status.simgroupID === group;
    return isWithThisOne && gatewayID === here;
  }

  function memberOf(other: SimItem): AddressMember {
    const sim = simOf(other);
    if (!sim) return { id: other.id, label: `SIM ${other.id}`, leaves: false };
    const { spec, status, metadata } = sim;
    const { namespace = '', name } = metadata;
    const isHalted = sources.accounts.pausedBy(namespace, spec, status?.accountRef) !== undefined;
    const approval = sources.accounts.approvalOf(namespace, spec, status?.accountRef);
    return {
      id: other.id,
      label: `the Sim ${namespace}/${name}`,
      isHindered: askingOf('Sim', sim, approval) !== 'Nothing' || !saysToWait(sim, session.dialect),
      ...(isHalted
        ? { leaves: false }
        : intentOf(sim, sources.gateway, { ip: other.status?.ip, on: gatewayOf(other) })),
    };
  }
}

/** What a Sim is about to do with the address its SIM has. One that nothing is done for keeps it. */
function intentOf(
  sim: Sim,
  resolve: AddressSources['gateway'],
  { ip, on }: { readonly ip: string | undefined; readonly on: string | undefined },
): Pick<AddressMember, 'wants' | 'on' | 'leaves'> {
  const { metadata, spec, status } = sim;
  const keeps = { leaves: false };
  if (spec.managementPolicy === 'Observe' || isPaused(sim) || isSet(sim, Annotation.abandon)) return keeps;
  if (metadata.deletionTimestamp) return { leaves: !isLeftBehind(sim, status?.ownership) };
  if (status?.conditions?.some(({ type, status: is }) => type === 'Stalled' && is === 'True')) return keeps;
  const progress = { applied: appliedOf(sim), pending: status?.pending ?? [], found: status?.found };
  if (!spec.gatewayRef) return { leaves: wasApplied(progress, 'gateway') };
  const gateway = resolve(sim);
  if ('hold' in gateway) return keeps;
  const { ipAddress: wants } = spec;
  const isHere = gateway.id === on;
  if (wants === undefined) return { leaves: !isHere || wasApplied(progress, 'ipAddress') };
  if (gateway.inner && isUnusable(placeIn(wants, gateway.inner))) return keeps;
  return { leaves: !isHere || wants !== ip, wants, on: gateway.id };
}
