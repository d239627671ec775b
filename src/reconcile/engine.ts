import type { Clock } from '../clock.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import type { ClusterTime } from '../kubernetes/cluster-time.ts';
import type { EventRecorder } from '../kubernetes/events.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Priority } from '../kubernetes/work-queue.ts';
import type { Logger } from '../telemetry/log.ts';
import type { AccountResolver } from './account.ts';
import type { ApprovalOutcome } from './approval.ts';
import type { Brakes } from './brakes.ts';
import type { ChangeLine } from './change-line.ts';
import type { AccountRef } from './managed-object.ts';
import type { ObjectKey } from './reconciler.ts';

/** What the engine works with, the same for every kind. */
export interface Engine {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** What is on record for the next process, whose clock may be another, is dated by the cluster's. */
  readonly time: Pick<ClusterTime, 'latest' | 'earliest'>;
  readonly random: () => number;
  readonly accounts: AccountResolver;
  readonly brakes: Brakes;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly log: Logger;
  readonly queue: { add(key: ObjectKey, priority?: Priority): void };
  /** Whether this installation, and no other, may act for a resource of that namespace with that account. */
  readonly holds: (namespace: string, account: AccountRef) => boolean;
  /** The resourceVersion of a Secret as last seen; undefined when there is none. */
  readonly secretVersion: (namespace: string, name: string) => string | undefined;
  /** The namespace of that name, its metadata; undefined where the operator sees none. */
  readonly namespace: (name: string) => KubernetesObject | undefined;
  /** Told of every write to the service, once its outcome is known. */
  readonly onChange: (change: ChangeLine) => void;
  /** Counts a field put right (`edgeline_drift_detected_total`). */
  readonly onDrift: (kind: string, field: string) => void;
  /** Counts what became of an approval (`edgeline_approvals_total`). */
  readonly onApproval: (kind: string, outcome: ApprovalOutcome) => void;
  /** Requests of an earlier process may still arrive this long after we first look at their resource. Milliseconds. */
  readonly settleMilliseconds: number;
  /**
   * The service may take this long to show everywhere what was just created; until then its absence says nothing.
   * Milliseconds.
   */
  readonly shownMilliseconds: number;
  /** Work that takes longer than this shows in the status before it is done. Milliseconds. */
  readonly momentMilliseconds: number;
  /** Every resource is looked at again after this long, from memory. Milliseconds. */
  readonly resyncMilliseconds: number;
}
