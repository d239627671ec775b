import type { Clock } from '../clock.ts';
import type { HealthChecks } from '../telemetry/health.ts';
import type { Informers } from './informers.ts';
import type { ServedDefinitions } from './served-definitions.ts';

/** A watch that brought nothing for this long makes the process unhealthy. Milliseconds. */
const STALE_MILLISECONDS = 5 * 60_000;

/** Live while every watch brings something, were it a bookmark; ready when all caches are synced and the CRDs fit. */
export function healthChecks(
  informers: Informers,
  definitions: Pick<ServedDefinitions, 'check'>,
  clock: Clock,
): { live: HealthChecks; ready: HealthChecks } {
  return {
    live: {
      watches() {
        const silent = informers.all.some(
          (informer) => clock.monotonic() - informer.lastContact() > STALE_MILLISECONDS,
        );
        if (silent) throw new Error('a watch has brought nothing for too long');
      },
    },
    ready: {
      caches() {
        if (!informers.all.every((informer) => informer.hasSynced())) throw new Error('caches are not synced yet');
      },
      crds: () => definitions.check(),
    },
  };
}
