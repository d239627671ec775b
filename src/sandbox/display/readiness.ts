import * as z from 'zod';
import type { TableRow } from './table-render.ts';

/** An object of Edgeline as the apiserver shows it, as far as the table needs it. */
const shown = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: z.string().optional(),
    generation: z.number().optional(),
    creationTimestamp: z.string().optional(),
  }),
  spec: z.record(z.string(), z.unknown()).optional(),
  status: z
    .object({
      conditions: z
        .array(
          z.object({
            type: z.string(),
            status: z.enum(['True', 'False', 'Unknown']),
            reason: z.string(),
            message: z.string(),
            observedGeneration: z.number().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

/** Which object is to become Ready. */
export interface Expected {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A row of the table, with the sentence that says why. */
export interface Readiness extends TableRow {
  /** The message of the Ready condition; empty while there is none. */
  readonly message: string;
}

/**
 * What is to be said about an object. A condition that is about an older spec says nothing about this one.
 *
 * @param object as the apiserver gave it; undefined when there is none.
 * @param now milliseconds since the epoch.
 */
export function readinessOf(expected: Expected, object: unknown, now: number): Readiness {
  const nothing = { ...expected, ready: 'Unknown', reason: '', message: '', age: 0 } as const;
  if (object === undefined) return { ...nothing, reason: 'Missing', message: 'It has been deleted.' };
  const parsed = shown.safeParse(object);
  if (!parsed.success) return nothing;
  const { metadata, status } = parsed.data;
  const age = metadata.creationTimestamp === undefined ? 0 : (now - Date.parse(metadata.creationTimestamp)) / 1_000;
  const condition = status?.conditions?.find(({ type }) => type === 'Ready');
  if (!condition || (condition.observedGeneration ?? 0) < (metadata.generation ?? 0)) return { ...nothing, age };
  return { ...expected, age, ready: condition.status, reason: condition.reason, message: condition.message };
}

export function isReady({ ready }: TableRow): boolean {
  return ready === 'True';
}

/** One line for each that is not Ready: which, and why. */
export function explain(all: readonly Readiness[]): string[] {
  return all
    .filter((one) => !isReady(one))
    .map(({ kind, namespace, name, reason, message }) => {
      const why = [reason, message].filter((part) => part !== '').join(': ');
      return `${kind} ${namespace}/${name} is not Ready: ${why || 'the operator has not said anything about it yet'}`;
    });
}

/** The line `--output json` prints. `seconds` is the time since the command began. */
export function resultLine(all: readonly Readiness[], seconds: number, error?: string): string {
  return JSON.stringify({
    ready: error === undefined && all.length > 0 && all.every(isReady),
    seconds: Math.round(seconds * 1_000) / 1_000,
    resources: all.map(({ kind, namespace, name, ready, reason }) => ({
      kind,
      namespace,
      name,
      ready: ready === 'True',
      reason,
    })),
    ...(error !== undefined && { error }),
  });
}
