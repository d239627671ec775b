import { messageOf } from '../errors.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { assemble } from './assemble.ts';
import { joinCluster } from './cluster.ts';
import type { OperatorOptions } from './options.ts';
import { createPageSource, type Role } from './page-source.ts';
import { startServers } from './servers.ts';
import { work } from './work.ts';

export interface Operator {
  stop(): Promise<void>;
}

const FLUSH_MILLISECONDS = 2000;
const GIVE_BACK_MILLISECONDS = 3000;

/** Starts the operator: watches, then, once it leads, workers. Resolves when its caches are synced. */
export async function startOperator(options: OperatorOptions): Promise<Operator> {
  const { clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Measuring the process has a price, and stays when the operator ends: no one may ask for it where nothing listens.
  const metrics = createMetrics({ process: options.metricsListen !== '0' });
  metrics.buildInfo(options.version, options.revision);
  const cluster = await joinCluster(options, metrics, (reason) => {
    stopping.abort();
    options.onFatal(reason);
  });
  const assembly = assemble(options, cluster, metrics);
  const { informers, installation, intake, cloudAccounts } = assembly;
  let leadsSince: number | undefined;
  function role(): Role {
    const hasLapsed = cluster.elector?.isLeader() === false;
    if (leadsSince !== undefined && !hasLapsed) return { state: 'Leading', since: leadsSince };
    if (!informers.all.every((informer) => informer.hasSynced())) return { state: 'Starting' };
    return { state: 'StandingBy', holder: cluster.elector?.holder() };
  }
  const page =
    options.statusPage &&
    createPageSource({
      ...assembly,
      options,
      listen: options.statusPage.listen,
      changes: assembly.recentChanges,
      role,
      reviewer: cluster.reviewer,
    });
  const closeServers = await startServers(options, { informers, cluster, metrics, page });

  // Whoever led before may have done what no watch has brought yet, and what it did must not be taken for undone.
  let isFresh: Promise<unknown> = Promise.resolve();
  function refresh(): void {
    isFresh = Promise.all(informers.all.map((informer) => informer.refresh(signal)));
    // If this process ends first, nobody is left to hear of it.
    isFresh.catch(() => undefined);
  }
  cluster.elector?.onSilent(refresh);

  async function lead(): Promise<void> {
    await cluster.lead(signal);
    if (cluster.elector?.hasTakenOver()) refresh();
    await isFresh;
    leadsSince = clock.now();
    assembly.earlier.end();
    await installation.start(signal);
    intake.open();
    await work({ ...assembly, options, metrics, identity: cluster.identity, signal });
  }

  await cluster.elector?.look();
  for (const informer of informers.all) informer.start();
  cluster.definitions.start(signal);
  await Promise.all(informers.all.map((informer) => informer.synced(signal)));
  await cluster.definitions.sufficient(signal);
  // Only now: who cannot see, or remember what it did, must not keep another from leading.
  cluster.elector?.start();
  log.info({ sims: informers.of.Sim.size, accounts: informers.accounts.size }, 'caches are synced');
  const leading = lead().catch((error: unknown) => {
    if (signal.aborted) return;
    log.error({ err: error }, `the work ended unexpectedly: ${messageOf(error)}`);
    options.onFatal('nothing works on the resources any more');
  });

  return {
    async stop() {
      stopping.abort(new Error('the operator stops'));
      assembly.queue.shutDown();
      await leading;
      await assembly.events.flush(FLUSH_MILLISECONDS);
      await assembly.registry.stop();
      // While this process still leads, and no longer than its end can wait: what stays is only counted as sent.
      await Promise.race([cloudAccounts.giveBack(), clock.sleep(GIVE_BACK_MILLISECONDS)]);
      await cluster.elector?.stop();
      await Promise.all(informers.all.map((informer) => informer.stop()));
      await closeServers();
      await cluster.client.close();
    },
  };
}
