import type { CommonSpec, ManagedObject } from '../../reconcile/managed-object.ts';

/** Where a field of a status comes from; T is the resource, S what the list shows of its counterpart. */
export type Source<T extends ManagedObject, S> =
  /** Each list shows it. `isTold`: the status tells what this list shows. */
  | { readonly from: 'list'; readonly isTold: (status: NonNullable<T['status']>, seen: S, object: T) => boolean }
  /** Only a reading of the object shows it; each is read in turn. */
  | { readonly from: 'details' }
  /** It never changes while the object is the same. */
  | { readonly from: 'identity' };

/** How a field of the spec that differs at the service is noticed. */
export type Sight<StatusField extends string> =
  | {
      /** The field of the status that shows it, and with that how fast. */
      readonly in: StatusField;
      /** Shown in the Extended dialect only. */
      readonly only?: 'Extended';
      /** Where it is not put right as everything else is: what happens instead. */
      readonly instead?: string;
    }
  /** The service never shows it. */
  | { readonly in: 'nothing'; readonly instead: string }
  /** Not a setting of the service. */
  | { readonly in: 'spec'; readonly instead: string };

type Whole = string | number | boolean | readonly unknown[] | { readonly name: string };

/** The fields of a spec, members of objects each with their path; references to other resources are one field. */
export type FieldOf<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends Whole ? K : `${K}.${FieldOf<NonNullable<T[K]>>}`;
}[keyof T & string];

/** The fields of a kind's own spec. */
export type SpecField<T extends { spec: object }> = FieldOf<Omit<T['spec'], keyof CommonSpec>>;

/** Of one kind, whose items in a list are I: how drift of each field is noticed. A field without a row does not compile. */
export interface DriftTable<T extends ManagedObject, I, Spec extends string, Status extends string, S = I> {
  readonly spec: Readonly<Record<Spec, Sight<Status>>>;
  readonly status: Readonly<Record<Status, Source<T, S>>>;
  /** What the rows look at, made once of each item. */
  readonly seen: (item: I) => S;
  /** What each list shows in another way, though nothing was done; absent: nothing. */
  readonly moving?: {
    /** Whether two items are the same but for that. */
    readonly isSame: (a: I, b: I) => boolean;
    /** Whether the status tells of it what this item shows. */
    readonly isTold: (status: NonNullable<T['status']>, item: I, object: T) => boolean;
  };
}

/** Makes the function that says whether a status tells all that a list shows, which is pure. */
export function tellsAll<T extends ManagedObject, I, S>(
  table: Pick<DriftTable<T, I, string, string, S>, 'status'>,
): (object: T, status: NonNullable<T['status']>, seen: S) => boolean {
  const sources = Object.values(table.status).flatMap((source) => (source.from === 'list' ? source.isTold : []));
  return (object, status, seen) => sources.every((isTold) => isTold(status, seen, object));
}
