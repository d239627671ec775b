import { isDeepStrictEqual } from 'node:util';
import { entryOf, isPartOf, type Progress } from './managed-object.ts';
import { isUndecided, type Plan, type Step } from './plan.ts';

/**
 * Writes that nobody answered, which may arrive as long as the service may hold a request: by entry of `pending`, the values that
 * were sent, in the terms of `applied`; undefined is one that nobody knows, and null was sent to unset it.
 */
export type LateWrites = ReadonlyMap<string, readonly unknown[]>;

/** Whether these `applied` have an entry of `pending`; parts of a list are told by `name`. */
function has(applied: Readonly<Record<string, unknown>>, text: string): boolean {
  const { field, part } = entryOf(text);
  const value = applied[field];
  if (part === undefined || !Array.isArray(value)) return value !== undefined;
  return value.some((one: unknown) => typeof one === 'object' && one !== null && 'name' in one && one.name === part);
}

/** The same with those of a step that nobody answered. Pure. */
export function withStep(
  late: LateWrites,
  { fields = [], pending = [], carries = [], clears = [] }: Step,
  applied: Readonly<Record<string, unknown>>,
): LateWrites {
  const partsOf = (field: string) => pending.filter((entry) => entry !== field && isPartOf(entry, field));
  const entries = [...fields, ...carries].flatMap((field) => {
    const parts = partsOf(field);
    return parts.length > 0 ? parts : [field];
  });
  // What is sent along only is as it was.
  const sent = [...new Set(entries)].filter((entry) => has(applied, entry) || fields.includes(entryOf(entry).field));
  const isCleared = (entry: string) => clears.includes(entryOf(entry).field) || !has(applied, entry);
  const valueOf = (entry: string) => (isCleared(entry) ? null : applied[entryOf(entry).field]);
  return new Map([...late, ...sent.map((entry) => [entry, [...(late.get(entry) ?? []), valueOf(entry)]] as const)]);
}

/** The same with the values of these entries, by field: of a field of which several were sent there is none. Pure. */
export function withLate(
  intended: Readonly<Record<string, unknown>> | undefined,
  late: LateWrites,
  entries: readonly string[],
): Readonly<Record<string, unknown>> {
  const values = Map.groupBy(entries, (entry) => entryOf(entry).field);
  const known = [...values].map(([field, of]) => {
    const [first, ...others] = of.flatMap((entry) => late.get(entry) ?? []);
    return [field, others.every((value) => isDeepStrictEqual(value, first)) ? first : undefined] as const;
  });
  return { ...intended, ...Object.fromEntries(known) };
}

/** The same without the fields of which another value may still arrive. Pure. */
export function withoutOthers(
  intended: Readonly<Record<string, unknown>> | undefined,
  late: LateWrites,
): Readonly<Record<string, unknown>> | undefined {
  if (!intended || late.size === 0) return intended;
  const isOnly = ([field, value]: [string, unknown]) =>
    [...late].every(([entry, sent]) => !isPartOf(entry, field) || sent.every((one) => isDeepStrictEqual(one, value)));
  return Object.fromEntries(Object.entries(intended).filter(isOnly));
}

/**
 * Those that nobody wants any more, and of which a write that nobody answered may still arrive: it would stay there, and
 * nothing would be left to say that it is to be unset. Of what is undecided nobody knows. Pure.
 */
export function unwantedOf(late: LateWrites, plan: Pick<Plan<Step>, 'applied' | 'undecided'>): string[] {
  return [...late]
    .filter(([entry, values]) => !isUndecided(plan, entry) && !has(plan.applied, entry) && mayBeSet(values))
    .map(([entry]) => entry);
}

/** What is unset late is as it is wanted where nobody wants it. */
const mayBeSet = (values: readonly unknown[]) => values.some((value) => value !== null);

/**
 * Those that are wanted, but not with every value that may still arrive: it would replace the one that was set since.
 * `isThere`: the service has just that value, and what wants it is told otherwise by what the service adds to it. Pure.
 */
export function supersededOf(
  late: LateWrites,
  plan: Pick<Plan<Step>, 'applied' | 'undecided'>,
  isThere: (entry: string, value: unknown) => boolean,
): string[] {
  return [...late]
    .filter(([entry]) => !isUndecided(plan, entry) && has(plan.applied, entry))
    .filter(([entry, values]) => {
      const wanted = plan.applied[entryOf(entry).field];
      return values.some((value) => !isDeepStrictEqual(value, wanted) && !isThere(entry, value));
    })
    .map(([entry]) => entry);
}

/** The same when they can arrive no more: what the spec wants is as it says, or put right. Pure. */
export function withoutWanted(late: LateWrites, plan: Pick<Plan<Step>, 'applied' | 'undecided'>): LateWrites {
  const isOpen = (entry: string, values: readonly unknown[]) => !has(plan.applied, entry) && mayBeSet(values);
  return new Map([...late].filter(([entry, values]) => isUndecided(plan, entry) || isOpen(entry, values)));
}

/** Whether a plan unsets, or sets, what an entry is about. Pure. */
export function isPlanned(text: string, { steps }: Pick<Plan<Step>, 'steps'>): boolean {
  const { field, part } = entryOf(text);
  return steps.some(({ fields = [], pending = [] }) => {
    return fields.includes(field) && (part === undefined || pending.includes(text));
  });
}

/** Whether an entry is on record as applied, by this resource itself. Pure. */
export function isRecorded({ applied, found = [] }: Pick<Progress, 'applied' | 'found'>, text: string): boolean {
  return has(applied, text) && !found.includes(entryOf(text).field);
}
