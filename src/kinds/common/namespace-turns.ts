import type { ManagedObject } from '../../reconcile/managed-object.ts';

/** Has the namespaces of one account take turns; see {@link createNamespaceTurns}. */
export interface NamespaceTurns {
  /**
   * Those whose turn it is, until one of them may not. `waiting`: whoever has waited longest first. `present`: of all
   * namespaces that there are; whichever is not is forgotten.
   */
  take<T extends ManagedObject>(
    waiting: readonly T[],
    present: ReadonlySet<string>,
    mayTake: (object: T) => boolean,
  ): T[];
}

/** An object's, as it is called here. Pure. */
export function namespaceOf({ metadata }: ManagedObject): string {
  return metadata.namespace ?? '';
}

/**
 * Every other turn is that of the next namespace, and the rest are of whoever has waited longest of all: a namespace may have any
 * number of objects. So none waits more than twice as long as it takes to see all, nor more than twice as long as if each of
 * the other namespaces had as few as its own.
 */
export function createNamespaceTurns(): NamespaceTurns {
  /** Whoever had a turn last is last. */
  const had = new Set<string>();
  let isOfNamespaces = true;

  return {
    take<T extends ManagedObject>(
      waiting: readonly T[],
      present: ReadonlySet<string>,
      mayTake: (object: T) => boolean,
    ): T[] {
      for (const namespace of had) if (!present.has(namespace)) had.delete(namespace);
      // Each as a stack, with whoever has waited longest on top.
      const all = waiting.toReversed();
      const stacks = Map.groupBy(all, namespaceOf);
      const lines = new Map<string, T[]>();
      for (const namespace of [...[...stacks.keys()].filter((one) => !had.has(one)), ...had]) {
        const stack = stacks.get(namespace);
        if (stack) lines.set(namespace, stack);
      }
      const chosen = new Set<T>();
      for (;;) {
        const [line] = lines.values();
        const next = isOfNamespaces ? line?.at(-1) : longest();
        if (!next || !mayTake(next)) return [...chosen];
        chosen.add(next);
        isOfNamespaces = !isOfNamespaces;
        yieldTurn(namespaceOf(next));
      }

      function longest(): T | undefined {
        let top = all.at(-1);
        while (top && chosen.has(top)) {
          all.pop();
          top = all.at(-1);
        }
        return top;
      }

      /** It stands behind all others then. */
      function yieldTurn(namespace: string): void {
        const stack = lines.get(namespace);
        stack?.pop();
        lines.delete(namespace);
        if (stack?.length) lines.set(namespace, stack);
        had.delete(namespace);
        had.add(namespace);
      }
    },
  };
}
