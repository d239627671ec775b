import { healthHandlers, metricsHandlers } from '../telemetry/health.ts';
import { startHttpServer } from '../telemetry/http.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Cluster } from './cluster.ts';
import { healthChecks } from './health.ts';
import type { Informers } from './informers.ts';
import type { OperatorOptions } from './options.ts';
import type { PageSource } from './page-source.ts';

/** Serves health, metrics and the page; what is returned ends that. */
export async function startServers(
  { healthListen, metricsListen, statusPage, clock, log }: OperatorOptions,
  {
    informers,
    cluster,
    metrics,
    page,
  }: {
    informers: Informers;
    cluster: Pick<Cluster, 'definitions'>;
    metrics: Metrics;
    page: (PageSource & { close(): Promise<void> }) | undefined;
  },
): Promise<() => Promise<unknown>> {
  const checks = healthChecks(informers, cluster.definitions, clock);
  const onFailure = (check: string, error: unknown) => log.debug({ check, err: error }, 'a health check failed');
  const servers = await Promise.all([
    startHttpServer({ address: healthListen, clock, handlers: healthHandlers(checks, onFailure) }),
    startHttpServer({ address: metricsListen, clock, handlers: metricsHandlers(metrics) }),
    statusPage &&
      page &&
      startHttpServer({
        address: statusPage.listen,
        clock,
        handlers: statusPage.create(page),
        limits: statusPage.limits,
      }),
  ]);
  return () => Promise.all([...servers.map(async (server) => server?.close()), page?.close()]);
}
