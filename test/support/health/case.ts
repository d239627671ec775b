import { KubeError } from '../../../src/kubernetes/errors.ts';
import type { KubernetesObject, ObjectMeta } from '../../../src/kubernetes/objects.ts';
import type { ManagedObject, Progress } from '../../../src/reconcile/managed-object.ts';
import type { Hold, Plan, Step } from '../../../src/reconcile/plan.ts';
import { type PassOutcome, type Shown, statusAfter } from '../../../src/reconcile/write-outcome.ts';
import type { Told } from './judge.ts';

/** A situation, and an object with the status the operator gives it then. */
export interface HealthCase {
  readonly title: string;
  readonly object: Told;
}

/** When everything here happens. Milliseconds since the epoch. */
export const now = Date.UTC(2026, 0, 15);

const nothingDone: Progress = { applied: {}, pending: [], marks: {} };

/** The answer of the apiserver to an operator that may not read Secrets. */
export const secretForbidden = new KubeError({
  status: 403,
  reason: 'Forbidden',
  kind: 'Secret',
  objectName: 'pass-codes',
  message: 'User "system:serviceaccount:edgeline-system:edgeline-operator" cannot get resource "secrets"',
});

/** Metadata as the apiserver makes it. */
export function metadataOf(name: string, more: Partial<ObjectMeta> = {}): ObjectMeta {
  const created = new Date(now - 3_600_000).toISOString();
  return {
    name,
    namespace: 'fleet',
    uid: name,
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: created,
    ...more,
  };
}

/** The same object on its way out. */
export function leaving<T extends KubernetesObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, deletionTimestamp: new Date(now).toISOString() } };
}

/** The object with the status after a pass that ended so. */
export function concluded<T extends ManagedObject, F>(kind: Shown<T, F>, object: T, outcome: PassOutcome<F, Step>): T {
  return { ...object, status: statusAfter(kind, object, nothingDone, outcome, now) };
}

/** What a function of the operator gave as a reason to wait. */
export function holdIn(found: object): Hold<string> {
  if ('hold' in found && isHold(found.hold)) return found.hold;
  throw new Error(`nothing stands in the way: ${JSON.stringify(found)}`);
}

function isHold(value: unknown): value is Hold<string> {
  return typeof value === 'object' && value !== null && 'reason' in value && 'message' in value && 'state' in value;
}

/** An outcome with this plan. */
export function ended<F>(facts: F, plan: (facts: F) => Plan<Step>): PassOutcome<F, Step> {
  return { facts, plan: plan(facts) };
}
