/** Does so many things at a time; as many may wait, and the rest are told so. */
export interface Slots {
  /** Undefined: too many wait already, of all or of this one. `who`: those of one take turns with those of others. */
  run<T>(work: () => Promise<T>, who?: string): Promise<T> | undefined;
}

export function createSlots(limits: {
  readonly atATime: number;
  readonly waiting: number;
  /** Of one; without it, as many as of all. */
  readonly waitingOfOne?: number;
}): Slots {
  const { atATime, waiting: most, waitingOfOne = most } = limits;
  /** Who waits, in the order of their turns. */
  const lines = new Map<string, (() => void)[]>();
  let waiting = 0;
  let busy = 0;

  function wait(who: string): Promise<void> {
    const line = lines.get(who) ?? [];
    lines.set(who, line);
    waiting++;
    return new Promise((resolve) => line.push(resolve));
  }

  /** Takes the next out of the lines, and has its line wait for all others. */
  function takeNext(): (() => void) | undefined {
    const [first] = lines;
    if (!first) return undefined;
    const [who, line] = first;
    const next = line.shift();
    lines.delete(who);
    if (line.length > 0) lines.set(who, line);
    waiting--;
    return next;
  }

  async function begin<T>(work: () => Promise<T>, who: string): Promise<T> {
    if (busy >= atATime) await wait(who);
    else busy++;
    try {
      return await work();
    } finally {
      const next = takeNext();
      // Whoever is next takes over the place.
      if (next) next();
      else busy--;
    }
  }

  return {
    run(work, who = '') {
      const isFull = waiting >= most || (lines.get(who)?.length ?? 0) >= waitingOfOne;
      return busy >= atATime && isFull ? undefined : begin(work, who);
    },
  };
}
