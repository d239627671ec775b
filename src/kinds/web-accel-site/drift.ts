import { createHash } from 'node:crypto';
import { brief, briefChange } from '../../reconcile/brief-change.ts';
import type { Drift } from '../../reconcile/managed-object.ts';

/** With a digest behind them, less than a status takes. Characters. */
const LONGEST = 990;
const DIGEST_CHARACTERS = 16;

/** One field that differs, its values as short text. */
export function driftOf(field: string, desired: unknown, observed: unknown): Drift {
  const texts = { before: whole(observed), after: whole(desired) };
  const { before, after } = briefChange(texts, LONGEST);
  return { field, desired: marked(after, texts.after), observed: marked(before, texts.before) };
}

/**
 * What was cut at its end, with what tells it from all that begin so: whoever approves to have it replaced approves no
 * other. What was cut at its beginning is the same on both sides, and there in what is sent.
 */
function marked(cut: string, text: string): string {
  if (text.endsWith(cut.replace(/^…/, ''))) return cut;
  return `${cut} sha256:${createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARACTERS)}`;
}

/** A value for people: `none` for what isn't there. */
export function show(value: unknown): string {
  return brief(whole(value), LONGEST);
}

function whole(value: unknown): string {
  return value === undefined || value === '' ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
