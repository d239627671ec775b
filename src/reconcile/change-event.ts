import type { ChangeCause, FieldChange } from './change.ts';
import type { ManagedObject } from './managed-object.ts';

/** The annotation of an Event that says what was changed and why, as JSON: a {@link ToldChange}. */
const CHANGE_ANNOTATION = 'edgeline.dev/change';

/** Characters of a value, fields, and steps: an Event is small. The log has all. */
const LONGEST_VALUE_CHARACTERS = 100;
const MOST_FIELDS = 12;
const MOST_STEPS = 24;

/** What an Event says of the writes it is about. Members are added to it; none changes its meaning or goes. */
export interface ToldChange {
  readonly cause: ChangeCause;
  /** Of the spec it was decided on. */
  readonly generation: number;
  /** Of what belongs to the resource at the service. */
  readonly id?: string | undefined;
  /** What was done, each by its name, in order; at most 24. */
  readonly steps: readonly string[];
  /** Values end after 100 characters. */
  readonly fields: readonly FieldChange[];
  /** How many more fields there are. */
  readonly more?: number | undefined;
  /** The hash of the plan that a person approved; absent where nobody had to. */
  readonly approval?: string | undefined;
}

/** The annotations of an Event about writes. Pure. */
export function changeAnnotations(
  object: ManagedObject,
  id: string | undefined,
  cause: ChangeCause,
  done: readonly { readonly do: string; readonly changes: readonly FieldChange[] }[],
  approval?: string,
): Record<string, string> {
  const fields = netChanges(done.flatMap(({ changes }) => changes));
  const more = fields.length - MOST_FIELDS;
  const told: ToldChange = {
    cause,
    generation: object.metadata.generation ?? 0,
    id,
    steps: done.slice(0, MOST_STEPS).map((step) => step.do),
    fields: fields.slice(0, MOST_FIELDS).map(({ field, before, after }) => ({
      field,
      before: brief(before),
      after: brief(after),
    })),
    ...(more > 0 && { more }),
    ...(approval !== undefined && { approval }),
  };
  return { [CHANGE_ANNOTATION]: JSON.stringify(told) };
}

/** What changed in the end: an address that was cleared to be set anew is one change. */
export function netChanges(changes: readonly FieldChange[]): FieldChange[] {
  const byField = new Map<string, FieldChange>();
  for (const change of changes) {
    const earlier = byField.get(change.field);
    byField.set(change.field, earlier ? { ...change, before: earlier.before } : change);
  }
  return [...byField.values()];
}

function brief(text: string): string {
  return text.length > LONGEST_VALUE_CHARACTERS ? `${text.slice(0, LONGEST_VALUE_CHARACTERS)}…` : text;
}
