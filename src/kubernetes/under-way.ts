/** How many may be under way at a time. */
export interface UnderWayLimits {
  /**
   * Of one group with one priority, so that what is urgent finds a place; beyond that one of each party that has none of them,
   * so that those of others may wait as long as they like.
   */
  readonly ofGroup: number;
  /** In all, which one party may have alone as long as nobody else asks. */
  readonly inAll: number;
  /**
   * Beyond that, for parties that have less than an equal part of these, and as many again for groups that have none; a
   * party that has none gets one in any case.
   */
  readonly spare: number;
}

/** A place taken; given back when the work is over. */
export interface Taken {
  readonly group: string;
  readonly party: string;
  readonly share: string;
  readonly own: string;
  readonly of: Pool;
}

type Pool = 'all' | 'parties' | 'groups';

/** What is under way, by groups, by parties, and by groups and priorities. */
export interface UnderWay {
  readonly size: number;
  /** Whether a group has none. */
  isIdle(group: string): boolean;
  /** Whether a group has a place left with this priority, whoever's it is. */
  groupHasPlace(group: string, rank: number): boolean;
  /** Whether it has one for this party. */
  mayGo(group: string, party: string, rank: number): boolean;
  /** Whether so few places are left that parties with less than an equal part of all go before the others. */
  isScarce(): boolean;
  /** Whether a party has less than an equal part of all places. */
  isModest(party: string): boolean;
  /** Whether only those places are left that are spared. */
  isFull(): boolean;
  /**
   * Whether one may be for this party, of whose groups some that wait have none under way, or not; which of them may have it,
   * {@link isSpared} says.
   */
  mayHaveSpare(party: string, hasIdleGroup: boolean): boolean;
  isSpared(group: string, party: string): boolean;
  take(group: string, party: string, rank: number): Taken;
  giveBack(taken: Taken): void;
}

/** Of the places of groups that have none, no party gets more than this part while others have any under way. */
const GROUPS_OF_PARTY = 1 / 8;
/** From this part of all on, places are scarce. */
const SCARCE = 1 / 2;

export function createUnderWay(limits: UnderWayLimits | undefined): UnderWay {
  const byGroup = createCounts();
  const byShare = createCounts();
  /** Parties in each share. */
  const byOwn = createCounts();
  const byParty = createCounts();
  const ofGroups = createCounts();
  const inPool: Record<Pool, number> = { all: 0, parties: 0, groups: 0 };
  let size = 0;

  /** Whether the party, with those that have any under way, has less than an equal part of so many. */
  function hasLess(party: string, places: number): boolean {
    const own = byParty.of(party);
    return own * (byParty.size + (own === 0 ? 1 : 0)) < places;
  }

  /** Of those that are spared for parties. */
  function hasPlace(party: string, { spare }: UnderWayLimits): boolean {
    return byParty.of(party) === 0 || (inPool.parties < spare && hasLess(party, spare));
  }

  /** Of those that are spared for groups that have none. */
  function hasPlaceForGroup(party: string, { spare }: UnderWayLimits): boolean {
    if (inPool.groups >= spare) return false;
    return ofGroups.of(party) < spare * (byParty.size > 1 ? GROUPS_OF_PARTY : 1);
  }

  /** Of which places one more of this group and party may have one. */
  function poolFor(group: string, party: string): Pool | undefined {
    if (!limits || inPool.all < limits.inAll) return 'all';
    if (hasPlace(party, limits)) return 'parties';
    return byGroup.of(group) === 0 && hasPlaceForGroup(party, limits) ? 'groups' : undefined;
  }

  function count(taken: Taken, change: 1 | -1): void {
    size += change;
    inPool[taken.of] += change;
    byGroup.add(taken.group, change);
    byShare.add(taken.share, change);
    byOwn.add(taken.own, change);
    byParty.add(taken.party, change);
    if (taken.of === 'groups') ofGroups.add(taken.party, change);
  }

  const groupHasPlace = (group: string, rank: number) => !limits || byShare.of(shareOf(group, rank)) < limits.ofGroup;

  return {
    get size() {
      return size;
    },
    isIdle: (group) => byGroup.of(group) === 0,
    groupHasPlace,
    mayGo: (group, party, rank) => groupHasPlace(group, rank) || byOwn.of(ownOf(group, party, rank)) === 0,
    isScarce: () => limits !== undefined && byParty.size > 1 && inPool.all >= limits.inAll * SCARCE,
    isModest: (party) => !limits || hasLess(party, limits.inAll),
    isFull: () => limits !== undefined && inPool.all >= limits.inAll,
    mayHaveSpare: (party, hasIdleGroup) =>
      !limits || hasPlace(party, limits) || (hasIdleGroup && hasPlaceForGroup(party, limits)),
    isSpared: (group, party) => poolFor(group, party) !== undefined,
    take(group, party, rank) {
      const taken: Taken = {
        group,
        party,
        share: shareOf(group, rank),
        own: ownOf(group, party, rank),
        of: poolFor(group, party) ?? 'all',
      };
      count(taken, 1);
      return taken;
    },
    giveBack: (taken) => count(taken, -1),
  };
}

interface Counts {
  /** How many names have any. */
  readonly size: number;
  of(name: string): number;
  add(name: string, change: 1 | -1): void;
}

/** Only those are kept that have any. */
function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    get size() {
      return counts.size;
    },
    of: (name) => counts.get(name) ?? 0,
    add(name, change) {
      const now = (counts.get(name) ?? 0) + change;
      if (now === 0) counts.delete(name);
      else counts.set(name, now);
    },
  };
}

function shareOf(group: string, rank: number): string {
  return `${rank} ${group}`;
}

function ownOf(group: string, party: string, rank: number): string {
  return `${shareOf(group, rank)} ${party}`;
}
