/** What every object carries, as far as the operator reads it. Times are RFC 3339. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  finalizers?: string[];
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  ownerReferences?: OwnerReference[];
}

/** A reference to the owner of an object, for garbage collection. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The least that is true of every object of the API. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** One entry of `status.conditions`, in the shape of `metav1.Condition`. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** CamelCase, never empty. */
  reason: string;
  message: string;
  /** RFC 3339, whole seconds. */
  lastTransitionTime: string;
  observedGeneration?: number;
}

/**
 * Orders two resource versions: negative when `a` is older. They are decimal integers beyond 2^53, so they are compared
 * by length and then as text, which is exact and parses nothing.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A time in milliseconds as Kubernetes' Time: RFC 3339 in whole seconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** The same read, in milliseconds; undefined also of what is no time, for anybody may write into a status. */
export function timeFrom(text: string | undefined): number | undefined {
  const milliseconds = Date.parse(text ?? '');
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

/** A time in milliseconds as Kubernetes' MicroTime, which takes six digits of a second and no fewer. */
export function microTime(milliseconds: number): string {
  return microTimeOf(milliseconds * 1000);
}

/** The same of a time in microseconds. */
export function microTimeOf(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000);
  const rest = String(Math.floor(microseconds - milliseconds * 1000)).padStart(3, '0');
  return new Date(milliseconds).toISOString().replace('Z', `${rest}Z`);
}
