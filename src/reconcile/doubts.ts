import type { ObjectKey } from './reconciler.ts';

/** Who waits for something, and is to hear when the resource it is for may have changed. */
export function createDoubts() {
  const listeners = new Map<ObjectKey, Set<() => void>>();

  return {
    /** How to listen for a resource: what that returns ends it. */
    on: (key: ObjectKey) => (listener: () => void) => {
      const own = listeners.get(key) ?? new Set();
      listeners.set(key, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(key) === own) listeners.delete(key);
      };
    },

    tell(key: ObjectKey): void {
      // Those who wait by now: whoever is called may begin to wait anew.
      const waiting = new Set(listeners.get(key));
      for (const listener of waiting) listener();
    },
  };
}
