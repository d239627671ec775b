import type { PlannedCall } from './call.ts';
import type { Refusal } from './manifests/rehearse.ts';

/** A resource that would not be in sync afterwards. */
export interface Unsettled {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

/** What applying manifests would lead to at the service. */
export interface Plan {
  /** In the order in which they would be sent. */
  readonly calls: readonly PlannedCall[];
  readonly unsettled: readonly Unsettled[];
  /** Resources whose calls wait until a person has approved them: `Sim fleet/truck-17`. */
  readonly unapproved: readonly string[];
  /** What somebody has paused, which holds calls until that is taken off: `CloudAccount fleet/default`. */
  readonly paused: readonly string[];
  /** Manifests that the apiserver would not take: nothing is planned for them. */
  readonly refused: readonly Refusal[];
  /** What the plan does not cover, a sentence each. */
  readonly notLookedAt: readonly string[];
  /** What chance decides, a sentence each: what is planned of it is one way in which it may come. */
  readonly undecided: readonly string[];
  /** Whether all that bears on the resources of the manifests could be looked at. */
  readonly isComplete: boolean;
  /** Resources of the manifests that were looked at, and those of them that change in the cluster. */
  readonly resources: { readonly named: number; readonly changed: number; readonly pruned: number };
}
