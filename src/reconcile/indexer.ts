import type { Informer } from '../kubernetes/informer.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';

/** Finds objects by what they mention, kept up to date from an informer's changes. */
export interface Index<T> {
  /** Objects that mention `value`, in the order they were seen. */
  get(value: string): readonly T[];
}

/** An index over the values `valuesOf` finds in each object. Make it before the informer starts. */
export function createIndex<T extends KubernetesObject>(
  informer: Informer<T>,
  valuesOf: (object: T) => string[],
): Index<T> {
  const byValue = new Map<string, Map<string, T>>();
  informer.onChange(({ old, new: current }) => {
    if (old) {
      for (const value of valuesOf(old)) {
        const members = byValue.get(value);
        members?.delete(old.metadata.uid);
        if (members?.size === 0) byValue.delete(value);
      }
    }
    if (current) {
      for (const value of valuesOf(current)) {
        const members = byValue.get(value) ?? new Map<string, T>();
        members.set(current.metadata.uid, current);
        byValue.set(value, members);
      }
    }
  });
  return {
    get: (value) =>
      [...(byValue.get(value)?.values() ?? [])].map(
        (member) => informer.get(member.metadata.namespace, member.metadata.name) ?? member,
      ),
  };
}
