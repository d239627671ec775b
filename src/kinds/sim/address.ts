/** A SIM on a gateway as far as its address there goes. */
export interface AddressMember {
  /** ID of the SIM. */
  readonly id: string;
  /** How a message names it: `the Sim fleet/truck-18`, or `SIM 113300000018`. */
  readonly label: string;
  /** The address it is to have there, if any. */
  readonly wants?: string | undefined;
  /** Whether the operator is about to take it off the address it has. */
  readonly leaves: boolean;
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
  | { readonly do: 'yield'; readonly to: string; readonly for?: { readonly label: string; readonly address: string } }
  /** Gives up the address it has, so that others can move: each waits for the next in a circle. */
  | { readonly do: 'clear'; readonly holder: string };

/**
 * Whose turn it is where SIMs of a gateway are to take addresses that others still have. The service gives an address to
 * one SIM at a time, so a chain of SIMs moves from its end, and a circle moves once one of them has no address for a
 * moment: the one with the lowest ID, the same for whoever looks. Of several that ask for one address the one with the lowest
 * ID goes first; so a circle moves only where none of its addresses would be another's: who gave up its own would be left
 * without. Pure.
 *
 * @param claimantsOf those that may take an address now, and have another one or none
 */
export function addressTurn(
  self: AddressMember,
  holderOf: (address: string) => AddressMember | undefined,
  claimantsOf: (address: string) => readonly AddressMember[],
): AddressTurn {
  const before = (one: AddressMember) =>
    (one.wants === undefined ? [] : claimantsOf(one.wants)).find(({ id }) => id < one.id);
  const toFirst = (turn: AddressTurn, members: readonly AddressMember[]): AddressTurn => {
    for (const member of members) {
      const first = before(member);
      if (!first) continue;
      const { id, label, wants: address = '' } = member;
      return { do: 'yield', to: first.label, ...(id !== self.id && { for: { label, address } }) };
    }
    return turn;
  };
  const path = [self];
  for (let current = self; ; ) {
    const holder = current.wants === undefined ? undefined : holderOf(current.wants);
    const [, first] = path;
    if (!holder || holder.id === current.id)
      return first ? { do: 'wait', holder: first.label } : toFirst({ do: 'set' }, path);
    if (!holder.leaves) return { do: 'set', holder: (first ?? holder).label };
    if (holder.id === self.id && first) {
      const isFirst = path.every((member) => self.id <= member.id);
      return isFirst ? toFirst({ do: 'clear', holder: first.label }, path) : { do: 'wait', holder: first.label };
    }
    // A circle that others will break.
    if (path.some((member) => member.id === holder.id)) return { do: 'wait', holder: (first ?? holder).label };
    path.push(holder);
    current = holder;
  }
}
