import type { Verdict } from './conditions.ts';
import type { Drift } from './managed-object.ts';
import type { Hold, Impairment, Plan, Step } from './plan.ts';

/** Reasons all kinds share. Each is documented in docs/reference/conditions.md. */
export const CommonReason = {
  /** The service matches the spec. Do: Nothing. */
  Available: 'Available',
  /** `managementPolicy: Observe`: the service is watched, nothing is written. Do: Nothing; to let the operator write, set `managementPolicy: Manage`. */
  Observed: 'Observed',
  /** Calls are being made, or their effect is being observed. Do: Nothing: it continues on its own. */
  Applying: 'Applying',
  /** Waiting for its turn within the account's limits; the message says how many are ahead of it, and about when its turn comes. Do: Nothing; many SIMs at once take time, and of web acceleration only so many requests go in an hour, of which the status of the account shows what is left. Deletions, deactivations and changes go before creations. */
  Queued: 'Queued',
  /** Observe found fields that differ; see `status.drift`. Do: Change the spec to what the service has, or let the operator write (`managementPolicy: Manage`). */
  DriftObserved: 'DriftObserved',
  /** Something else keeps changing a field of the spec; it is corrected less and less often. Do: Find out what else writes there, such as another installation of the operator or a script, or remove the field from the spec. */
  Contested: 'Contested',
  /** Another installation of the operator holds the namespace or the account, and has not answered for a while; the message names it. Do: Uninstall one of the two; if the other one is already gone, wait until its hold ends, or delete its Lease as the message says. */
  HeldElsewhere: 'HeldElsewhere',
  /** A plan waits for approval; it is in `status.plan`, with its hash. Do: Look at the plan, and approve it with `edgeline approve`, or set the annotation `edgeline.dev/approve` to the hash; to refuse it, change the spec, or, if the resource is being deleted, set `deletionPolicy: Orphan`. */
  ApprovalPending: 'ApprovalPending',
  /** `edgeline.dev/paused` is set, on the resource, on its account or on its namespace: nothing is written at the service, and the status stays as it was. Do: Nothing, if it is meant; otherwise remove the annotation where the message says it is. */
  Paused: 'Paused',
  /** `edgeline.dev/abandon` is set: the operator has let go. Do: Nothing, if it is meant; otherwise remove the annotation. */
  Abandoned: 'Abandoned',
  /** The resource is being deleted and calls are being made to that end. Do: Nothing. If it stays, the message says what it waits for. */
  Deleting: 'Deleting',
} as const;

export type CommonReason = (typeof CommonReason)[keyof typeof CommonReason];

/** Everything the conditions of a resource follow from. */
export interface Situation {
  readonly mode: 'Manage' | 'Observe';
  /** Steps are left to do, or an observation of the last ones is. */
  readonly unsettled: boolean;
  /** They wait for their turn. */
  readonly queued?: boolean | undefined;
  readonly drift: readonly Drift[];
  readonly hold?: Hold<string> | undefined;
  readonly unsynced?: { reason: string; message: string } | undefined;
  readonly notice?: Plan<Step>['notice'];
  /** Why it does not do what it is for, as last seen. */
  readonly impairment?: Impairment | undefined;
  /**
   * Ready as it was told last, where the resource goes on doing its work, as far as anybody knows, whatever else there is
   * to say; its generation stays the one of the spec that was carried out.
   */
  readonly stillReady?:
    | { readonly reason: string; readonly message: string; readonly generation: number | undefined }
    | undefined;
  readonly readyMessage: string;
  /** Nothing is known to have changed, but it could not be looked at again: what was found stays, and this says why. */
  readonly kept?: string | undefined;
  readonly deleting: boolean;
}

/** The conditions of a resource in that situation. Pure. */
export function judge(situation: Situation): Verdict[] {
  const { hold, drift, unsynced, impairment } = situation;
  const still = stillReady(situation);
  if (situation.kept !== undefined && still) {
    const reason = situation.mode === 'Observe' ? CommonReason.Observed : CommonReason.Available;
    return [still, { type: 'Synced', status: 'True', reason, message: situation.kept }];
  }
  if (hold) {
    const { reason, message } = hold;
    const ready = still ?? notReady(reason, [impairment?.message, message].filter(Boolean).join(' '));
    const synced: Verdict = { type: 'Synced', status: 'False', reason, message };
    if (hold.state === 'Suspended') return [ready, synced];
    return [
      ready,
      synced,
      { type: hold.state === 'Stalled' ? 'Stalled' : 'Reconciling', status: 'True', reason, message },
    ];
  }
  if (situation.unsettled) return underWay(situation);
  const reason = situation.mode === 'Observe' ? CommonReason.Observed : CommonReason.Available;
  const ready: Verdict = impairment
    ? notReady(impairment.reason, impairment.message)
    : { type: 'Ready', status: 'True', reason, message: situation.readyMessage, ...situation.notice };
  // Nothing is left to do here, so only a person can help.
  const stalled: Verdict[] = impairment && !impairment.isMeant ? [{ ...ready, type: 'Stalled', status: 'True' }] : [];
  if (situation.mode === 'Observe' && drift.length > 0) {
    return [
      ready,
      { type: 'Synced', status: 'False', reason: CommonReason.DriftObserved, message: driftMessage(drift) },
      ...stalled,
    ];
  }
  if (unsynced) return [ready, { type: 'Synced', status: 'False', ...unsynced }, ...stalled];
  return [ready, { type: 'Synced', status: 'True', reason, message: 'The service matches the spec.' }, ...stalled];
}

function notReady(reason: string, message: string): Verdict {
  return { type: 'Ready', status: 'False', reason, message };
}

function stillReady({ stillReady: before }: Situation): Verdict | undefined {
  return before && { type: 'Ready', status: 'True', ...before };
}

function underWay(situation: Situation): Verdict[] {
  const ready = stillReady(situation);
  const [reason, message] = situation.deleting
    ? [CommonReason.Deleting, 'The service is being asked to delete it.']
    : ready && situation.queued
      ? [CommonReason.Queued, 'The change waits for its turn: the account’s limits say when its requests may go.']
      : [
          CommonReason.Applying,
          'The service is being brought in line with the spec. If that takes long, the account’s status shows its budget.',
        ];
  return [
    ready ?? notReady(reason, message),
    { type: 'Synced', status: 'False', reason, message },
    { type: 'Reconciling', status: 'True', reason, message },
  ];
}

function driftMessage(drift: readonly Drift[]): string {
  const [first] = drift;
  const more = drift.length > 1 ? ` and ${drift.length - 1} more, see status.drift` : '';
  return first ? `${first.field} is ${first.observed}, the spec says ${first.desired}${more}.` : '';
}
