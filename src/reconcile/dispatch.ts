import { Annotation, isPaused, isSet } from './annotations.ts';
import { createConvergence } from './converge.ts';
import { EventReason } from './events.ts';
import { ownFinalizer } from './finalizer.ts';
import { nextFreshness } from './freshness.ts';
import { hasNewInputs } from './inputs.ts';
import { letGoMessage } from './letting-go.ts';
import type { ManagedObject } from './managed-object.ts';
import { begunIn, type Memory, recordedAccount } from './memory.ts';
import { isLeftBehind, isReadyNow, isSettled, waitTold } from './object-state.ts';
import type { Hold, Step } from './plan.ts';
import type { Result } from './reconciler.ts';
import { createRemoval } from './remove.ts';
import { createSuspension } from './suspend.ts';
import type { Tools } from './tools.ts';
import { urgencyOf } from './urgency.ts';
import { nextWait } from './wait.ts';
import type { Work } from './work.ts';

/** How soon it is looked again whether this installation has the account of a resource. */
const NOT_HELD_MILLISECONDS = 1000;
/** So long a watch may take to bring that what was released is gone; then it is looked at as it is shown. Milliseconds. */
const RELEASED_MILLISECONDS = 60_000;

/** What a pass begins with, before it is known which account it works with. */
type Begun<T extends ManagedObject> = Pick<Work<T>, 'key' | 'object' | 'memory' | 'signal' | 'slot' | 'onDoubt'>;

/** Decides what a pass over one resource is for: to let it alone, to delete it, or to bring it towards its spec. */
export function createDispatch<T extends ManagedObject, F, S extends Step>(tools: Tools<T, F, S>) {
  const { kind, engine, writes, end, failedToRead, release, resync } = tools;
  const converge = createConvergence(tools);
  const { remove, letGo } = createRemoval(tools);
  const { abandon, pause } = createSuspension(tools);

  return async function reconcileObject(begun: Begun<T>): Promise<Result> {
    const { object: seen, memory } = begun;
    const deleting = seen.metadata.deletionTimestamp !== undefined;
    if (deleting && !ownFinalizer(seen)) return { requeue: 'never' };
    const released = deleting ? untilLookedAt(seen, memory) : 0;
    if (released > 0) return { requeue: 'after', milliseconds: released };
    if (!deleting) memory.isLetGo = false;
    if (isSet(seen, Annotation.abandon)) return abandon(seen, memory);
    // Of what was abandoned and is taken back only the status tells, and it is about to be written anew.
    const isTakenBack = memory.creation.state === 'unclear' && !ownFinalizer(seen);
    const object = isTakenBack ? await writes.finalizer(seen, 'create') : seen;
    const recorded = recordedAccount(object, memory);
    const account = [object.metadata.namespace ?? '', object.spec, recorded] as const;
    const resolve = () => {
      const isKnown = memory.accountRef !== undefined && recorded === memory.accountRef;
      const unclear = isKnown ? undefined : engine.accounts.unclear(object);
      return unclear ? { hold: unclear } : engine.accounts.resolve(...account);
    };

    const pausedBy = engine.accounts.pausedBy(...account);
    if (isPaused(object) || pausedBy !== undefined) {
      return pause(object, memory, pausedBy, () => {
        const resolved = resolve();
        return 'session' in resolved ? workOn({ ...begun, object }, resolved) : undefined;
      });
    }
    const isLeft = deleting && isLeftBehind(object, memory.progress.ownership);
    if (isLeft && memory.creation.state !== 'unclear') {
      const message = letGoMessage(memory.progress.id, [], kind.stateToTell?.(object));
      return release(object, memory, EventReason.Orphaned, message);
    }
    const { wait } = memory;
    memory.wait = nextWait(wait, { type: 'handled' });
    const resolved = resolve();
    if (wait.state === 'failed') {
      if (!('session' in resolved)) throw wait.waitError;
      return failedToRead(workOn({ ...begun, object }, resolved), wait.waitError);
    }
    if ('hold' in resolved) {
      // What was seen while the account could be used may be of long ago when it can be used again.
      memory.freshness = nextFreshness(memory.freshness, { type: 'changed', at: engine.clock.monotonic() });
      return (await isNoNews(object, memory, resolved.hold)) ? resync() : end(object, memory, { hold: resolved.hold });
    }
    // Nothing may be sent, as long as another installation may have the account, and its session is about to be closed.
    const isHeld = engine.holds(object.metadata.namespace ?? '', resolved.accountRef);
    if (!isHeld) return { requeue: 'after', milliseconds: NOT_HELD_MILLISECONDS };
    const { leaving, isGone } = resolved;
    const isNothingYet = memory.progress.id === undefined && !ownFinalizer(object);
    if (leaving && !deleting && (isGone || isNothingYet)) return end(object, memory, { hold: leaving });
    const work = workOn({ ...begun, object }, resolved);
    if (isLeft) return letGo(work);
    return deleting ? remove(work) : converge(work);
  };

  /** What this process let Kubernetes have is shown as it was for a while: how long until that is looked at. Milliseconds. */
  function untilLookedAt({ metadata }: T, { releasedFrom }: Memory): number {
    if (releasedFrom?.resourceVersion !== metadata.resourceVersion) return 0;
    return releasedFrom.at + RELEASED_MILLISECONDS - engine.clock.monotonic();
  }

  function workOn(
    begun: Begun<T>,
    resolved: Pick<Work<T>, 'session' | 'accountRef'> & Partial<Pick<Work<T>, 'leaving' | 'unrecorded'>>,
  ): Work<T> {
    const { memory, object, slot } = begun;
    const { session, accountRef, leaving, unrecorded } = resolved;
    const unfinished = begunIn(memory.unfinished, slot.number);
    memory.unfinished = unfinished;
    memory.accountRef = accountRef;
    const { failedBefore } = memory.inputs;
    const isSame = failedBefore?.generation === object.metadata.generation;
    const turn = {
      urgency: urgencyOf(kind, object),
      began: unfinished.pass,
      ...(isSame && { failedBefore }),
    };
    return { ...begun, finalizer: undefined, turn, session, accountRef, leaving, unrecorded, check: () => undefined };
  }

  /** Whether the account's own status says all there is to say: the resource is Ready, and nobody waits for anything new. */
  async function isNoNews(object: T, memory: Memory, hold: Hold<string>): Promise<boolean> {
    // A Secret that changed is not served yet, which is to be reported.
    if (!hold.keepsReady || hasNewInputs(memory.inputs) || memory.isHalfWay || memory.isBackUntold) return false;
    // What was sent has not been seen since.
    if (memory.unfinished.wrote) return false;
    if (object.metadata.deletionTimestamp !== undefined || !isReadyNow(object)) return false;
    // What it says it waits for is not what it waits for.
    if (![undefined, hold.message].includes(waitTold(object))) return false;
    // One that changed before this process began was no news to it.
    return !isSettled(object) || (await kind.isAsRecorded?.(object)) !== false;
  }
}
