import type { Condition, KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { findCondition } from '../../../src/reconcile/conditions.ts';
import { expectedHealth } from './expected.ts';
import { type Outcome, type OutcomeName, outcomes } from './outcomes.ts';

/** An object with what the operator wrote about it. */
export interface Told extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] | undefined };
}

/** What somebody makes of an object. */
export interface Verdict {
  readonly status: string;
  readonly message: string;
}

/** A field of the table: `Sim NotShownYet waits`. */
export type Field = string;

/** All fields of the table. */
export const allFields: readonly Field[] = Object.entries(expectedHealth).flatMap(([section, rows]) =>
  Object.entries(rows).flatMap(([reason, row]) => row.map((name) => `${section} ${reason} ${name}`)),
);

/**
 * The field of the table an object belongs to, by its conditions; and what has to come of it.
 *
 * @throws when the table knows neither its reason nor such conditions with it.
 */
export function placeOf(object: Told): { readonly field: Field; readonly argo: Verdict; readonly kstatus: string } {
  const conditions = [...(object.status?.conditions ?? [])];
  const ready = findCondition(conditions, 'Ready');
  const synced = findCondition(conditions, 'Synced') ?? ready;
  const besides =
    findCondition(conditions, 'Stalled') ??
    findCondition(conditions, 'Reconciling') ??
    findCondition(conditions, 'Braked');
  const telling = synced?.status === 'False' ? synced : besides?.type === 'Braked' ? besides : ready;
  if (!ready || !telling) throw new Error(`${object.kind} has no condition Ready`);
  const deleting = object.metadata.deletionTimestamp !== undefined;
  const isAccount = object.kind.endsWith('CloudAccount');
  const general = isAccount ? 'CloudAccount and ClusterCloudAccount' : 'All managed kinds';
  const section = expectedHealth[object.kind]?.[telling.reason] ? object.kind : general;
  const name = (expectedHealth[section]?.[telling.reason] ?? []).find((candidate) => {
    const outcome: Outcome = outcomes[candidate];
    return (
      outcome.ready === ready.status &&
      outcome.synced === synced?.status &&
      outcome.besides === besides?.type &&
      (outcome.deleting ?? false) === deleting
    );
  });
  if (name === undefined) {
    const shown = conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`).join(', ');
    throw new Error(`the table has no field for ${object.kind} ${shown}${deleting ? ', being deleted' : ''}`);
  }
  const { argo, kstatus } = outcomes[name];
  const message = deleting ? 'Pending deletion' : (besides ?? telling).message;
  return { field: fieldOf(section, telling.reason, name), argo: { status: argo, message }, kstatus };
}

function fieldOf(section: string, reason: string, name: OutcomeName): Field {
  return `${section} ${reason} ${name}`;
}
