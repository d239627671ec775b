import type { FailureReason } from '../../reconcile/failure-reason.ts';
import type { CommonReason } from '../../reconcile/verdict.ts';
import type { AccountReason } from '../cloud-account/reasons.ts';

/** Reasons a resource of any kind may have beside those of its kind. */
export type SharedReason = CommonReason | FailureReason | AccountReason;
