/** Does so many things at a time; as many may wait, and the rest are told so. */
export interface Slots {
  /** Undefined: too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined;
}

export function createSlots(limits: { readonly atATime: number; readonly waiting: number }): Slots {
  const line: (() => void)[] = [];
  let busy = 0;

  async function begin<T>(work: () => Promise<T>): Promise<T> {
    if (busy >= limits.atATime) await new Promise<void>((resolve) => line.push(resolve));
    else busy++;
    try {
      return await work();
    } finally {
      const next = line.shift();
      // Whoever is next takes over the place.
      if (next) next();
      else busy--;
    }
  }

  return {
    run: (work) => (busy >= limits.atATime && line.length >= limits.waiting ? undefined : begin(work)),
  };
}
