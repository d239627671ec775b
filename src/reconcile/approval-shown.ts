import { Annotation } from './annotations.ts';
import { brief, briefChange } from './brief-change.ts';
import type { ManagedObject, ShownPlan } from './managed-object.ts';
import type { Hold, Plan, Step } from './plan.ts';
import { CommonReason } from './verdict.ts';

/** A plan with more calls is approved in parts: who approves it has to see all of it. */
export const MOST_CALLS = 64;
/** Characters of a value; the hash is of the whole. */
const LONGEST_VALUE_CHARACTERS = 512;
/** Calls that a message names, and characters of a value in it. */
const MOST_NAMED = 3;
const LONGEST_NAMED_CHARACTERS = 80;

/** The plan as `status.plan` has it. Pure. */
export function shownPlan<S extends Step>(hash: string, plan: Plan<S>): ShownPlan {
  const calls = callsOf(plan).map(({ do: step, changes }) => ({
    step,
    ...(changes.length > 0 && {
      fields: changes.map((change) => ({ field: change.field, ...briefChange(change, LONGEST_VALUE_CHARACTERS) })),
    }),
  }));
  // What waits for something is planned when it is there.
  return { hash, calls, ...((plan.continues || plan.hold) && { continues: true }) };
}

/** Why a plan that nobody has approved is not carried out. `kind` is that of the object. Pure. */
export function approvalHold<S extends Step>(
  hash: string,
  plan: Plan<S>,
  object: ManagedObject,
  kind: string,
): Hold<CommonReason> {
  const { namespace, name, annotations, deletionTimestamp } = object.metadata;
  const calls = callsOf(plan);
  const named = calls.slice(0, MOST_NAMED).map(callText).join('; ');
  const others = calls.slice(MOST_NAMED);
  // What cannot be taken back is named, whatever else is not.
  const deletes = others.some((step) => step.do === 'delete') ? ', delete among them' : '';
  const more = others.length > 0 ? `; and ${others.length} more${deletes}, see status.plan` : '';
  const what = `${calls.length} ${calls.length === 1 ? 'call waits' : 'calls wait'} for approval: ${named}${more}.`;
  const other = annotations?.[Annotation.approve];
  const wrong =
    other === undefined
      ? ''
      : ` The annotation ${Annotation.approve} is "${brief(other, HASH_CHARACTERS)}", which is not the hash of this plan.`;
  const how = ` Approve ${calls.length === 1 ? 'it' : 'them'} with \`edgeline approve ${kind.toLowerCase()}/${name} -n ${namespace ?? ''} --hash ${hash}\`, or set the annotation ${Annotation.approve}: "${hash}".`;
  const instead =
    deletionTimestamp === undefined
      ? ''
      : ` To leave what is at the service as it is, set deletionPolicy: Orphan, or the annotation ${Annotation.abandon}: "true".`;
  return { state: 'Suspended', reason: CommonReason.ApprovalPending, message: `${what}${wrong}${how}${instead}` };
}

const HASH_CHARACTERS = 16;

function callsOf<S extends Step>({ steps }: Plan<S>): S[] {
  return steps.filter((step) => !step.silent);
}

function callText({ do: step, changes }: Step): string {
  const fields = changes.map((change) => {
    const { before, after } = briefChange(change, LONGEST_NAMED_CHARACTERS);
    return `${change.field} ${before} → ${after}`;
  });
  return fields.length === 0 ? step : `${step} (${fields.join(', ')})`;
}
