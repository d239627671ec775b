import { entryOf } from '../../reconcile/managed-object.ts';

/**
 * Whether the service has just the value of a field of `applied`, or the part of it that has this name; undefined: it does
 * not show that. A field without one does not compile.
 */
export type Comparisons<Applied, Observed> = {
  readonly [K in keyof Applied]-?: (
    value: NonNullable<Applied[K]>,
    observed: Observed,
    part: string | undefined,
  ) => boolean | undefined;
};

/** The same of an entry of `pending` (`field` or `field/part`), with a value that such a field of `applied` had. */
export function compared<Observed>(
  comparisons: Readonly<
    Record<string, (value: never, observed: Observed, part: string | undefined) => boolean | undefined>
  >,
  observed: Observed,
  entry: string,
  value: unknown,
): boolean | undefined {
  const { field, part } = entryOf(entry);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was planned for that field
  return comparisons[field]?.(value as never, observed, part);
}
