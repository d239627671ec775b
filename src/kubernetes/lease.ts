import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { KubeClient } from './client.ts';
import { isAlreadyExists, isConflict, isNotFound, NotLeaderError } from './errors.ts';
import { heldBy, type Lease } from './lease-object.ts';
import { microTime } from './objects.ts';
import { LEASES } from './resource.ts';
import { orAborted } from './wait.ts';

/** Leader election by Lease, with client-go's rules. A process that lost takes part again only when started anew. */
export interface LeaseElector {
  /** Looks at the Lease, for `hasTakenOver`; resolves also where it can't. */
  look(): Promise<void>;
  /** Whether it has the Lease from another, who may have acted since `look` or the last call of `onSilent`: what was read then may be of before. */
  hasTakenOver(): boolean;
  /** Whether there was a Lease before this process took it, so that another may have acted at any time before. */
  hadHolder(): boolean;
  /** Called while this process waits, once for each holder that has been silent for so long that it acts no more. */
  onSilent(handler: () => void): void;
  /** Begins to try, each `retryPeriod`. */
  start(): void;
  /** Resolves when this process first leads; rejects with the signal's reason. */
  acquired(signal?: AbortSignal): Promise<void>;
  /** True while this process may act: it holds the Lease and renewed it within `renewDeadline`. */
  isLeader(): boolean;
  /** Throws `NotLeaderError` unless `isLeader()`. Call it right before every act. */
  fence(): void;
  /** Who holds the Lease, as far as seen. */
  holder(): string | undefined;
  /** Stops, and gives the Lease back so that the next holder need not wait. Stop acting first. */
  stop(): Promise<void>;
}

export interface LeaseElectorOptions {
  client: KubeClient;
  namespace: string;
  name: string;
  /** Of this process alone, such as the pod's name and a random part. */
  identity: string;
  /** Seconds others wait, by their own clock, after the last renewal they saw; default 15. */
  leaseDuration?: number;
  /** Seconds this process acts after its own last renewal; less than `leaseDuration`; default 10. */
  renewDeadline?: number;
  /** Seconds between tries; default 2. */
  retryPeriod?: number;
  /** Called once, when leadership was had and is no more; not at `stop`. */
  onLost?: () => void;
  clock: Clock;
  random: () => number;
  log: Logger;
}

