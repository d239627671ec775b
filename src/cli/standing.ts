import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';
import { adviceFor } from './advice.ts';
import type { Kind, KindName } from './kinds.ts';

/** An object of any kind, as far as it says how it is. Whoever may write a status writes this: nothing in it is certain. */
export interface Reported extends KubernetesObject {
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown> & {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

/**
 * How an object is:
 * - `Ready`: it works, as the spec is now.
 * - `NotSynced`: it works, and the service differs from the spec, or changes through the account are held.
 * - `Changing`: it works as the spec was before; the change to it waits.
 * - `NotReady`: it does not work.
 * - `Outdated`: its status is of an older generation, and nothing is known of the present one.
 * - `NotSeen`: the operator has not said anything about it.
 * - `Deleting`: it is being deleted.
 */
export type State = 'Ready' | 'NotSynced' | 'Changing' | 'NotReady' | 'Outdated' | 'NotSeen' | 'Deleting';

/** For whom or what an object waits. */
export interface Waiting {
  readonly for: 'operator' | 'person';
  /** How many others are before it. */
  readonly others?: number;
  /** When it goes on, or is known. */
  readonly until?: string;
}

/** What is to be said about one object. */
export interface Standing {
  readonly kind: KindName;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly state: State;
  /** Of the condition that holds it, or that says it is Ready; empty where there is none. */
  readonly reason: string;
  readonly message: string;
  /** What Ready warns of, which is carried out all the same; undefined: of nothing. */
  readonly warning: string | undefined;
  /** When it became so; undefined where nothing tells. RFC 3339. */
  readonly since: string | undefined;
  readonly waiting: Waiting | undefined;
  /** What a person can do. */
  readonly advice: string | undefined;
  readonly generation: number | undefined;
  readonly observedGeneration: number | undefined;
}

/** How messages name the time at which an object goes on: those of holds with a `retryAfterSeconds`. */
const UNTIL =
  /(?:continues at(?: about)?|again at|next time is at|looked for until|not valid until) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/;
/** As `warnings.ts` of the operator writes it, at the end of a message. */
const WARNING = ' Warning: ';
/** As `report-queued.ts` writes it. */
const OTHERS = /^Waiting for its turn: (\d+) other/;

/** What a message warns of; undefined: of nothing. */
function warningIn(message: string): string | undefined {
  const at = ` ${message}`.indexOf(WARNING);
  return at < 0 ? undefined : message.slice(at + WARNING.length - 1);
}

/** Whether an object counts as ready: it works as its spec says now, though the service may differ in something else. */
export function isReady({ state }: Standing): boolean {
  return state === 'Ready' || state === 'NotSynced';
}

/** Whether nobody has to know of it: it is Ready, and nothing about it is odd. */
export function isSimplyReady({ state, warning }: Standing): boolean {
  return state === 'Ready' && warning === undefined;
}

/** What is to be said about an object. Pure. */
export function standingOf(kind: Kind, object: Reported): Standing {
  const { metadata } = object;
  const generation = metadata.generation;
  const conditions = conditionsOf(object);
  const observedGeneration = object.status?.observedGeneration;
  const ready = conditions.find(({ type }) => type === 'Ready');
  const synced = conditions.find(({ type }) => type === 'Synced');
  const base = {
    kind: kind.kind,
    namespace: metadata.namespace,
    name: metadata.name,
    generation,
    observedGeneration,
  };
  const braked = conditions.find(({ type, status }) => type === 'Braked' && status === 'True');
  const differs = synced !== undefined && synced.status !== 'True' ? synced : braked;
  const held = (ready?.status === 'True' ? differs : undefined) ?? ready;
  const told = (state: State, since: string | undefined): Standing => ({
    ...base,
    state,
    reason: held?.reason ?? '',
    message: held?.message ?? '',
    warning: ready && warningIn(ready.message),
    since,
    waiting: state === 'Ready' ? undefined : waitingOf(kind.kind, conditions, held),
    advice: held && adviceFor(kind.kind, held.reason),
  });
  const untold = {
    reason: '',
    warning: undefined,
    since: metadata.creationTimestamp,
    waiting: { for: 'operator' } as const,
  };
  const isBehind = generation !== undefined && (observedGeneration ?? ready?.observedGeneration ?? 0) < generation;

  if (metadata.deletionTimestamp !== undefined && !isBehind && ready)
    return told('Deleting', metadata.deletionTimestamp);
  if (metadata.deletionTimestamp !== undefined) {
    return {
      ...base,
      ...untold,
      state: 'Deleting',
      since: metadata.deletionTimestamp,
      message: 'It is to be deleted, and the operator has not said anything since.',
      advice: LOOK_AT_OPERATOR,
    };
  }
  if (!ready) {
    const message = 'The operator has not said anything about it.';
    return { ...base, ...untold, state: 'NotSeen', message, advice: LOOK_AT_OPERATOR };
  }
  if (isBehind) {
    const message = `The spec is generation ${generation}, and the operator has not said anything about it since generation ${observedGeneration ?? ready.observedGeneration ?? 0}; then: Ready=${ready.status}, ${ready.reason}.`;
    return { ...base, ...untold, state: 'Outdated', since: undefined, message, advice: LOOK_AT_OPERATOR };
  }
  if (ready.status !== 'True') return told('NotReady', ready.lastTransitionTime);
  const isOfBefore = (ready.observedGeneration ?? generation ?? 0) < (generation ?? 0);
  if (isOfBefore) return told('Changing', held?.lastTransitionTime);
  return told(held === ready ? 'Ready' : 'NotSynced', held?.lastTransitionTime);
}

const LOOK_AT_OPERATOR =
  'Nothing, if it was applied a moment ago; otherwise see whether the operator runs and looks after this namespace (docs/troubleshooting.md, “Nothing happens at all”).';

/** Its conditions; other writers may have left what is none. */
export function conditionsOf(object: Reported): readonly Condition[] {
  const { conditions } = object.status ?? {};
  if (!Array.isArray(conditions)) return [];
  return conditions.filter((one: Partial<Condition> | null) => typeof one?.type === 'string');
}

/** Reasons of what goes on by itself, but not before a person has made or put right what is named, or deleted what is in the way. */
const LEFT_TO_A_PERSON: ReadonlySet<string> = new Set([
  'AccountFull',
  'AccountNotFound',
  'AddressTaken',
  'ChatWebhookSecretMissing',
  'CredentialsRejected',
  'GatewayNotFound',
  'InUse',
  'NothingToObserve',
  'PassCodeKeyMissing',
  'PassCodeSecretNotFound',
  'ResourceIDNotFound',
  'SecretKeyMissing',
  'SimsStillRegistered',
  'SiteNotFound',
]);
/** Of reasons that also say what goes on by itself, how a message begins, or what it says, where it does not. */
const LEFT_MESSAGES: Readonly<Record<string, RegExp>> = {
  AccountNotReady: /only letting go is left/,
  GatewayNotReady: /is being deleted, which waits|waits for a person/,
  RouteWaitsForSim: /^The route to .* (?:this namespace has none of that name: |which its gatewayRef does not name)/,
  ServiceUnavailable: /its certificate is not trusted/,
};
/** What a certificate may wait for, for a controller makes it, nobody makes for an account. */
const LEFT_OF_ACCOUNTS: ReadonlySet<string> = new Set(['SecretNotFound']);

function isLeftToAPerson(kind: string, { reason, message }: Condition): boolean {
  if (LEFT_TO_A_PERSON.has(reason) || LEFT_MESSAGES[reason]?.test(message)) return true;
  return kind.endsWith('CloudAccount') && LEFT_OF_ACCOUNTS.has(reason);
}

function waitingOf(kind: string, conditions: readonly Condition[], held: Condition | undefined): Waiting {
  const holds = (type: string) => conditions.some((one) => one.type === type && one.status === 'True');
  const until = UNTIL.exec(held?.message ?? '')?.[1];
  const others = OTHERS.exec(held?.message ?? '')?.[1];
  return {
    // What is neither under way nor stalled is so because a person wants it, as what is paused.
    for: holds('Reconciling') && !holds('Stalled') && !(held && isLeftToAPerson(kind, held)) ? 'operator' : 'person',
    ...(others !== undefined && { others: Number(others) }),
    ...(until !== undefined && { until }),
  };
}
