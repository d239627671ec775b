/** What one answer under way takes of the memory that all share. */
export interface AnswerShare {
  grow(bytes: number): void;
  leave(): void;
}

/** The memory of all answers under way, of all accounts: one that sends a lot at once must not end the process. */
export interface AnswerPool {
  /** `giveWay` is called when there is too much and this is the largest; it is out of the pool then. */
  join(giveWay: () => void): AnswerShare;
}

/** Most bytes of answers held at one time. */
const POOL_BYTES = 16 * 1024 * 1024;

interface Member {
  bytes: number;
  readonly giveWay: () => void;
}

export function createAnswerPool(limit = POOL_BYTES): AnswerPool {
  const members = new Set<Member>();
  let total = 0;

  function leave(member: Member): void {
    if (members.delete(member)) total -= member.bytes;
  }

  /** The largest goes, so that nobody who asks for little pays for who sends much. */
  function makeRoom(): void {
    while (total > limit) {
      const [first, ...others] = members;
      if (!first) return;
      const largest = others.reduce((most, member) => (member.bytes > most.bytes ? member : most), first);
      leave(largest);
      largest.giveWay();
    }
  }

  return {
    join(giveWay) {
      const member: Member = { bytes: 0, giveWay };
      members.add(member);
      return {
        grow(bytes) {
          if (!members.has(member)) return;
          member.bytes += bytes;
          total += bytes;
          makeRoom();
        },
        leave: () => leave(member),
      };
    },
  };
}
