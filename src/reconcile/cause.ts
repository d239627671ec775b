import { isDeepStrictEqual } from 'node:util';
import type { ChangeCause, OutsideCause } from './change.ts';
import { findCondition } from './conditions.ts';
import { isPending, type ManagedObject, type Progress } from './managed-object.ts';
import type { Plan, Step } from './plan.ts';
import { isStatusOfAnother } from './restored.ts';

/** What the cause of a write follows from, beside its plan. */
export interface Circumstances {
  readonly deleting: boolean;
  readonly generation: number;
  /** The generation that was carried out last; undefined: none was yet. */
  readonly settledGeneration: number | undefined;
  /** An earlier process ended in the middle of carrying out a later generation: what it wrote last is not on record. */
  readonly isInterrupted: boolean;
  /** What belonged to the resource had vanished. */
  readonly isLost: boolean;
  /** As it was before the plan. */
  readonly progress: Pick<Progress, 'applied' | 'pending' | 'ownership'>;
  /** By field of `applied`: see {@link OutsideCause}. */
  readonly outside: Readonly<Partial<Record<string, OutsideCause>>>;
}

/** Of several causes of one call, the one that tells most stands for it. */
const telling: readonly ChangeCause[] = [
  'Recreation',
  'Creation',
  'Adoption',
  'SpecChanged',
  'CertificateRotated',
  'SecretChanged',
  'ReferenceChanged',
  'FieldUnset',
  'Resumed',
  'DriftRepaired',
];

/** Says why each step of a plan is made. Pure. */
export function causesOf<S extends Step>(plan: Plan<S>, circumstances: Circumstances): (step: S) => ChangeCause {
  const { deleting, settledGeneration, isInterrupted, generation, progress, outside } = circumstances;

  function first(): ChangeCause {
    if (circumstances.isLost) return 'Recreation';
    return progress.ownership === 'Adopted' ? 'Adoption' : 'Creation';
  }

  function causeOfField(field: string): ChangeCause {
    const isUnclear = isPending(progress.pending, field);
    const { [field]: before } = progress.applied;
    const { [field]: wanted } = plan.applied;
    if (wanted === undefined && (isUnclear || before !== undefined)) return 'FieldUnset';
    const isSettled = settledGeneration === generation;
    if (!isUnclear && before !== undefined && isDeepStrictEqual(before, wanted)) {
      // A spec between the settled one and this one may have wanted what the service has.
      return isInterrupted && !isSettled ? 'Resumed' : 'DriftRepaired';
    }
    if (settledGeneration === undefined) return first();
    if (!isSettled) return 'SpecChanged';
    return (isUnclear ? undefined : outside[field]) ?? 'Resumed';
  }

  function ownCause({ cause, because, fields = [] }: S): ChangeCause | undefined {
    if (cause !== undefined) return cause;
    const causes = (because ?? fields).map(causeOfField);
    return telling.find((one) => causes.includes(one));
  }

  const ofPlan = plan.steps.flatMap((step) => (step.cause === undefined ? (ownCause(step) ?? []) : []));
  const rest = telling.find((one) => ofPlan.includes(one));
  return (step) => {
    if (deleting) return 'Deletion';
    if (step.do === 'create') return first();
    return ownCause(step) ?? rest ?? (settledGeneration === undefined ? first() : 'Resumed');
  };
}

/** The generation that was carried out last, as far as a status says: of what is not in sync, the one it was Ready with. */
export function settledGenerationOf(object: ManagedObject): number | undefined {
  if (isStatusOfAnother(object)) return undefined;
  const holding = ['Synced', 'Ready']
    .map((type) => findCondition(object.status?.conditions, type))
    .find((condition) => condition?.status === 'True');
  const { observedGeneration = 0 } = holding ?? {};
  // Of what is Ready by a status from a backup, no generation is this one's.
  return observedGeneration > 0 ? observedGeneration : undefined;
}

/** Whether the status says that something was being carried out: who wrote it is gone if this process did not. */
export function isUnderWay(object: ManagedObject): boolean {
  const reason = findCondition(object.status?.conditions, 'Synced')?.reason;
  return reason === 'Applying' || reason === 'Queued';
}
