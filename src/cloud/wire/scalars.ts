import * as z from 'zod';

/*
 * The service's scalars as they really arrive: IDs and numbers as numbers or strings, `null`, `""` or nothing for an
 * unset value, `[]` for an empty object. Each reader settles on one form. What is wrong becomes an issue that never
 * holds the value.
 */

type Context = z.core.$RefinementCtx;

function wrong(context: Context, expected: string): typeof z.NEVER {
  context.addIssue({ code: 'custom', message: `expected ${expected}`, input: undefined });
  return z.NEVER;
}

/** An identifier: a string, or a number as the Extended dialect sends it. Required. */
export const id = z.transform((value: unknown, context): string => {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  return wrong(context, 'an ID');
});

/** A text that may be missing: undefined for null, nothing and "". */
export const text = z.transform((value: unknown, context): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return String(value);
  return wrong(context, 'a string');
});

/** A number, or a string of one; undefined for null, nothing and "". */
export const number = z.transform((value: unknown, context): number | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  // JSON has numbers that are too large for any, as 1e999.
  const parsed = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(parsed) ? parsed : wrong(context, 'a number');
});

/** The last moment that there is a date of; milliseconds since the Unix epoch. */
const LAST_MOMENT = 8.64e15;

/** A time in milliseconds since the Unix epoch, of which there is a date; undefined for null, nothing and "". */
export const moment = z.transform((value: unknown, context): number | undefined => {
  const parsed = number.safeParse(value);
  const isMoment = parsed.success && Math.abs(parsed.data ?? 0) <= LAST_MOMENT;
  return isMoment ? parsed.data : wrong(context, 'a time in milliseconds');
});

/** A boolean, also as `True`/`False`, `true`/`false`, 0/1; undefined for null, nothing and "". */
export const flag = z.transform((value: unknown, context): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null || value === '') return undefined;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : '';
  if (word === 'true' || word === '1') return true;
  if (word === 'false' || word === '0') return false;
  return wrong(context, 'a boolean');
});

/** A datetime as it came; undefined for null, nothing, "" and the zero date that clients send. */
export const datetime = z.transform((value: unknown, context): string | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') return wrong(context, 'a datetime');
  return value.startsWith('0001-01-01') ? undefined : value;
});

/** An object that may be missing: undefined for null, nothing, "" and the `[]` that stands for an empty object. */
export function maybe<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return z.preprocess(
    (value) => (value === null || value === '' || (Array.isArray(value) && value.length === 0) ? undefined : value),
    schema.optional(),
  );
}

/**
 * A member that an answer must have: without it the answer says nothing, rather than that there is none. How what is
 * unset looks is up to the schema.
 */
export function present<T>(schema: z.ZodType<T>, expected = 'the member'): z.ZodType<T> {
  const given = z.transform((value: unknown, context): unknown =>
    value === undefined ? wrong(context, expected) : value,
  );
  // The last step makes the member count as required: of an optional one that is absent no issue is kept.
  return given.pipe(schema).pipe(z.transform((value: T) => value));
}

/** `true`, which every success says (`api.md`, Common response members). */
export const ok = z.transform((value: unknown, context): true => (value === true ? value : wrong(context, 'true')));

/** A list; empty for null, nothing and "". Elements that are null are left out. */
export function list<T>(schema: z.ZodType<T>): z.ZodType<T[]> {
  const array = z.array(schema);
  return z.preprocess((value) => {
    if (value === null || value === undefined || value === '') return [];
    return Array.isArray(value) ? value.filter((element) => element !== null) : value;
  }, array);
}
