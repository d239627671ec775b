import type { Urgency } from '../cloud/limiter/lanes.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { Annotation, isSet } from './annotations.ts';
import { createDispatch } from './dispatch.ts';
import { createDoubts } from './doubts.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import { nextFreshness } from './freshness.ts';
import { nextInputs } from './inputs.ts';
import type { ManagedKind } from './kind.ts';
import { leftBehindMessage } from './letting-go.ts';
import type { ManagedObject } from './managed-object.ts';
import { createMemories, recordedAccount } from './memory.ts';
import { isLeftBehind } from './object-state.ts';
import type { Step } from './plan.ts';
import { missingSince } from './progress.ts';
import { keyOf, type ObjectKey, parseKey, type Reconciler } from './reconciler.ts';
import { inputsOnRecord, isUnreadOnRecord } from './refused-before.ts';
import { interruptedLine } from './report-changes.ts';
import { createTools } from './tools.ts';
import { urgencyOf } from './urgency.ts';

/** The reconciler of one managed kind, with two ways to make a pass look harder. */
export interface ManagedReconciler extends Reconciler {
  readonly resource: Resource;
  /** How pressing the work on it is; undefined: there is no such object. */
  urgencyOf(key: ObjectKey): Urgency | undefined;
  /** Whether it has something at the service, as far as this process knows. */
  isBegun(key: ObjectKey): boolean;
  /** A refusal of the service no longer holds: a Secret changed, or a person asked. */
  reconsider(key: ObjectKey): void;
  /** Something about it changed: what waits for its turn meanwhile may be called off. */
  doubt(key: ObjectKey): void;
  /** The next pass reads details too. */
  audit(key: ObjectKey): void;
  /** It has gone from the cluster: says so where that leaves something behind that it made. */
  gone(object: ManagedObject): void;
  /** Somebody else may have worked on it: the next pass begins with what the status says. */
  forget(key: ObjectKey): void;
}

/** The loop all kinds share: gather, plan, act, status; finalizer, deletion, pause, events and the classes of errors. */
export function createManagedReconciler<T extends ManagedObject, F, S extends Step>(
  kind: ManagedKind<T, F, S>,
  informer: Informer<T>,
  engine: Engine,
): ManagedReconciler {
  const { fields, marks } = kind;
  // A certificate's Secret may have changed meanwhile, which is news, and waits for nothing.
  const waitsOverRestarts = kind.sharesHour === 'write';
  const memories = createMemories({
    engine,
    fields,
    marks,
    hidden: kind.hidden,
    inputsOf: waitsOverRestarts ? inputsOnRecord : undefined,
    isHalfWay: (progress) => kind.mayBeHalfWay?.(progress) === true,
    times: engine,
  });
  const tools = createTools(kind, informer, engine);
  const doubts = createDoubts();
  const reconcileObject = createDispatch(tools);
  const newest = (key: ObjectKey) => {
    const { namespace, name } = parseKey(key);
    return informer.get(namespace, name);
  };

  return {
    kind: kind.definition.kind,
    resource: kind.resource,

    urgencyOf(key) {
      const object = newest(key);
      return object && urgencyOf(kind, object);
    },

    isBegun: (key) => memories.peek(key)?.progress.id !== undefined,

    async reconcile(key, signal, slot) {
      tools.begin();
      const object = newest(key);
      if (!object) {
        memories.forget(key);
        return { requeue: 'never' };
      }
      const before = memories.peek(key);
      const memory = memories.recall(key, object);
      const isFirstSeen = memory !== before;
      // What an earlier process could not read is not known, though the status tells what it wrote before.
      const { id } = memory.progress;
      if (waitsOverRestarts && isFirstSeen && id !== undefined && isUnreadOnRecord(object)) kind.forget?.(object, id);
      const interrupted = isFirstSeen ? interruptedLine(object, memory) : undefined;
      if (interrupted) engine.onChange(interrupted);
      try {
        const result = await reconcileObject({ key, object, memory, signal, slot, onDoubt: doubts.on(key) });
        // Only the look that it asked for may come between a decision and what it decided.
        if (result.requeue !== 'waiting') memory.creationDecidedFor = undefined;
        return result;
      } catch (error) {
        memory.creationDecidedFor = undefined;
        if (signal.aborted) return tools.breakOff(key, memory);
        return tools.fail(key, memory, error, object.metadata.generation ?? 0);
      }
    },

    reconsider(key) {
      const memory = memories.peek(key);
      if (memory) memory.inputs = nextInputs(memory.inputs, { type: 'changed' });
    },

    doubt: doubts.tell,

    gone(object: T) {
      tools.taken(object.metadata.uid);
      const key = keyOf(kind.definition.kind, object.metadata);
      const memory = memories.peek(key);
      if (memory?.uid !== object.metadata.uid || memory.isLetGo) return;
      const { namespace = '', name } = object.metadata;
      // Whoever has its account by now may have let go of it.
      const account = recordedAccount(object, memory) ?? memory.accountRef;
      if (!account || !engine.holds(namespace, account)) return;
      const { id, ownership } = memory.progress;
      const mayBeThere = id !== undefined || memory.creation.state === 'unclear';
      if (!mayBeThere || isSet(object, Annotation.abandon) || isLeftBehind(object, ownership)) return;
      const what = id === undefined ? undefined : kind.called(object, id);
      const message = leftBehindMessage(kind.definition.kind, what, missingSince(memory.progress));
      engine.events.record({ object, type: 'Warning', reason: EventReason.LeftBehind, message });
      engine.log.warn({ kind: kind.definition.kind, namespace, name, reason: EventReason.LeftBehind }, message);
    },

    forget: (key) => (newest(key) ? memories.distrust(key) : memories.forget(key)),

    audit(key) {
      const memory = memories.peek(key);
      if (memory) memory.freshness = nextFreshness(memory.freshness, { type: 'doubted' });
    },
  };
}
