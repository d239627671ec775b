import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { inTime } from '../in-time.ts';
import type { KindName } from '../kinds.ts';

/** `events.k8s.io/v1`, as far as it is looked at. Whoever may write events writes this: nothing in it is certain. */
export interface StoredEvent extends KubernetesObject {
  readonly reason?: string;
  readonly note?: string;
  readonly eventTime?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string } | null;
  readonly regarding?: {
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  };
}

/** What the operator did for one object, as an Event tells it. */
export interface Change {
  /** When it happened last, RFC 3339. */
  readonly at: string;
  readonly kind: KindName;
  readonly namespace: string;
  readonly name: string;
  /** Of the Event. */
  readonly reason: string;
  readonly message: string;
  /** How often within ten minutes. */
  readonly count: number;
  /** Undefined: an older version of the operator told it, without this and what follows. */
  readonly cause: string | undefined;
  readonly generation: number | undefined;
  readonly id: string | undefined;
  readonly steps: readonly string[];
  readonly fields: readonly ChangedField[];
  /** How many more fields there are. */
  readonly more: number;
  /** The hash of the plan that a person approved; undefined where nobody had to. */
  readonly approval: string | undefined;
}

export interface ChangedField {
  readonly field: string;
  readonly before: string;
  readonly after: string;
}

/** The annotation by which Events tell of writes (src/reconcile/change-event.ts). */
const CHANGE_ANNOTATION = 'edgeline.dev/change';
/** As many steps and fields as the operator writes into it. */
const MOST_STEPS = 24;
const MOST_FIELDS = 12;
/** Reasons of Events that older versions told writes with, without the annotation. */
const WRITES: ReadonlySet<string> = new Set(['Created', 'Updated', 'DriftCorrected', 'Deleted']);

/** The changes that events tell of, of these kinds and not before a moment (milliseconds since the epoch); newest last. Pure. */
export function changesIn(
  events: readonly StoredEvent[],
  asked: { readonly kinds: readonly KindName[]; readonly after: number },
): Change[] {
  return events
    .flatMap((event) => changeIn(event, asked.kinds) ?? [])
    .filter(({ at }) => Date.parse(at) >= asked.after)
    .toSorted((one, other) => inTime(one.at, other.at));
}

function changeIn(event: StoredEvent, kinds: readonly KindName[]): Change | undefined {
  const { metadata, regarding, series, eventTime, reason = '', note = '' } = event;
  const kind = kinds.find((one) => one === regarding?.kind);
  const at = series?.lastObservedTime ?? eventTime ?? metadata.creationTimestamp ?? undefined;
  const told = toldIn(metadata.annotations?.[CHANGE_ANNOTATION]);
  if (!kind || at === undefined || Number.isNaN(Date.parse(at)) || !(told || WRITES.has(reason))) return undefined;
  return {
    at,
    kind,
    namespace: regarding?.namespace ?? metadata.namespace ?? '',
    name: regarding?.name ?? '',
    reason,
    message: note,
    count: series?.count ?? 1,
    ...(told ?? untold),
  };
}

type Told = Pick<Change, 'cause' | 'generation' | 'id' | 'steps' | 'fields' | 'more' | 'approval'>;

const untold: Told = {
  cause: undefined,
  generation: undefined,
  id: undefined,
  steps: [],
  fields: [],
  more: 0,
  approval: undefined,
};

/** Reads the annotation as far as it is what it should be. */
function toldIn(text: string | undefined): Told | undefined {
  const told = parsed(text);
  const cause = textOf(told['cause']);
  if (cause === undefined) return undefined;
  return {
    cause,
    generation: numberOf(told['generation']),
    id: textOf(told['id']),
    steps: listOf(told['steps'])
      .slice(0, MOST_STEPS)
      .flatMap((step) => textOf(step) ?? []),
    fields: listOf(told['fields'])
      .slice(0, MOST_FIELDS)
      .flatMap((one) => fieldOf(membersOf(one)) ?? []),
    more: numberOf(told['more']) ?? 0,
    approval: textOf(told['approval']),
  };
}

/** The hash of the plan that a person approved, as the annotations of an Event have it; undefined where they have none. */
export function approvalIn(annotations: Readonly<Record<string, string>> | undefined): string | undefined {
  return toldIn(annotations?.[CHANGE_ANNOTATION])?.approval;
}

function fieldOf(members: Readonly<Record<string, unknown>>): ChangedField | undefined {
  const [field, before, after] = [textOf(members['field']), textOf(members['before']), textOf(members['after'])];
  if (field === undefined || before === undefined || after === undefined) return undefined;
  return { field, before, after };
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
