import * as z from 'zod';
import { UnexpectedResponseError } from '../errors.ts';
import type { CallSite } from '../http/answer-errors.ts';

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

/** Makes a reader of answers from a wire schema and a function to the domain's form. */
export function reader<W, T>(schema: z.ZodType<W>, map: (wire: W) => T): (body: unknown, site: CallSite) => T {
  let current = schema;
  let readings = 0;
  return (body, site) => {
    if (++readings === READINGS_BEFORE_COMPILING) current = z.compile(schema);
    const result = current.safeParse(body);
    if (result.success) return map(result.data);
    const issue = result.error.issues[0];
    throw unexpected(
      site,
      pathText(issue?.path ?? []),
      issue?.code === 'custom' ? issue.message : `not as expected (${issue?.code})`,
    );
  };
}
