import { isOfTerminating, type KubeError } from '../kubernetes/errors.ts';
import type { Logger } from '../telemetry/log.ts';

/** Missing permissions that are remembered; there are fewer kinds of them than this, but for one in each namespace. */
const MOST_REMEMBERED = 200;

/** Logs each permission that turns out to be missing, once: what needs it is tried again and again. Of very many, the first are told again. */
export function createForbiddenReporter(log: Pick<Logger, 'error'>): (error: KubeError) => void {
  const reported = new Set<string>();
  return (error) => {
    if (isOfTerminating(error)) return;
    // The apiserver names the object first: `sims.edgeline.dev "truck-17" is forbidden: User … cannot patch …`.
    const permission = error.message.slice(Math.max(0, error.message.indexOf('is forbidden')));
    if (reported.has(permission)) return;
    reported.add(permission);
    const [oldest = permission] = reported;
    if (reported.size > MOST_REMEMBERED) reported.delete(oldest);
    log.error({ code: error.code }, `a permission is missing: ${error.message}. ${error.advice}`);
  };
}