export function createLeaseElector(options: LeaseElectorOptions): LeaseElector {
  const { client, namespace, name, identity, clock, random, log } = options;
  const { leaseDuration = 15, renewDeadline = 10, retryPeriod = 2 } = options;
  const stopping = new AbortController();
  const first = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;
  /** The Lease as last read or written, and when, by our own clock: those of two machines are never compared. */
  let seen: { lease: Lease; at: number } | undefined;
  /** Somebody has deleted it since, or a backup without it was restored: who held it may not know that yet. */
  let isDeleted = false;
  /** The version of the Lease at the look, or of a silent holder; undefined where there was none, `unknown` before. */
  let lookedAt: string | undefined = 'unknown';
  /** The same of the one that was taken. */
  let taken: string | undefined;
  /** When the renewal that succeeded last was sent. Both clocks: the monotonic one stops while a machine is suspended. */
  let renewed: { monotonic: number; wall: number } | undefined;
  /** A write was refused since this became the leader: whoever wanted it has given it up. */
  let hasRefused = false;
  let onSilent: (() => void) | undefined;

  function isLeader(): boolean {
    if (renewed === undefined) return false;
    const limit = renewDeadline * 1000;
    return clock.monotonic() - renewed.monotonic < limit && clock.now() - renewed.wall < limit;
  }

  function observe(lease: Lease): void {
    if (seen?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion) {
      seen = { lease, at: clock.monotonic() };
    }
  }

  const requestOptions = () => ({
    retry: false,
    timeoutMilliseconds: Math.max(1000, (renewDeadline * 1000) / 2),
    signal: stopping.signal,
  });

  function isFree(): boolean {
    const spec = seen?.lease.spec;
    if (seen === undefined || !spec?.holderIdentity || spec.holderIdentity === identity) return true;
    const duration = Math.max(leaseDuration, spec.leaseDurationSeconds ?? 0);
    return clock.monotonic() - seen.at >= duration * 1000;
  }

  function tellSilence(): void {
    if (seen === undefined || isDeleted) return;
    const { resourceVersion } = seen.lease.metadata;
    if (lookedAt === resourceVersion || clock.monotonic() - seen.at < renewDeadline * 1000) return;
    lookedAt = resourceVersion;
    onSilent?.();
  }

  /** One try to get or to keep the Lease. True when it is ours. */
  async function tryAcquireOrRenew(): Promise<boolean> {
    // A holder writes at once, on what it wrote last: half the requests. A conflict then tells of another writer.
    const holds = renewed !== undefined && seen?.lease.spec?.holderIdentity === identity;
    if (!holds) {
      try {
        observe(await client.get<Lease>(LEASES, namespace, name, requestOptions()));
        isDeleted = false;
      } catch (error) {
        if (!isNotFound(error)) throw error;
        isDeleted = true;
      }
      if (!isFree()) {
        tellSilence();
        return false;
      }
    }
    const sent = { monotonic: clock.monotonic(), wall: clock.now() };
    if (!holds) taken = isDeleted ? undefined : seen?.lease.metadata.resourceVersion;
    try {
      seen = { lease: await write(microTime(sent.wall)), at: clock.monotonic() };
      isDeleted = false;
    } catch (error) {
      // Nobody else can have had it since the last renewal, unless it is there again by now, which making it anew tells.
      if (isNotFound(error) && holds && isLeader() && !isDeleted) {
        isDeleted = true;
        return tryAcquireOrRenew();
      }
      if ((isConflict(error) || isAlreadyExists(error)) && holds) {
        const lease = await client.get<Lease>(LEASES, namespace, name, requestOptions());
        observe(lease);
        if (lease.spec?.holderIdentity !== identity) renewed = undefined;
        return false;
      }
      throw error;
    }
    renewed = sent;
    return true;
  }

  function write(now: string): Promise<Lease> {
    const previous = isDeleted ? undefined : seen?.lease;
    const spec = heldBy(identity, previous, leaseDuration, now);
    const object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
    if (previous === undefined) {
      return client.create(LEASES, namespace, { ...object, metadata: { name, namespace }, spec }, requestOptions());
    }
    return client.update(LEASES, namespace, name, { ...previous, ...object, spec }, requestOptions());
  }

  async function attempt(): Promise<boolean> {
    try {
      return await tryAcquireOrRenew();
    } catch (error) {
      if (!stopping.signal.aborted) {
        log.warn({ err: error, lease: `${namespace}/${name}` }, `the Lease could not be had: ${messageOf(error)}`);
      }
      return false;
    }
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!(await attempt())) {
      if (signal.aborted) return;
      await clock.sleep(retryPeriod * 1000 * (1 + random() * 0.2), signal).catch(() => undefined);
      if (signal.aborted) return;
    }
    log.info({ lease: `${namespace}/${name}`, identity }, 'leading');
    hasRefused = false;
    first.resolve();
    for (;;) {
      await clock.sleep(retryPeriod * 1000, signal).catch(() => undefined);
      if (signal.aborted) return;
      // Leadership that lapsed for a moment, as when the process stood still, must not come back: nobody would begin again
      // what was refused meanwhile.
      if (!hasRefused) await attempt();
      if (signal.aborted) return;
      if (isLeader() && !hasRefused) continue;
      renewed = undefined;
      log.error({ lease: `${namespace}/${name}`, holder: seen?.lease.spec?.holderIdentity }, 'leadership lost');
      options.onLost?.();
      return;
    }
  }

  async function release(): Promise<void> {
    const held = seen?.lease;
    renewed = undefined;
    if (held?.spec?.holderIdentity !== identity) return;
    const now = microTime(clock.now());
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
    try {
      await client.update(LEASES, namespace, name, { ...held, spec }, { retry: false, timeoutMilliseconds: 2000 });
    } catch (error) {
      log.warn({ err: error }, `the Lease could not be given back: ${messageOf(error)}`);
    }
  }

  return {
    async look() {
      try {
        lookedAt = (await client.get<Lease>(LEASES, namespace, name, requestOptions())).metadata.resourceVersion;
      } catch (error) {
        lookedAt = isNotFound(error) ? undefined : 'unknown';
      }
    },

    hasTakenOver: () => taken !== lookedAt,
    hadHolder: () => taken !== undefined,
    onSilent: (handler) => {
      onSilent = handler;
    },

    start() {
      running ??= run();
    },

    acquired: (signal) => orAborted(first.promise, signal),

    isLeader,

    fence() {
      if (isLeader()) return;
      hasRefused = true;
      throw new NotLeaderError(`${namespace}/${name}`);
    },

    holder: () => seen?.lease.spec?.holderIdentity || undefined,

    async stop() {
      const led = renewed !== undefined;
      stopping.abort(new Error('the leader election is stopping'));
      await running;
      if (led) await release();
    },
  };
}
