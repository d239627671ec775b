import type { Approval, ManagedObject, Progress } from './managed-object.ts';

/**
 * What needs a person's approval: nothing, what is not merely the repair of drift, or every call. From the least to the most.
 */
const strictness = ['Nothing', 'Changes', 'Everything'] as const;
export type Asking = (typeof strictness)[number];

/** What an account asks for its resources. */
export interface AccountApproval {
  readonly policy: Exclude<Asking, 'Nothing'>;
  /** Kinds for which the account asks nothing; a resource may still ask for itself. */
  readonly exempt?: readonly string[] | undefined;
}

const ofPolicy: Readonly<Record<string, Asking>> = { ApproveChanges: 'Changes', Approve: 'Everything' };

/** What a resource needs approval for: of its own policy and that of its account the stricter. Pure. */
export function askingOf(kind: string, { spec }: ManagedObject, account: AccountApproval | undefined): Asking {
  const own = ofPolicy[spec.managementPolicy ?? 'Manage'] ?? 'Nothing';
  const shared = account && !account.exempt?.includes(kind) ? account.policy : 'Nothing';
  return strictness.indexOf(own) > strictness.indexOf(shared) ? own : shared;
}

/** One call of a plan, as far as its approval is concerned. */
export interface AskedCall {
  /** See `approval-digest.ts`. */
  readonly digest: string;
  /** The policy lets it through. */
  readonly isFree: boolean;
}

/** What approval follows from. */
export interface Asked {
  readonly asking: Asking;
  /** The calls that nobody has asked for in so many words. */
  readonly calls: readonly AskedCall[];
  readonly progress: Pick<Progress, 'approval' | 'id' | 'ownership'>;
  /** Of the spec. */
  readonly generation: number;
  /** The annotation `edgeline.dev/approve`. */
  readonly annotation: string | undefined;
  /** The hash of these calls, for one asking. */
  readonly hashOf: (asking: string) => string;
  /** What tells a new asking from all others. */
  readonly newAsking: () => string;
}

/** Whether the calls may be sent; `approval` is what has to be on record before they are, or before anybody is asked. */
export type Answer =
  | { readonly may: 'go'; readonly approval: Approval | undefined }
  | { readonly may: 'wait'; readonly approval: Approval; readonly hash: string };

/**
 * Whether a plan may be carried out. Each of its calls must be let through by the policy, or be among those that are approved
 * on record, for this very spec, and still are by the annotation; or the annotation has the hash of this very plan. A hash
 * is of one asking, which ends when it is answered: no later plan has the same hash, so that an annotation that stays, or
 * comes back, approves nothing anew. Pure.
 */
export function answerTo(asked: Asked): Answer {
  const { asking, calls, progress, generation, annotation, hashOf, newAsking } = asked;
  if (asking === 'Nothing' || calls.length === 0) return { may: 'go', approval: undefined };
  const { approval, id } = progress;
  const about = { ...(id !== undefined && { id }), generation };
  const digests = calls.map(({ digest }) => digest);
  const approved = approvedCalls(asked);
  if (calls.every(({ digest, isFree }) => isFree || approved.has(digest))) {
    // What the policy lets through is on record, too: if it is interrupted, the rest of it no longer looks like the repair of drift.
    const isFree = calls.every((call) => call.isFree);
    const by = isFree || approval?.hash === undefined ? {} : { hash: approval.hash };
    return { may: 'go', approval: { ...by, ...about, calls: digests } };
  }
  const word = approval?.asked ?? newAsking();
  const hash = hashOf(word);
  return annotation === hash
    ? { may: 'go', approval: { hash, ...about, calls: digests } }
    : { may: 'wait', approval: { asked: word }, hash };
}

/** What became of an approval. */
export type ApprovalOutcome = 'approved' | 'mismatched' | 'outdated' | 'withdrawn';

/**
 * What is to be counted of an answer; undefined: nothing is news. `before` is what was on record, `seen` the annotation as
 * this process saw it last, if it did: one that only stays, as in Git, is told of once. Pure.
 */
export function outcomeOf(
  answer: Answer,
  { approval: before }: Asked['progress'],
  annotation: string | undefined,
  seen: { readonly annotation: string | undefined } | undefined,
): ApprovalOutcome | undefined {
  const wasApproved = before?.hash !== undefined && (before.calls?.length ?? 0) > 0;
  if (answer.may === 'go') {
    const isNew = answer.approval?.hash !== undefined && answer.approval.hash !== before?.hash;
    return isNew ? 'approved' : undefined;
  }
  if (wasApproved) return annotation === before.hash ? 'outdated' : 'withdrawn';
  const isNews = seen !== undefined && seen.annotation !== annotation;
  return isNews && annotation !== undefined ? 'mismatched' : undefined;
}

/** The same after a call was answered: what was done once is not approved twice. `id` is that of what was created by it. */
export function approvalAfter(
  approval: Approval | undefined,
  digest: string | undefined,
  id?: string,
): Approval | undefined {
  if (approval?.calls === undefined || digest === undefined) return approval;
  const done = approval.calls.indexOf(digest);
  return { ...approval, ...(id !== undefined && { id }), calls: approval.calls.filter((_, index) => index !== done) };
}

/** Whether the status as it was last seen tells the next process that these calls are approved. */
export function isOnRecord(stored: Approval | undefined, approval: Approval | undefined): boolean {
  if (!approval?.calls) return true;
  if (stored?.hash !== approval.hash || stored?.generation !== approval.generation) return false;
  return approval.calls.every((digest) => stored?.calls?.includes(digest));
}

/** What is approved as of now, of what is on record. */
function approvedCalls({ asking, progress, generation, annotation }: Asked): ReadonlySet<string> {
  const { approval, id, ownership } = progress;
  // By half, a plan may do what nobody approved: of another spec no part of it is.
  if (!approval?.calls || approval.generation !== generation) return new Set();
  // Without a hash it was let through by the policy, which may be another by now; with one whoever approved may take it back.
  const stands = approval.hash === undefined ? asking === 'Changes' : approval.hash === annotation;
  // A creation is approved with what follows it, for what it makes and for nothing else.
  const isAboutIt = approval.id === id || (approval.id === undefined && ownership === 'Created');
  return new Set(stands && isAboutIt ? approval.calls : []);
}
