import { isPaused } from './annotations.ts';
import { unclearRecord } from './creation.ts';
import { EventReason } from './events.ts';
import { nextFreshness } from './freshness.ts';
import { nextInputs } from './inputs.ts';
import { abandonedMessage } from './letting-go.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import { shownNow } from './newest.ts';
import { abandonedHold, pausedHold } from './object-state.ts';
import type { Step } from './plan.ts';
import { withoutHidden } from './progress.ts';
import type { Result } from './reconciler.ts';
import type { Tools } from './tools.ts';
import type { Work } from './work.ts';

/** What is done for a resource that a person wants left alone. */
export function createSuspension<T extends ManagedObject, F, S extends Step>(tools: Tools<T, F, S>) {
  const { kind, informer, engine, writeOutcome, release, takeBack, look } = tools;
  const newest = (object: T) => shownNow(informer, object);

  /** `edgeline.dev/abandon`: takes the finalizer off, and says so. */
  async function abandon(object: T, memory: Memory): Promise<Result> {
    const deleting = object.metadata.deletionTimestamp !== undefined;
    kind.giveUp(object.metadata.uid);
    memory.progress = withoutHidden(memory.progress, kind.hidden);
    // Without the finalizer nothing else would tell that something may have been made, and taken back it would be made twice.
    const creationUnclear = deleting ? undefined : unclearRecord(memory.creation);
    if (creationUnclear) await writeOutcome(object, memory, { hold: abandonedHold, creationUnclear });
    const message = abandonedMessage(memory.progress.id, memory.creation.state === 'unclear');
    const released = await release(newest(object), memory, EventReason.Orphaned, message);
    if (!deleting) await writeOutcome(newest(object), memory, { hold: abandonedHold, creationUnclear });
    return released;
  }

  /**
   * `edgeline.dev/paused`, on the resource or on what `pausedBy` names: nothing is changed. `begin` is what a look at the
   * resource begins with, where its account can be used.
   */
  async function pause(
    object: T,
    memory: Memory,
    pausedBy: string | undefined,
    begin: () => Work<T> | undefined,
  ): Promise<Result> {
    const deleting = object.metadata.deletionTimestamp !== undefined;
    // It may be paused before what was not sent was taken back.
    const current = deleting ? object : await takeBack(object, memory);
    const work = memory.isHalfWay || memory.isBackUntold ? begin() : undefined;
    const seen = work && (await look(work, kind.plan));
    await writeOutcome(current, memory, {
      ...seen,
      hold: pausedHold(deleting, isPaused(object) ? undefined : pausedBy),
    });
    // What was seen before the pause may be of long ago when it ends.
    memory.freshness = nextFreshness(memory.freshness, { type: 'changed', at: engine.clock.monotonic() });
    memory.inputs = nextInputs(memory.inputs, { type: 'paused' });
    return { requeue: 'never' };
  }

  return { abandon, pause };
}
