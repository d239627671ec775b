import type { KindName } from '../../cli/kinds.ts';

/** What somebody may see. */
export interface Sight {
  /** Everything there is: also what is about all of it together. */
  readonly isWhole: boolean;
  sees(kind: KindName, namespace: string | undefined): boolean;
  /** Not everything has been asked yet: what is not seen may be allowed. */
  readonly isPartial: boolean;
  /** Who it is; undefined: whoever reaches the page. */
  readonly user: string | undefined;
}

/** Of whoever reaches a page that only the pod itself, and `kubectl port-forward`, can reach. */
export const wholeSight: Sight = { isWhole: true, sees: () => true, isPartial: false, user: undefined };
