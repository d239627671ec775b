import { EdgelineError } from '../errors.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { Annotation, isPaused, isSet } from './annotations.ts';
import { type Asking, askingOf } from './approval.ts';
import type { Engine } from './engine.ts';
import { ownFinalizer } from './finalizer.ts';
import type { ManagedKind } from './kind.ts';
import type { AccountRef, ManagedObject } from './managed-object.ts';
import { recordedAccount } from './memory.ts';
import type { Step } from './plan.ts';
import type { AccountSession } from './session.ts';
import type { Work } from './work.ts';

/** What led to a call is no longer so: nothing was sent, and the resource is looked at anew. */
export class DecisionOutdatedError extends EdgelineError {
  readonly code = 'DecisionOutdated';

  constructor(what: string) {
    super(`not sent: ${what} while the call waited for its turn`, 'Nothing: the resource is looked at again at once.');
  }
}

/** As above: somebody took our finalizer off meanwhile. Deleted just then, the resource would leave behind what is made for it. */
export class FinalizerLostError extends DecisionOutdatedError {
  readonly intent: 'create' | 'adopt';

  constructor(intent: 'create' | 'adopt') {
    super('its finalizer was taken off');
    this.intent = intent;
  }
}

/** What a decision was made of, as far as it can change while its calls wait for their turn. */
export interface Grounds {
  readonly object: ManagedObject;
  readonly session: AccountSession;
  /** The versions of the Secrets the resource names, in the order it names them; undefined where there is none. */
  readonly secretVersions: readonly (string | undefined)[];
  /** What of it needs approval. */
  readonly asking: Asking;
  /** What it is paused by, beside its own annotation. */
  readonly pausedBy?: string | undefined;
  /** The account takes on nothing new. */
  readonly isLeaving: boolean;
  /** This installation, and no other, acts for the resource and its account. */
  readonly isHeld: boolean;
}

/**
 * Which of its grounds a decision has lost; undefined while all hold. A call may wait for an hour, and meanwhile a person
 * may pause, edit, orphan, abandon or delete the resource, rotate a Secret, take the account away, or hand the namespace to
 * another installation. Pure.
 */
export function lostGround(before: Grounds, now: Partial<Grounds>): string | undefined {
  const { object } = now;
  if (object && now.isHeld !== true) return 'another installation may have taken the namespace over';
  if (object?.metadata.uid !== before.object.metadata.uid) return 'the resource went';
  if (isPaused(object)) return 'the resource was paused';
  if (now.pausedBy !== undefined) return `the ${now.pausedBy} was paused`;
  if (isSet(object, Annotation.abandon)) return 'the resource was abandoned';
  if (object.metadata.generation !== before.object.metadata.generation) return 'the resource was changed';
  if (object.metadata.deletionTimestamp !== before.object.metadata.deletionTimestamp) return 'the resource was deleted';
  const isOther = (annotation: string) =>
    object.metadata.annotations?.[annotation] !== before.object.metadata.annotations?.[annotation];
  if (isOther(Annotation.reconnectAt)) return 'another reconnect was asked for';
  if (isOther(Annotation.approve)) return 'its approval was changed';
  if (now.asking !== before.asking) return 'what of it needs approval was changed';
  if (now.session !== before.session) return 'the account was changed';
  if (now.isLeaving !== before.isLeaving) return 'the account was deleted';
  const isSame = before.secretVersions.every((version, index) => version === now.secretVersions?.[index]);
  return isSame ? undefined : 'a Secret was changed';
}

/** Makes, for a decision about to be made, what checks right before each of its calls that its grounds still hold. */
export function createGuards<T extends ManagedObject>(options: {
  readonly kind: Pick<ManagedKind<T, never, Step>, 'definition' | 'secretsOf'>;
  readonly informer: Pick<Informer<T>, 'get'>;
  readonly engine: Pick<Engine, 'accounts' | 'holds' | 'secretVersion'>;
}) {
  const { kind, informer, engine } = options;

  function secretVersions(object: T): Grounds['secretVersions'] {
    const { namespace = '' } = object.metadata;
    return kind.secretsOf(object).map((name) => engine.secretVersion(namespace, name));
  }

  function asking(object: T, recorded: AccountRef | undefined): Asking {
    const { metadata, spec } = object;
    const account = engine.accounts.approvalOf(metadata.namespace ?? '', spec, recorded);
    return askingOf(kind.definition.kind, object, account);
  }

  function groundsOf(object: T | undefined, recorded: AccountRef | undefined): Partial<Grounds> {
    if (!object) return {};
    const { namespace = '' } = object.metadata;
    const resolved = engine.accounts.resolve(namespace, object.spec, recorded);
    const pausedBy = engine.accounts.pausedBy(namespace, object.spec, recorded);
    const found = { object, asking: asking(object, recorded), secretVersions: secretVersions(object), pausedBy };
    if ('hold' in resolved) return { ...found, isHeld: true };
    const isLeaving = resolved.leaving !== undefined;
    return { ...found, session: resolved.session, isLeaving, isHeld: engine.holds(namespace, resolved.accountRef) };
  }

  return function guardOf(work: Pick<Work<T>, 'object' | 'finalizer' | 'session' | 'memory' | 'leaving'>): () => void {
    const { object, session, memory, leaving } = work;
    const recorded = recordedAccount(object, memory);
    const before: Grounds = {
      object,
      session,
      asking: asking(object, recorded),
      secretVersions: secretVersions(object),
      isLeaving: leaving !== undefined,
      isHeld: true,
    };
    return () => {
      const current = informer.get(object.metadata.namespace, object.metadata.name);
      const lost = lostGround(before, groundsOf(current, recorded));
      if (lost !== undefined) throw new DecisionOutdatedError(lost);
      const { finalizer } = work;
      if (current && finalizer && ownFinalizer(current) !== finalizer) throw new FinalizerLostError(finalizer);
    };
  };
}
