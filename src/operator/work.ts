import { runWorkers } from '../reconcile/controller.ts';
import { keyOf, type Reconciler } from '../reconcile/reconciler.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { WiredAccounts } from './accounts.ts';
import type { Installation } from './installation.ts';
import type { OperatorOptions } from './options.ts';
import type { Queues } from './queues.ts';
import { reportHeld } from './report-held.ts';
import { reportQueued } from './report-queued.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** Works on all resources until aborted, once this process leads; rejects when something ends that never should. */
export async function work({
  options,
  wiring,
  kinds,
  cloudAccounts,
  installation,
  queue,
  metrics,
  identity,
  signal,
}: {
  readonly options: OperatorOptions;
  readonly wiring: Wiring;
  readonly kinds: readonly WiredKind[];
  readonly cloudAccounts: WiredAccounts;
  readonly installation: Installation;
  readonly queue: Queues;
  readonly metrics: Metrics;
  /** Of this installation. */
  readonly identity: string;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { clock, random, log, workers, holdSeconds } = options;
  const { client } = wiring.engine;
  const all = [...kinds.map(({ reconciler }) => installation.own(reconciler)), ...cloudAccounts.reconcilers];
  const reconcilers = new Map<string, Reconciler>(all.map((one) => [one.kind, one]));

  async function auditDetails(): Promise<void> {
    const interval = options.simPollSeconds * 1000;
    while (!signal.aborted) {
      await clock.sleep(interval * (0.9 + 0.2 * random()), signal);
      for (const { audit } of kinds) audit();
    }
  }

  const working = Promise.all([
    ...queue.all.map((one) =>
      runWorkers({
        queue: one,
        reconcilers,
        workers,
        clock,
        log,
        metrics: {
          started: (kind) => metrics.activeWorkers(kind, 1),
          finished(kind, result, seconds) {
            metrics.activeWorkers(kind, -1);
            metrics.reconciled(kind, result, seconds);
          },
        },
        signal,
      }),
    ),
    auditDetails(),
    reportQueued({
      client,
      kinds,
      accountOf: wiring.users.accountOf,
      isOurs: ({ metadata }) => installation.holdsNamespace(metadata.namespace ?? ''),
      outlookOf: (account, api, lane) => wiring.registry.get(account)?.limiter.outlook(api, lane),
      clock,
      signal,
    }),
    reportHeld({
      client,
      kinds: [
        ...kinds.map(({ reconciler: { kind, resource }, informer }) => ({ kind, resource, informer })),
        ...cloudAccounts.informers.map(([kind, informer, resource]) => ({ kind, resource, informer })),
      ],
      rivalOf: installation.rivalOf,
      identity,
      holdSeconds,
      clock,
      signal,
    }),
  ]);
  // If connecting ends first, nobody is left to hear how the work ends.
  working.catch(() => undefined);
  await cloudAccounts.connect(queue, signal);
  for (const { reconciler, informer } of kinds) {
    for (const { metadata } of informer.list()) {
      const key = keyOf(reconciler.kind, metadata);
      queue.add(key, 'observation');
    }
  }
  await working;
}
