import { OUTPUT_VERSION } from '../cli/output.ts';
import type { PlannedCall } from './call.ts';
import { isHeld } from './held.ts';
import type { Plan, Unsettled } from './result.ts';

/** Whether anything is to be told beyond "nothing would change". */
export function exitCodeOf({ calls, refused, unsettled, isComplete }: Plan): 0 | 1 | 2 {
  if (refused.length > 0) return 1;
  return calls.length > 0 || unsettled.some(isHeld) || !isComplete ? 2 : 0;
}

/** The plan as it is printed as JSON. Pure. */
export function planJson(plan: Plan) {
  return {
    apiVersion: OUTPUT_VERSION,
    kind: 'Plan',
    complete: plan.isComplete,
    resources: plan.resources,
    seconds: secondsOf(plan),
    calls: plan.calls.map(({ resource, account, method, path, fields, after, isUncertain }) => ({
      ...resource,
      account,
      method,
      path,
      fields: fields.map((one) => ({ field: one.field, before: one.before ?? null, after: one.after ?? null })),
      afterSeconds: after,
      certain: !isUncertain,
    })),
    notInSync: plan.unsettled.map((one) => ({ ...one })),
    unapproved: [...plan.unapproved],
    paused: [...plan.paused],
    refused: plan.refused.map((one) => ({ ...one })),
    undecided: [...plan.undecided],
    notLookedAt: [...plan.notLookedAt],
  };
}

/** What there is to say of a call beside its fields. Pure. */
export function remarksOf({ method, route, fields, isRepeated, isUncertain }: PlannedCall): string[] {
  if (isUncertain) return ['only if the Secret has something else, which is not known'];
  const isPlain = fields.length > 0 || method === 'DELETE' || route.endsWith('/config');
  if (isPlain) return [];
  return [isRepeated ? 'the same as is there is sent again' : 'what it changes is not in any spec, and is not shown'];
}

/** Seconds from the first moment to the last call, at the accounts' limits. */
export function secondsOf({ calls }: Plan): number {
  return calls.reduce((most, { after }) => Math.max(most, after), 0);
}

/** The calls of each resource, in the order of the first. */
export function byResource({ calls }: Plan): { readonly title: string; readonly calls: Plan['calls'] }[] {
  const groups = new Map<string, Plan['calls'][number][]>();
  for (const call of calls) {
    const { kind, namespace, name } = call.resource;
    const title = `${kind} ${namespace}/${name}`;
    groups.set(title, [...(groups.get(title) ?? []), call]);
  }
  return [...groups].map(([title, ofOne]) => ({ title, calls: ofOne }));
}

/** A line for each thing that is in the way, and after it what else it is in the way of. */
export function unsettledLines({ unsettled }: Plan): string[] {
  const titleOf = ({ kind, namespace, name }: Unsettled) => `${kind} ${namespace}/${name}`;
  const same = Map.groupBy(unsettled, ({ name, reason, message }) =>
    JSON.stringify([reason, message.replaceAll(` ${name} `, ' NAME ')]),
  );
  return [...same.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const likewise = `  likewise ${others.length} more: ${others.map(titleOf).join(', ')}`;
    return [`${titleOf(first)}: ${first.reason}: ${first.message}`, ...(others.length > 0 ? [likewise] : [])];
  });
}

/** One sentence that says what it comes to. */
export function summaryOf(plan: Plan): string {
  const { calls, resources, unsettled } = plan;
  const looked = `${resources.named} ${resources.named === 1 ? 'resource' : 'resources'} in the manifests${resources.pruned > 0 ? `, ${resources.pruned} to be pruned` : ''}`;
  if (calls.length === 0) {
    if (unsettled.some(isHeld)) return `Nothing would be written at the service before a person lets go (${looked}).`;
    return plan.isComplete
      ? `Nothing would be written at the service (${looked}).`
      : `Nothing that was looked at would be written at the service (${looked}).`;
  }
  const of = byResource(plan).length;
  const took = secondsOf(plan);
  const slow =
    took < 60
      ? ''
      : `, the last about ${durationText(took)} after everything is ${startOf(plan)}, at the accounts’ limits`;
  return `${calls.length} ${calls.length === 1 ? 'call' : 'calls'} for ${of} ${of === 1 ? 'resource' : 'resources'}${slow} (${looked}).`;
}

/** What has to happen before the first call goes. */
function startOf({ unapproved, paused }: Plan): string {
  const isApproved = unapproved.length > 0;
  if (paused.length === 0) return isApproved ? 'applied and approved' : 'applied';
  return isApproved ? 'applied, resumed and approved' : 'applied and resumed';
}

function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return `${(minutes / 60).toFixed(1)} hours`;
}
