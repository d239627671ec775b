import * as z from 'zod';
import { explain } from '../parse.ts';
import { ControlError } from './error.ts';

/** Checks what was sent to the control port; 400 with each member that is wrong. */
export function parsedControl<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw new ControlError(400, explain(result.error).join('; '));
  return result.data;
}

export const clockSchema = z
  .strictObject({
    advanceSeconds: z.number('write seconds').optional(),
    set: z.iso.datetime({ offset: true, error: 'write a time such as 2026-01-01T00:00:00Z' }).optional(),
  })
  .refine((body) => body.advanceSeconds !== undefined || body.set !== undefined, 'write advanceSeconds or set');
