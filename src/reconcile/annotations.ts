import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../kubernetes/objects.ts';

/** The annotations the operator reads; it writes none. */
export const Annotation = {
  /** `"true"`: nothing is written at the service until it is removed. */
  paused: 'edgeline.dev/paused',
  /** Any new value: look at everything again, and try again what stalled. */
  reconcileAt: 'edgeline.dev/reconcile-at',
  /** `"true"`: the operator lets go; the finalizer is dropped and the service left as it is. */
  abandon: 'edgeline.dev/abandon',
  /** Of an account, a time: until then what is missing in it is taken for gone. */
  acceptMissingUntil: 'edgeline.dev/accept-missing-until',
  /** Of an account or a resource, a time: deletions that were asked for up to then are let go, however many they are. */
  releaseDeletions: 'edgeline.dev/release-deletions',
  /** The same for creations. */
  releaseCreations: 'edgeline.dev/release-creations',
  /** `"true"` on a MobileGateway: its deletion takes SIMs off it that leave it by nobody's hand, which takes them offline. */
  releaseSims: 'edgeline.dev/release-sims',
  /** The hash of the plan in `status.plan`: it is approved, and is carried out as long as the annotation stays. */
  approve: 'edgeline.dev/approve',
  /** Any new value presses the SIM's reconnect once. */
  reconnectAt: 'edgeline.dev/reconnect-at',
} as const;

/** So far ahead the word that what is missing is gone may reach. Milliseconds. */
export const LONGEST_ACCEPTED_MILLISECONDS = 25 * 3_600_000;

/** So far ahead of the cluster's clock a release may be dated: clocks differ. Milliseconds. */
export const LONGEST_RELEASED_MILLISECONDS = 3_600_000;

/** The longest value that a status takes as it is. Characters. */
const LONGEST_MARK_CHARACTERS = 256;

/** What a status says of an annotation that was acted on: the value, or where that is too long its beginning and a digest. */
export function markOf(object: KubernetesObject, annotation: string): string | undefined {
  const value = object.metadata.annotations?.[annotation];
  if (value === undefined || value.length <= LONGEST_MARK_CHARACTERS) return value;
  return `${value.slice(0, 128)}… sha256:${createHash('sha256').update(value).digest('base64url')}`;
}

/** RFC 3339: a date alone, or a time without its zone, may mean another moment than its writer thinks. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The moment that an annotation names, in milliseconds since the epoch; NaN where it is not in RFC 3339, with time and zone. */
export function momentOf(value: string | undefined): number {
  const local = TIME.exec(value ?? '')?.[1];
  if (value === undefined || local === undefined) return Number.NaN;
  // 30 February is read as 2 March, and 24:00 as the next day.
  const asRead = Date.parse(`${local}Z`);
  const isReal = !Number.isNaN(asRead) && new Date(asRead).toISOString().startsWith(local);
  return isReal ? Date.parse(value) : Number.NaN;
}

/** Whether the resource is paused. Any word but "false" counts: who pauses in a hurry should not have to know which. */
export function isPaused(object: {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}): boolean {
  const value = object.metadata.annotations?.[Annotation.paused];
  return value !== undefined && value !== 'false';
}

/** Whether an annotation is switched on. */
export function isSet(object: KubernetesObject, annotation: string): boolean {
  return object.metadata.annotations?.[annotation] === 'true';
}
