import type { WriteReport } from '../cloud/write-report.ts';
import type { StepOutcome } from './carry-out.ts';
import { type Circumstances, causesOf, isUnderWay } from './cause.ts';
import type { ChangeCause } from './change.ts';
import { type ChangeOutcome, changeLineOf } from './change-line.ts';
import type { Engine } from './engine.ts';
import { DecisionOutdatedError } from './guard.ts';
import type { ManagedKind } from './kind.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import type { Plan, Step } from './plan.ts';
import type { Work } from './work.ts';

/** Reports the requests of one step. */
export interface StepReporter {
  /** A request left, and this became of it. */
  readonly onWrite: (report: WriteReport) => void;
  done(result: StepOutcome): void;
  failed(error: unknown): void;
}

/** Reports the requests of one plan. */
export interface PlanReporter<S extends Step> {
  causeOf(step: S): ChangeCause;
  ofStep(step: S): StepReporter;
}

/** Writes a line to the log of changes for each request that leaves, once its outcome is known. */
export function createChangeReporter<T extends ManagedObject, F, S extends Step>(
  kind: Pick<ManagedKind<T, F, S>, 'outside'>,
  engine: Pick<Engine, 'onChange'>,
) {
  /** `approval`: of a step the hash of the plan by which a person approved it. */
  return function reporterOf(
    work: Work<T>,
    plan: Plan<S>,
    approval?: (step: S) => string | undefined,
  ): PlanReporter<S> {
    const { memory, accountRef } = work;
    const causeOf = causesIn(kind, work, plan);
    return {
      causeOf,
      ofStep(step) {
        let isReported = false;
        let created: WriteReport | undefined;
        function reportOutcome(outcome: ChangeOutcome, id = memory.progress.id): void {
          isReported = true;
          const afterUnclear = 'attempt' in outcome && memory.unclearWrites.has(outcome.request);
          const deed = {
            step: step.do,
            changes: step.changes,
            cause: causeOf(step),
            approval: approval?.(step),
            afterUnclear,
          };
          engine.onChange(changeLineOf({ object: work.object, accountRef, id }, deed, outcome));
          if ('attempt' in outcome) noteUnclear(memory, outcome);
        }
        function reportCreated(id?: string): void {
          if (created) reportOutcome(created, id);
          created = undefined;
        }
        return {
          onWrite(report) {
            // What it made is told with its ID, which comes a moment later.
            if (step.do === 'create' && report.outcome === 'done') created = report;
            else reportOutcome(report);
          },
          done: ({ id }) => reportCreated(id),
          failed(error) {
            reportCreated();
            if (!isReported && error instanceof DecisionOutdatedError)
              reportOutcome({ outcome: 'held-back', code: error.code });
          },
        };
      },
    };
  };
}

/** Tells of what an earlier process may have sent and nobody kept the answer of, as far as it is on record. */
export function interruptedLine(object: ManagedObject, memory: Pick<Memory, 'progress' | 'creation'>) {
  const { progress, creation } = memory;
  const reason = object.status?.conditions?.find(({ type }) => type === 'Synced')?.reason;
  const isUnclearCreation = creation.state === 'unclear' && reason !== 'OutcomeUnknown';
  // Whoever had an answer, and be it a refusal, wrote another reason after it.
  const isInTheMiddle = progress.pending.length > 0 && isUnderWay(object);
  if (!isUnclearCreation && !isInTheMiddle) return undefined;
  const changes = progress.pending.map((field) => ({ field, before: 'unknown', after: 'unknown' }));
  const deed = { step: undefined, changes, cause: 'Interrupted', afterUnclear: false } as const;
  return changeLineOf({ object, accountRef: undefined, id: progress.id }, deed, { outcome: 'unclear' });
}

/** Why each step of a plan would be made as things are. */
export function causesIn<T extends ManagedObject, F, S extends Step>(
  kind: Pick<ManagedKind<T, F, S>, 'outside'>,
  { object, memory }: Pick<Work<T>, 'object' | 'memory'>,
  plan: Plan<S>,
): (step: S) => ChangeCause {
  return causesOf(plan, circumstancesOf(object, memory, kind.outside ?? {}));
}

function circumstancesOf(object: ManagedObject, memory: Memory, outside: Circumstances['outside']): Circumstances {
  return {
    deleting: object.metadata.deletionTimestamp !== undefined,
    generation: object.metadata.generation ?? 0,
    settledGeneration: memory.settledGeneration,
    isInterrupted: memory.isInterrupted,
    isLost: memory.lost !== undefined,
    progress: memory.progress,
    outside,
  };
}

/** What is unclear stays so until the same request was answered. */
function noteUnclear(memory: Memory, { request, outcome, code }: WriteReport): void {
  if (outcome === 'unclear') memory.unclearWrites.add(request);
  else if (code !== 'challenge') memory.unclearWrites.delete(request);
}
