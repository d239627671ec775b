import type { Drift } from '../../reconcile/managed-object.ts';
import type { Hold, Plan, Step } from '../../reconcile/plan.ts';

/** What one aspect of a resource adds to its plan. Applied has the fields that the aspect plans. */
export interface Part<S extends Step, Applied, Reason extends string> {
  readonly steps?: readonly S[];
  readonly drift?: readonly Drift[];
  readonly applied?: Applied;
  readonly hold?: Hold<Reason>;
  /** Of these nothing can be said now: see `Plan`. */
  readonly undecided?: readonly (keyof Applied & string)[];
  /** See `Plan`. */
  readonly moot?: readonly string[];
  readonly unsynced?: { readonly reason: Reason; readonly message: string };
  readonly warnings?: readonly string[];
}

/**
 * Who plans each field of `applied`: one that nobody plans does not compile. Fields that are planned together have the
 * same planner. Planners are asked in the order in which they first appear.
 */
export type Planners<Applied, Input extends readonly unknown[], AnyPart> = {
  readonly [K in keyof Applied]-?: (
    ...input: Input
  ) => Omit<AnyPart, 'applied'> & { readonly applied?: Pick<Applied, K> };
};

/** The parts of all planners, of each once. */
export function partsOf<AnyPart, Input extends readonly unknown[]>(
  planners: Readonly<Record<string, (...input: Input) => AnyPart>>,
  ...input: Input
): AnyPart[] {
  return [...new Set(Object.values(planners))].map((plan) => plan(...input));
}

/** The fields that planners plan. */
export function fieldsOf<Field extends string>(planners: Readonly<Record<Field, unknown>>): readonly Field[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a table of planners has no other keys
  return Object.keys(planners) as Field[];
}

/** Parts as one, in their order. The first hold, and the first wish that can't be granted, is the one that shows. */
export function combine<S extends Step, Applied, Reason extends string>(
  ...parts: readonly Part<S, Applied, Reason>[]
): Plan<S, Applied, Reason> & Pick<Part<S, Applied, Reason>, 'undecided'> {
  const hold = parts.find((part) => part.hold)?.hold;
  const unsynced = parts.find((part) => part.unsynced)?.unsynced;
  const warnings = parts.flatMap((part) => part.warnings ?? []);
  const undecided = parts.flatMap((part) => part.undecided ?? []);
  const moot = parts.flatMap((part) => part.moot ?? []);
  return {
    steps: parts.flatMap((part) => part.steps ?? []),
    drift: parts.flatMap((part) => part.drift ?? []),
    applied: Object.assign({}, ...parts.map((part) => part.applied)),
    ...(hold && { hold }),
    ...(undecided.length > 0 && { undecided }),
    ...(moot.length > 0 && { moot }),
    ...(unsynced && { unsynced }),
    ...(warnings.length > 0 && { warnings }),
  };
}
