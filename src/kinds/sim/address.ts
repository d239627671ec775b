/** A SIM as far as its place goes: an address on a gateway, which only one SIM has at a time. */
export interface AddressMember {
  /** ID of the SIM. */
  readonly id: string;
  /** How a message names it: `the Sim fleet/truck-18`, or `SIM 113300000018`. */
  readonly label: string;
  /** The address it is to have, if any. */
  readonly wants?: string | undefined;
  /** The ID of the gateway on which it is to have it. */
  readonly on?: string | undefined;
  /** Whether the operator is about to take it off the address it has, or off the gateway. */
  readonly leaves: boolean;
  /**
   * Whether a person has to approve that first, or it has not come so far that only its place is in its way: nobody gives up a
   * place for what may never be.
   */
  readonly isHindered?: boolean;
}

/** What a SIM that is to get another address does now. */
export type AddressTurn =
  /** Sets it. With a holder, which keeps the address, the service refuses, and says so. */
  | { readonly do: 'set'; readonly holder?: string }
  /** Waits until the holder has left the address. */
  | { readonly do: 'wait'; readonly holder: string }
  /**
   * Stays as it is: another asks for the same address, and goes before it; or before one of the circle that it is in, and
   * then `for` says which, and what address that is to have.
   */
  | {
      readonly do: 'yield';
      readonly to: string;
      /** That one can't wait where it is; else it has the lower ID. */
      readonly isUrgent: boolean;
      readonly for?: { readonly label: string; readonly address: string };
    }
  /** Gives up the place it has, so that others can move: each waits for the next in a circle. */
  | { readonly do: 'clear'; readonly holder: string };

/**
 * Whose turn it is where SIMs are to take addresses that others still have, on their gateways or on others. The service gives
 * an address to one SIM at a time, so a chain of SIMs moves from its end, and a circle moves once one of them has no address
 * for a moment: the one with the lowest ID, the same for whoever looks. Of several that ask for one address who can't wait
 * goes first, and then the one with the lowest ID; so a circle moves only where none of its addresses would be another's, and
 * nobody has to let one of the others move first: who gave up its own would be left without. Pure.
 *
 * @param holderOf who has the place that one is to have
 * @param claimantsOf those that are to have the place that one is to have, and have another one or none
 * @param urgencyOf the higher, the less one can wait: it has no address to stay on, or gave it up, or such a one waits for it
 */
export function addressTurn(
  self: AddressMember,
  holderOf: (one: AddressMember) => AddressMember | undefined,
  claimantsOf: (one: AddressMember) => readonly AddressMember[],
  urgencyOf: (one: AddressMember) => number,
): AddressTurn {
  const goesBefore = (one: AddressMember, other: AddressMember) =>
    urgencyOf(one) === urgencyOf(other) ? one.id < other.id : urgencyOf(one) > urgencyOf(other);
  const before = (one: AddressMember) =>
    (one.wants === undefined ? [] : claimantsOf(one)).find((other) => goesBefore(other, one));
  const toFirst = (turn: AddressTurn, members: readonly AddressMember[]): AddressTurn => {
    for (const member of members) {
      const first = before(member);
      if (!first) continue;
      const { id, label, wants: address = '' } = member;
      const told = { to: first.label, isUrgent: urgencyOf(first) > urgencyOf(member) };
      return { do: 'yield', ...told, ...(id !== self.id && { for: { label, address } }) };
    }
    return turn;
  };
  const path = [self];
  const met = new Set([self.id]);
  for (let current = self; ; ) {
    const holder = current.wants === undefined ? undefined : holderOf(current);
    const [, first] = path;
    if (!holder || holder.id === current.id)
      return first ? { do: 'wait', holder: first.label } : toFirst({ do: 'set' }, path);
    if (!holder.leaves) return { do: 'set', holder: (first ?? holder).label };
    if (holder.id === self.id && first) {
      const isFirst = path.every((member) => self.id === member.id || (self.id < member.id && !member.isHindered));
      return isFirst ? toFirst({ do: 'clear', holder: first.label }, path) : { do: 'wait', holder: first.label };
    }
    // A circle that others will break.
    if (met.has(holder.id)) return { do: 'wait', holder: (first ?? holder).label };
    path.push(holder);
    met.add(holder.id);
    current = holder;
  }
}
