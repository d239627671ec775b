import type { z } from 'zod';
import { badRequest } from './api-error.ts';

/** Checks a request body; what does not fit is a 400 that names the member. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw badRequest(explain(result.error, 1)[0] ?? 'the body is not what this operation takes');
}

/** What is wrong, a line each and no more than so many: `gateways[0].planID: write 2, the only plan there is`. */
export function explain(error: z.ZodError, most = 20): string[] {
  return error.issues.slice(0, most).map((issue) => `${pathText(issue.path)}: ${sentence(issue)}`);
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `no such member: ${issue.keys.join(', ')}`;
  return issue.message;
}

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text ? `.${String(part)}` : String(part);
  }
  return text || 'the top level';
}
