import * as z from 'zod';
import { badRequest } from './api-error.ts';
import { parseBody } from './parse.ts';
import { isObject } from './plain-object.ts';
import { readJSON } from './read-json.ts';
import { decoded } from './url-text.ts';

const filterValue = 'write a string, a number or a list of them';
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], filterValue);

const listSchema = z.object({
  From: z.int('write a whole number').nonnegative('write 0 or more').default(0),
  Count: z.int('write a whole number').nonnegative('write 0 or more').default(0),
  Sort: z.array(z.string('write a field name'), 'write a list of field names').default([]),
  Include: z.array(z.string('write a field path'), 'write a list of field paths').default([]),
  Filter: z
    .record(z.string(), z.union([scalar, z.array(z.union([scalar, z.array(scalar)]))], filterValue), 'write an object')
    .default({}),
});

export type ListQuery = z.infer<typeof listSchema>;

/** The JSON object in a query, raw or percent-encoded. A `+` is a plus. Undefined when there is no query. */
export function queryObject(query: string): unknown {
  if (query === '') return undefined;
  for (const text of [decoded(query), query]) {
    const read = readJSON(text);
    if ('value' in read) return read.value;
  }
  throw badRequest('the query: write the parameters as one JSON object, raw or percent-encoded');
}

/** Reads the parameters of a cloud list (`api.md`, Endpoints). */
export function listQuery(query: string): ListQuery {
  return parseBody(listSchema, queryObject(query));
}

/** One named parameter of an ordinary query (`?target=202601`); undefined when absent or empty. */
export function queryParameter(query: string, name: string): string | undefined {
  for (const part of query.split('&')) {
    const [key, value = ''] = part.split('=');
    if (key === name && value !== '') return decoded(value);
  }
  return undefined;
}

export interface Listing<T> {
  readonly items: readonly T[];
  /** The value of a field path such as `Status.ICCID`; undefined when there is no such field. */
  valueOf(item: T, path: string): unknown;
  /** The element as answered. */
  view(item: T, query: ListQuery): Record<string, unknown>;
}

/** A page of a list: filtered, sorted, cut and projected. `Total` counts what the filter lets through. */
export function listPage<T>(
  listing: Listing<T>,
  query: ListQuery,
  member: string,
  pageLimit: number,
): Record<string, unknown> {
  const matches = filterOf(query.Filter);
  let items = listing.items;
  if (matches.length > 0) {
    items = items.filter((item) => matches.every(({ path, test }) => test(listing.valueOf(item, path))));
  }
  if (query.Sort.length > 0) items = sorted(items, query.Sort, listing);
  const count = query.Count === 0 ? pageLimit : Math.min(query.Count, pageLimit);
  const page = items.slice(query.From, query.From + count);
  const all = query.Include.length === 0 || query.Include.includes('*');
  const paths = ['ID', ...query.Include].map((path) => path.split('.'));
  return {
    From: query.From,
    Count: page.length,
    Total: items.length,
    [member]: page.map((item, offset) => {
      const view = listing.view(item, query);
      const Index = query.From + offset;
      return all ? { Index, ...view } : projected(view, paths, { Index });
    }),
  };
}

interface Condition {
  readonly path: string;
  readonly test: (value: unknown) => boolean;
}

/** A scalar matches part of the value (each of its words), an array matches exactly any of its members; a list within it all of its own. */
function filterOf(filter: ListQuery['Filter']): Condition[] {
  return Object.entries(filter).map(([key, wanted]) => {
    const [, path = key, operator = ''] = /^(.*?)(>=|<=|>|<)?$/.exec(key) ?? [];
    if (operator !== '') {
      if (Array.isArray(wanted)) throw badRequest(`Filter.${key}: write one value`);
      return { path, test: (value) => compares(value, operator, wanted) };
    }
    if (Array.isArray(wanted)) {
      const any = new Set(wanted.filter((one) => !Array.isArray(one)).map(String));
      // A list within the list, as of tags: all of its members.
      const all = wanted.filter((one) => Array.isArray(one)).map((members) => members.map(String));
      return {
        path,
        test(value) {
          const there = values(value);
          return (
            there.some((one) => any.has(one)) || all.some((members) => members.every((one) => there.includes(one)))
          );
        },
      };
    }
    if (typeof wanted !== 'string') return { path, test: (value) => values(value).includes(String(wanted)) };
    const words = wanted
      .split(/%20|\s+/)
      .filter((word) => word !== '')
      .map((word) => word.toLowerCase());
    return {
      path,
      test: (value) => values(value).some((one) => words.every((word) => one.toLowerCase().includes(word))),
    };
  });
}

function values(value: unknown): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(text) : [text(value)];
}

function compares(value: unknown, operator: string, wanted: unknown): boolean {
  if (value === undefined || value === null) return false;
  const order = compare(value, wanted);
  switch (operator) {
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    default:
      return order === 0;
  }
}

function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  const [a, b] = [Number(one), Number(other)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  const [left, right] = [text(one ?? ''), text(other ?? '')];
  return left < right ? -1 : left > right ? 1 : 0;
}

function sorted<T>(items: readonly T[], keys: readonly string[], listing: Listing<T>): T[] {
  const paths = keys.map((key) => (key.startsWith('-') ? key.slice(1) : key));
  // Each value is read once, not at each comparison.
  const read = items.map((item) => ({ item, values: paths.map((path) => listing.valueOf(item, path)) }));
  read.sort((one, other) => {
    for (const [index, key] of keys.entries()) {
      const order = compare(one.values[index], other.values[index]);
      if (order !== 0) return key.startsWith('-') ? -order : order;
    }
    return 0;
  });
  return read.map(({ item }) => item);
}

function text(value: unknown): string {
  return isObject(value) ? JSON.stringify(value) : String(value);
}

/** Only the named paths of an object, put into `result`. */
function projected(
  view: Record<string, unknown>,
  paths: readonly (readonly string[])[],
  result: Record<string, unknown>,
): Record<string, unknown> {
  for (const parts of paths) {
    let [source, target]: [unknown, Record<string, unknown>] = [view, result];
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] ?? '';
      if (!isObject(source) || !Object.hasOwn(source, part)) break;
      source = source[part];
      if (index === parts.length - 1) {
        target[part] = source;
        break;
      }
      const known = Object.hasOwn(target, part) ? target[part] : undefined;
      const inner: Record<string, unknown> = isObject(known) ? known : {};
      target[part] = inner;
      target = inner;
    }
  }
  return result;
}

/** Reads a path such as `Provider.Class` from a plain object. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const part of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}
