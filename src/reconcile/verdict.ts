import type { Verdict } from './conditions.ts';
import type { Drift, Hold } from './kind.ts';

/** Reasons all kinds share. Each is documented in docs/reference/conditions.md. */
export const CommonReason = {
  /** The service matches the spec. Do: Nothing. */
  Available: 'Available',
  /** `managementPolicy: Observe`: the service is watched, nothing is written. Do: Nothing; to let it write, `managementPolicy: Manage`. */
  Observed: 'Observed',
  /** Calls are being made, or their effect is being observed. Do: Nothing: it goes on by itself. */
  Applying: 'Applying',
  /** Waiting for its turn in the account's limits; the message says how many are before it. Do: Nothing; many SIMs at once take their time. The status of the account shows its budget. What is deleted, deactivated or changed goes before what is new. */
  Queued: 'Queued',
  /** Observe found fields that differ; see `status.drift`. Do: Change the spec to what the service has, or let it write (`managementPolicy: Manage`). */
  DriftObserved: 'DriftObserved',
  /** Something else keeps changing what the spec says; it is put right ever more rarely. Do: Find out who else writes there, such as another installation of the operator or a script, or take the field out of the spec. */
  Contested: 'Contested',
  /** Another installation of the operator looks after the namespace, or after the account, and has not answered for a while; the message names it. Do: Let one of the two go; where the other one is gone already, wait until its hold ends, or delete its Lease as the message says. */
  HeldElsewhere: 'HeldElsewhere',
  /** `edgeline.dev/paused` is set: nothing is written at the service, and the status stays as it was. */
  Paused: 'Paused',
  /** `edgeline.dev/abandon` is set: the operator has let go. */
  Abandoned: 'Abandoned',
  /** The resource is being deleted and calls are being made to that end. Do: Nothing. Where it stays, the message says what it waits for. */
  Deleting: 'Deleting',
} as const;

/** Everything the conditions of a resource follow from. */
export interface Situation {
  readonly mode: 'Manage' | 'Observe';
  /** Steps are left to do, or an observation of the last ones is. */
  readonly unsettled: boolean;
  readonly drift: readonly Drift[];
  readonly hold?: Hold | undefined;
  readonly unsynced?: { reason: string; message: string } | undefined;
  /** Ready as it is now, and of this very spec: a hold that says nothing about what already works (an unreachable service) keeps it. */
  readonly wasReady: boolean;
  readonly readyMessage: string;
  readonly deleting: boolean;
}

/** The conditions of a resource in that situation. Pure. */
export function judge(situation: Situation): Verdict[] {
  const { hold, drift, unsynced } = situation;
  if (hold) {
    const ready: Verdict =
      hold.keepsReady && situation.wasReady
        ? { type: 'Ready', status: 'True', reason: CommonReason.Available, message: situation.readyMessage }
        : { type: 'Ready', status: 'False', reason: hold.reason, message: hold.message };
    const synced: Verdict = { type: 'Synced', status: 'False', reason: hold.reason, message: hold.message };
    if (hold.kind === 'Suspended') return [ready, synced];
    const type = hold.kind === 'Stalled' ? 'Stalled' : 'Reconciling';
    return [ready, synced, { type, status: 'True', reason: hold.reason, message: hold.message }];
  }
  if (situation.unsettled) {
    const reason = situation.deleting ? CommonReason.Deleting : CommonReason.Applying;
    const message = situation.deleting
      ? 'The service is being asked to delete it.'
      : 'The service is being brought in line with the spec. Where that takes long, the account’s status tells of its budget.';
    return [
      { type: 'Ready', status: 'False', reason, message },
      { type: 'Synced', status: 'False', reason, message },
      { type: 'Reconciling', status: 'True', reason, message },
    ];
  }
  const reason = situation.mode === 'Observe' ? CommonReason.Observed : CommonReason.Available;
  const ready: Verdict = { type: 'Ready', status: 'True', reason, message: situation.readyMessage };
  if (situation.mode === 'Observe' && drift.length > 0) {
    return [
      ready,
      { type: 'Synced', status: 'False', reason: CommonReason.DriftObserved, message: driftMessage(drift) },
    ];
  }
  if (unsynced) return [ready, { type: 'Synced', status: 'False', ...unsynced }];
  return [ready, { type: 'Synced', status: 'True', reason, message: 'The service matches the spec.' }];
}

function driftMessage(drift: readonly Drift[]): string {
  const [first] = drift;
  const more = drift.length > 1 ? ` and ${drift.length - 1} more, see status.drift` : '';
  return first ? `${first.field} is ${first.observed}, the spec says ${first.desired}${more}.` : '';
}
