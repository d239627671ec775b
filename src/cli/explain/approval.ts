import { isPlannedAnew, type WaitingPlan, waitingPlan } from '../approve/waiting.ts';
import type { Reported } from '../standing.ts';

/** What is known of approvals of one object: the status, the annotation and the Events tell it. */
export interface ApprovalStory {
  /** The plan that waits, and since when, as far as the Events tell; RFC 3339. `outdated`: the spec has changed since it was made. */
  readonly waits: (WaitingPlan & { readonly since: string | undefined; readonly outdated: boolean }) | undefined;
  /** What stands in the annotation, and which program wrote it when: of people, a cluster keeps nothing in its objects. */
  readonly annotation:
    | { readonly value: string; readonly manager: string | undefined; readonly at: string | undefined }
    | undefined;
  /** What was approved and is not carried out to its end. */
  readonly underWay: { readonly hash: string; readonly callsLeft: number } | undefined;
  readonly last: ApprovedPlan | undefined;
}

/** A plan that was approved and carried out, wholly or in part. */
export interface ApprovedPlan {
  readonly hash: string;
  /** RFC 3339. */
  readonly at: string | undefined;
}

const APPROVE = 'edgeline.dev/approve';

/** Puts together what is known; undefined where nothing was ever to be approved. Pure. */
export function approvalStoryOf(
  object: Reported,
  told: { readonly approved?: ApprovedPlan | undefined; readonly askedAt?: string | undefined },
): ApprovalStory | undefined {
  const plan = waitingPlan(object);
  const value = object.metadata.annotations?.[APPROVE];
  const { hash, calls } = membersOf(object.status?.['approval']);
  const left = Array.isArray(calls) ? calls.length : 0;
  const story: ApprovalStory = {
    waits: plan && { ...plan, since: told.askedAt, outdated: isPlannedAnew(object) },
    annotation: value === undefined ? undefined : { value, ...writerOf(object) },
    underWay: typeof hash === 'string' && left > 0 ? { hash, callsLeft: left } : undefined,
    last: told.approved,
  };
  return Object.values(story).some((one) => one !== undefined) ? story : undefined;
}

/** Who owns the annotation, as the apiserver keeps it. */
function writerOf({ metadata }: Reported): { readonly manager: string | undefined; readonly at: string | undefined } {
  const { managedFields } = membersOf(metadata);
  const entries = Array.isArray(managedFields) ? managedFields.map(membersOf) : [];
  const owning = entries.filter(({ fieldsV1 }) => {
    const annotations = membersOf(membersOf(membersOf(fieldsV1)['f:metadata'])['f:annotations']);
    return annotations[`f:${APPROVE}`] !== undefined;
  });
  // Two that apply the same own it both; the later one set it last.
  const [latest] = owning.toSorted((one, other) => timeOf(other['time']) - timeOf(one['time']));
  return { manager: textOf(latest?.['manager']), at: textOf(latest?.['time']) };
}

const timeOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) || 0 : 0);
const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** The shape of it in `-o json`. */
export function approvalJson(story: ApprovalStory | undefined): object | null {
  if (!story) return null;
  const { waits, annotation, underWay, last } = story;
  return {
    waits: waits ? { ...waits, since: waits.since ?? null } : null,
    annotation: annotation ? { ...annotation, manager: annotation.manager ?? null, at: annotation.at ?? null } : null,
    underWay: underWay ?? null,
    last: last ? { ...last, at: last.at ?? null } : null,
  };
}
