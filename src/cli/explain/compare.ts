import { isDeepStrictEqual } from 'node:util';

/** What a spec asks of one field that `status.applied` has, in the terms of the latter. */
export type Asked =
  /** The spec says nothing of it. */
  | undefined
  /** It can be compared; `as` is what the spec has, where that is something else. */
  | { readonly value: unknown; readonly as?: unknown }
  /** It can't, as a Secret that nobody reads here; `shown` is what the spec has, `why` says why not. */
  | { readonly shown: string; readonly why: string };

/** What the spec asks of each field of `applied`: a field without an entry does not compile. */
export type AskedFields<Spec, Applied> = {
  readonly [K in keyof Required<Applied>]: (spec: Spec, references: References, applied: Applied) => Asked;
};

/** What names in a spec stand for at the service, as far as it was looked up. */
export interface References {
  /** Of the MobileGateway that a Sim names. */
  readonly gatewayID?: string | undefined;
  /** By name, of the Sims that routes name. */
  readonly simIDs?: ReadonlyMap<string, string> | undefined;
  /** By ID, the names of the objects of that kind, which people know: nobody knows the IDs. */
  readonly names?: ReadonlyMap<string, string> | undefined;
}

/**
 * One field that the spec asks for, or that was written before:
 * - `same`: what was written is what the spec asks.
 * - `changed`: something else was written last; it is to be written.
 * - `new`: it was never written.
 * - `removed`: it was written, and the spec does not ask for it any more: it is unset.
 * - `kept`: the same, but it was so before it was taken over, and stays.
 * - `held`: it is the same or something else, and the limit of the SIM's data keeps it from being so at the service.
 * - `unchangeable`: it differs, and the service has no way to change it.
 * - `observed`: it differs, and with `managementPolicy: Observe` nothing is written.
 * - `unknown`: it can't be told here.
 */
export interface FieldComparison {
  readonly field: string;
  readonly spec: string | undefined;
  readonly applied: string | undefined;
  readonly difference:
    | 'same'
    | 'changed'
    | 'new'
    | 'removed'
    | 'kept'
    | 'held'
    | 'unchangeable'
    | 'observed'
    | 'unknown';
  readonly note: string | undefined;
}

/** Compares what the spec asks with what was written last, field by field. Pure. */
export function compareFields<Spec, Applied extends object>(
  fields: AskedFields<Spec, Applied>,
  spec: Spec,
  applied: Applied,
  options: { readonly references: References; readonly found: readonly string[] },
): FieldComparison[] {
  const written: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(applied));
  const compared: FieldComparison[] = [];
  for (const field in fields) {
    const asked = fields[field](spec, options.references, applied);
    const before = written[field];
    if (asked === undefined && before === undefined) continue;
    compared.push(compareOne(field, asked, before, options));
  }
  return compared;
}

function compareOne(
  field: string,
  asked: Asked,
  before: unknown,
  { references, found }: { readonly references: References; readonly found: readonly string[] },
): FieldComparison {
  const wasFound = found.includes(field);
  const text = (value: unknown) => valueText(withNames(value, references.names));
  const applied = before === undefined ? undefined : text(before);
  if (asked === undefined)
    return { field, spec: undefined, applied, difference: wasFound ? 'kept' : 'removed', note: undefined };
  if ('why' in asked) {
    const difference = before === undefined ? 'new' : 'unknown';
    return { field, spec: asked.shown, applied, difference, note: difference === 'new' ? undefined : asked.why };
  }
  const spec = text(asked.as ?? asked.value);
  if (before === undefined) return { field, spec, applied, difference: 'new', note: undefined };
  const isSame = isDeepStrictEqual(plain(asked.value), plain(before));
  return { field, spec, applied, difference: isSame ? 'same' : 'changed', note: undefined };
}

/** The same, the name of its object before each ID of which it is known. */
function withNames(value: unknown, names: References['names']): unknown {
  if (Array.isArray(value)) return value.map((item) => withNames(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = Object.entries(value);
  const id = entries.find(([member]) => member === 'id' || member === 'resourceID')?.[1];
  const name = typeof id === 'string' ? names?.get(id) : undefined;
  return Object.fromEntries(name === undefined ? entries : [['name', name], ...entries]);
}

/** Without members that are undefined, which the apiserver does not store. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A value as a person reads it: `{ip: 10.0.0.1, mask: 24}`, `[a, b]`, `true`. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${name}: ${valueText(member)}`).join(', ')}}`;
  }
  return String(value);
}

/** Of a list whose order means nothing: the same in one order. */
export function inOrder<T>(list: readonly T[], key: (item: T) => string): T[] {
  return list.toSorted((a, b) => (key(a) < key(b) ? -1 : Number(key(a) > key(b))));
}
