import * as z from 'zod';
import { UnexpectedResponseError } from '../errors.ts';
import type { CallSite } from '../http/answer-errors.ts';
import type { MovingPart } from '../http/read-items.ts';
import { listed } from './common.ts';

/** `CommonServiceItems[3].ID` from the parts of a path. */
function pathText(parts: readonly PropertyKey[]): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text === '' ? '(body)' : text;
}

/** The error for an answer of another shape: it names the place and what was expected there, never what was found. */
export function unexpected(site: CallSite, path: string, expected: string): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `${site.name}: the answer cannot be read at ${path}: ${expected}`,
    'The service may have changed; report the operation and the path.',
    { route: site.route, path },
  );
}

/** So often a schema is read with before it is compiled, which takes as long as many readings: a command needs few. */
const READINGS_BEFORE_COMPILING = 20;

/** Makes a reader of answers, or of the part of one at `place`, from a wire schema and a function to the domain's form. */
export function reader<W, T>(
  schema: z.ZodType<W>,
  map: (wire: W) => T,
): (body: unknown, site: CallSite, place?: readonly PropertyKey[]) => T {
  let current = schema;
  let readings = 0;
  return (body, site, place = []) => {
    if (++readings === READINGS_BEFORE_COMPILING) current = z.compile(schema);
    const result = current.safeParse(body);
    if (result.success) return map(result.data);
    const issue = result.error.issues[0];
    throw unexpected(
      site,
      pathText([...place, ...(issue?.path ?? [])]),
      issue?.code === 'custom' ? issue.message : `not as expected (${issue?.code})`,
    );
  };
}

/** Reads a list, whole or item by item; all of it throws UnexpectedResponseErrors. */
export interface ListReader<Frame, T> {
  /** The member that is the list. */
  readonly member: string;
  /** What a body has beside the list. */
  readonly frame: (body: unknown, site: CallSite) => Frame;
  /** One item; undefined for one that is null, and so none. */
  readonly item: (value: unknown, site: CallSite, index: number) => T | undefined;
  /** All items of a body. */
  readonly items: (body: unknown, site: CallSite) => T[];
  /** What of an item differs in each list. */
  readonly moving: MovingPart<T & {}> | undefined;
}

/** Makes a reader of lists from the schema of what is beside the items, that of an item, and a function to the domain's form. */
export function listReader<Frame, W, T>(options: {
  readonly member: string;
  readonly frame: z.ZodType<Frame>;
  readonly item: z.ZodType<W>;
  readonly map: (wire: W) => T;
  readonly moving?: MovingPart<T & {}>;
}): ListReader<Frame, T> {
  const { member, map, moving } = options;
  const one = reader(options.item, map);
  return {
    member,
    moving,
    frame: reader(options.frame, (frame) => frame),
    items: reader(z.looseObject({ [member]: listed(options.item) }), (body) => (body[member] ?? []).map(map)),
    item: (value, site, index) => (value === null ? undefined : one(value, site, [member, index])),
  };
}
