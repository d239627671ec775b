import { brake } from './brake.ts';
import { changeAnnotations } from './change-event.ts';
import { nextCreation } from './creation.ts';
import { EventReason } from './events.ts';
import { ownFinalizer } from './finalizer.ts';
import { letGoMessage } from './letting-go.ts';
import type { ManagedObject } from './managed-object.ts';
import { isLeftBehind } from './object-state.ts';
import type { Step } from './plan.ts';
import { MISSING_MARK, without } from './progress.ts';
import type { Result } from './reconciler.ts';
import { causesIn } from './report-changes.ts';
import { afterSight } from './restored.ts';
import { sentenceOf } from './summary.ts';
import { MOST_ROUNDS, type Tools } from './tools.ts';
import { passOf, type Work } from './work.ts';

const isDeletion = (step: Step): boolean => step.do === 'delete';

/** The two ways in which a resource that is being deleted ends. */
export function createRemoval<T extends ManagedObject, F, S extends Step>(tools: Tools<T, F, S>) {
  const {
    kind,
    informer,
    engine,
    executePlan,
    guardOf,
    approval,
    awaitObservation,
    end,
    endFailed,
    release,
    putOnRecord,
  } = tools;

  /** No watch may have brought yet that somebody has called it off, and nothing brings back what is deleted. */
  async function isAsKnown({ metadata }: T): Promise<boolean> {
    const { namespace, name, resourceVersion } = metadata;
    const current = await engine.client.get<T>(kind.resource, namespace, name);
    if (current.metadata.resourceVersion === resourceVersion) return true;
    informer.put(current);
    return false;
  }

  /** Deletes what belongs to it at the service, then drops the finalizer. */
  async function remove(work: Work<T>): Promise<Result> {
    const { memory, accountRef } = work;
    work.finalizer = ownFinalizer(work.object);
    for (let round = 0; round < MOST_ROUNDS; round++) {
      work.check = guardOf(work);
      const gathered = await kind.gather(passOf(work, engine));
      if ('until' in gathered) return awaitObservation(work, gathered);
      if ('hold' in gathered && gathered.hold.leaves) {
        return release(work.object, memory, EventReason.Orphaned, gathered.hold.message);
      }
      if ('hold' in gathered) return end(work.object, memory, { accountRef, hold: gathered.hold });
      const { facts } = gathered;
      const found = kind.identify(facts);
      if (!found) return release(work.object, memory, EventReason.Deleted, 'Nothing is left of it at the service.');
      memory.progress = without([MISSING_MARK], afterSight(memory.progress, found, memory.lost));
      // After a crash it would be one of many that are missing, and it is about to be deleted.
      if (work.object.status?.missingSince !== undefined) await putOnRecord(work);
      memory.creation = nextCreation(memory.creation, { type: 'found' }, engine);
      if (isLeftBehind(work.object, memory.progress.ownership)) {
        const message = `Let go; ${found.id} stays at the service: nothing shows that this resource made it. With deletionPolicy: Delete it would have been deleted.`;
        return release(work.object, memory, EventReason.Orphaned, message);
      }
      const plan = kind.planDeletion(facts);
      const seen = { accountRef, facts, plan };
      if (plan.hold) return end(work.object, memory, seen);
      const answer = approval.ask(work, plan, causesIn(kind, work, plan));
      if ('hold' in answer) return end(work.object, memory, { ...seen, ...answer });
      const held = plan.steps.length > 0 ? await brake(engine, 'Deletion', work) : undefined;
      if (held) return end(work.object, memory, { ...seen, hold: held });
      if (answer.plan.steps.some(isDeletion) && !(await isAsKnown(work.object))) return { requeue: 'now' };
      const failed = await executePlan(work, facts, answer);
      if (failed) return endFailed(work, failed, seen, kind.planDeletion);
      const { steps } = answer.plan;
      if (steps.some(isDeletion)) {
        const annotations = changeAnnotations(work.object, found.id, 'Deletion', steps, answer.hash);
        const routine = answer.hash === undefined ? EventReason.Deleted : undefined;
        const message = sentenceOf(steps, kind.describe);
        return release(work.object, memory, EventReason.Deleted, message, { annotations, routine });
      }
    }
    return { requeue: 'backoff' };
  }

  /** Lets go of what an interrupted creation made, if it made something: a person has to know what goes on costing money. */
  async function letGo(work: Work<T>): Promise<Result> {
    const { object, memory, accountRef } = work;
    const gathered = await kind.gather(passOf(work, engine));
    if ('until' in gathered) return awaitObservation(work, gathered);
    if ('facts' in gathered) {
      return release(object, memory, EventReason.Orphaned, letGoMessage(kind.identify(gathered.facts)?.id));
    }
    const { hold } = gathered;
    if (hold.leaves) return release(object, memory, EventReason.Orphaned, hold.message);
    if (!hold.candidates) return end(object, memory, { accountRef, hold });
    return release(object, memory, EventReason.Orphaned, letGoMessage(undefined, hold.candidates));
  }

  return { remove, letGo };
}
