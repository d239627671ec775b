import { adviceFor } from '../advice.ts';
import type { KindName } from '../kinds.ts';
import { OUTPUT_VERSION } from '../output.ts';
import type { Presence } from '../presence.ts';
import { conditionsOf, type Reported, type Standing } from '../standing.ts';
import { objectJson } from '../status/report.ts';
import { type ApprovalStory, type ApprovedPlan, approvalJson, approvalStoryOf } from './approval.ts';
import { comparisonOf } from './asked.ts';
import type { FieldComparison, References } from './compare.ts';

/** One event about the object. */
export interface SeenEvent {
  /** When it last happened. RFC 3339. */
  readonly at: string | undefined;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
}

/** All there is to say about one object. */
export interface Explanation {
  readonly standing: Standing;
  readonly presence: Presence;
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly since: string | undefined;
    readonly generation: number | undefined;
  }[];
  /** What it is at the service, and through which account; name and value. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly fields: readonly FieldComparison[];
  readonly drift: readonly { readonly field: string; readonly desired: string; readonly observed: string }[];
  /** Undefined: nothing was ever to be approved, as far as known. */
  readonly approval: ApprovalStory | undefined;
  /** Oldest first; undefined: they could not be read, and `eventsNote` says why. */
  readonly events: readonly SeenEvent[] | undefined;
  readonly eventsNote: string | undefined;
  /** What a person can do, the first thing first. */
  readonly next: readonly string[];
}

/** Puts together what was read of an object. Pure. */
export function explanationOf(read: {
  readonly kind: KindName;
  readonly object: Reported;
  readonly standing: Standing;
  readonly presence: Presence;
  readonly references: References;
  readonly events: readonly SeenEvent[] | undefined;
  readonly eventsNote?: string | undefined;
  /** As the events tell. */
  readonly approved?: ApprovedPlan | undefined;
  readonly askedAt?: string | undefined;
  /** The account that it uses, as far as that may be read. */
  readonly account?: Reported | undefined;
}): Explanation {
  const { kind, object, standing, presence } = read;
  const conditions = conditionsOf(object).map((condition) => ({
    type: condition.type,
    status: condition.status,
    reason: condition.reason,
    message: condition.message,
    since: condition.lastTransitionTime,
    generation: condition.observedGeneration,
  }));
  const compared = comparisonOf(kind, object, read.references);
  const isObserved = object.spec?.['managementPolicy'] === 'Observe';
  return {
    standing,
    presence,
    conditions,
    facts: factsOf(object),
    fields: isObserved ? compared.map(onlyObserved) : compared,
    drift: driftOf(object),
    approval: approvalStoryOf(object, read),
    events: read.events,
    eventsNote: read.eventsNote,
    next: nextOf(standing, presence, object, read.account),
  };
}

/** Nothing is to be written of what is only observed. */
function onlyObserved(field: FieldComparison): FieldComparison {
  const isOpen = ['changed', 'new', 'removed'].includes(field.difference);
  return isOpen ? { ...field, difference: 'observed' } : field;
}

function factsOf({ spec, status, metadata }: Reported): [string, string][] {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
  const member = (object: unknown, name: string): unknown =>
    typeof object === 'object' && object !== null
      ? Object.entries(object).find(([key]) => key === name)?.[1]
      : undefined;
  const account = status?.['accountRef'] ?? spec?.['accountRef'];
  const [accountKind, accountName] = [text(member(account, 'kind')), text(member(account, 'name'))];
  const used = text(member(status?.['budget'], 'used'));
  const limit = text(member(status?.['budget'], 'limit'));
  const reserved = text(member(status?.['budget'], 'reserved'));
  const more = reserved ? `, and ${reserved} more that it may send, or commands may have sent` : '';
  const resources = Object.entries(status?.['resources'] ?? {}).map(
    ([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`,
  );
  const pending = status?.['pending'];
  const found: [string, string | undefined][] = [
    ['ID at the service', text(status?.['id']) ?? text(status?.['siteID'])],
    ['Ownership', text(status?.['ownership'])],
    ['Account', accountName && `${accountKind}/${accountName}`],
    ['Service', text(spec?.['baseURL'])],
    [
      'Budget of the hour',
      used && limit && `${used} of ${limit} web acceleration requests used by the operator${more}`,
    ],
    ['Used by', resources.length > 0 ? resources.join(', ') : undefined],
    ['Policy', text(spec?.['managementPolicy'])],
    ['About to be written', Array.isArray(pending) ? pending.map(String).join(', ') : undefined],
    ['To be deleted since', text(metadata.deletionTimestamp)],
    ['Held by finalizers', metadata.deletionTimestamp && metadata.finalizers?.join(', ')],
  ];
  return found.flatMap(([name, value]) => (value ? [[name, value] satisfies [string, string]] : []));
}

function driftOf({ status }: Reported): Explanation['drift'] {
  const drift = status?.['drift'];
  if (!Array.isArray(drift)) return [];
  return drift.map((one) => ({
    field: String(one?.field),
    desired: String(one?.desired),
    observed: String(one?.observed),
  }));
}

/** What is told of a resource is of before, where nothing can be asked through its account. */
function unseenOf(account: Reported | undefined): string[] {
  const ready = account && conditionsOf(account).find(({ type }) => type === 'Ready');
  if (!account || ready?.status !== 'False') return [];
  const { kind, metadata } = account;
  return [
    `See to the ${kind} ${metadata.name}: it is not Ready (${ready.reason}) since ${ready.lastTransitionTime ?? 'some time ago'}, so what is told here may be as it was then.`,
  ];
}

/** Conditions that ask something of a person, though the object is Ready, unless they are True. */
const ASKING = ['Synced', 'WithinDataLimit', 'Online'];

function nextOf(standing: Standing, presence: Presence, object: Reported, account: Reported | undefined): string[] {
  const { kind, state, reason, advice, warning } = standing;
  const others = conditionsOf(object)
    .filter(({ type, status, reason: other }) => ASKING.includes(type) && status !== 'True' && other !== reason)
    .flatMap(({ reason: other }) => adviceFor(kind, other) ?? []);
  const next = [
    ...(presence.state === 'NotRunning'
      ? ['Have the operator run: nothing changes until it does (docs/troubleshooting.md, “Nothing happens at all”).']
      : []),
    ...unseenOf(account),
    ...(state === 'Ready' ? [] : advice === undefined ? [] : [advice]),
    ...others,
  ];
  if (warning !== undefined) next.push(`See to the warning: ${warning}`);
  if (next.length > 0) return [...new Set(next)];
  return [state === 'Ready' ? 'Nothing: it is Ready.' : 'Do what the message says.'];
}

/** The shape of `-o json`; docs/reference/cli.md describes it. */
export function explanationJson(explanation: Explanation): object {
  const { standing, presence, conditions, facts, fields, drift, approval, events, eventsNote, next } = explanation;
  return {
    apiVersion: OUTPUT_VERSION,
    kind: 'Explanation',
    operator: presence,
    object: objectJson(standing),
    facts: Object.fromEntries(facts),
    conditions: conditions.map(({ since, generation, ...rest }) => ({
      ...rest,
      since: since ?? null,
      observedGeneration: generation ?? null,
    })),
    fields: fields.map(({ spec, applied, note, ...rest }) => ({
      ...rest,
      spec: spec ?? null,
      applied: applied ?? null,
      note: note ?? null,
    })),
    drift,
    approval: approvalJson(approval),
    events: events?.map(({ at, ...rest }) => ({ at: at ?? null, ...rest })) ?? null,
    eventsNote: eventsNote ?? null,
    next,
  };
}
