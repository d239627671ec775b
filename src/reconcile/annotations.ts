import type { KubernetesObject } from '../kubernetes/objects.ts';

/** The annotations the operator reads; it writes none. */
export const Annotation = {
  /** `"true"`: nothing is written at the service until it is removed. */
  paused: 'edgeline.dev/paused',
  /** Any new value: look at everything again, and try again what stalled. */
  reconcileAt: 'edgeline.dev/reconcile-at',
  /** `"true"`: the operator lets go; the finalizer is dropped and the service left as it is. */
  abandon: 'edgeline.dev/abandon',
  /** Any new value presses the SIM's reconnect once. */
  reconnectAt: 'edgeline.dev/reconnect-at',
} as const;

/** Whether the resource is paused. Any word but "false" counts: who pauses in a hurry should not have to know which. */
export function isPaused(object: KubernetesObject): boolean {
  const value = object.metadata.annotations?.[Annotation.paused];
  return value !== undefined && value !== 'false';
}

/** Whether an annotation is switched on. */
export function isSet(object: KubernetesObject, annotation: string): boolean {
  return object.metadata.annotations?.[annotation] === 'true';
}
