import { healthHandlers, metricsHandlers } from '../telemetry/health.ts';
import { startHttpServer } from '../telemetry/http.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Cluster } from './cluster.ts';
import { healthChecks } from './health.ts';
import type { Informers } from './informers.ts';
import type { OperatorOptions } from './options.ts';

/** Serves health and metrics; what is returned ends that. */
export async function startServers(
  { healthListen, metricsListen, clock, log }: OperatorOptions,
  { informers, cluster, metrics }: { informers: Informers; cluster: Pick<Cluster, 'definitions'>; metrics: Metrics },
): Promise<() => Promise<unknown>> {
  const checks = healthChecks(informers, cluster.definitions, clock);
  const onFailure = (check: string, error: unknown) => log.debug({ check, err: error }, 'a health check failed');
  const servers = await Promise.all([
    startHttpServer({ address: healthListen, clock, handlers: healthHandlers(checks, onFailure) }),
    startHttpServer({ address: metricsListen, clock, handlers: metricsHandlers(metrics) }),
  ]);
  return () => Promise.all(servers.map(async (server) => server?.close()));
}
