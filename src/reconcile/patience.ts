import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Hold } from './plan.ts';

/** What a new resource waits for may come in the same rollout: it is warned of what is missing after this. Milliseconds. */
const PATIENCE_MILLISECONDS = 60_000;

/**
 * How long until it is worth a warning that a resource waits: not at all where nothing is wrong (undefined), at once (0)
 * where it is not new or where it is not just something of the cluster that is missing. Pure; milliseconds.
 */
export function untilWarning(
  object: KubernetesObject,
  hold: Hold<string> | undefined,
  now: number,
): number | undefined {
  if (hold?.state === 'Suspended' || hold?.isProgress) return undefined;
  // What keeps Ready is a problem with the service, or with the whole account.
  if (hold?.state !== 'Waiting' || hold.keepsReady) return 0;
  return Math.max(0, Date.parse(object.metadata.creationTimestamp ?? '') + PATIENCE_MILLISECONDS - now) || 0;
}
