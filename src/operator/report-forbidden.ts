import type { KubeError } from '../kubernetes/errors.ts';
import type { Logger } from '../telemetry/log.ts';

/** Missing permissions reported at most; there are fewer kinds of them than this, but for one in each namespace. */
const MOST_REPORTED = 200;

/** Logs each permission that turns out to be missing, once: what needs it is tried again and again. */
export function createForbiddenReporter(log: Pick<Logger, 'error'>): (error: KubeError) => void {
  const reported = new Set<string>();
  return (error) => {
    // In a namespace that is being deleted nobody may make anything: nothing has to be granted.
    if (error.message.includes('because it is being terminated')) return;
    // The apiserver names the object first: `sims.edgeline.dev "truck-17" is forbidden: User … cannot patch …`.
    const permission = error.message.slice(Math.max(0, error.message.indexOf('is forbidden')));
    if (reported.has(permission) || reported.size >= MOST_REPORTED) return;
    reported.add(permission);
    log.error({ code: error.code }, `a permission is missing: ${error.message}. ${error.advice}`);
  };
}
