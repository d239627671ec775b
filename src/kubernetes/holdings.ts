import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { KubeClient } from './client.ts';
import { createClosedNamespaces, type HasLiving } from './closed-namespaces.ts';
import { isAlreadyExists, isConflict, isNotFound, NotLeaderError } from './errors.ts';
import type { Informer } from './informer.ts';
import { calledHolder, heldBy, type Lease } from './lease-object.ts';
import { type KubernetesObject, microTime } from './objects.ts';
import { LEASES } from './resource.ts';
import { createRetakes } from './retakes.ts';

/** The Lease that says which installation looks after its namespace. */
export const HOLDER_LEASE = 'edgeline-holder';

/** Parts of the duration: when a Lease is renewed, and until when its holder acts without having renewed it. */
const RENEW_SHARE = 1 / 3;
const ACT_SHARE = 0.8;
/** A try that failed is repeated after this long. Milliseconds. */
const RETRY_MILLISECONDS = 10_000;
const MOST_RETRY_MILLISECONDS = 1.1 * RETRY_MILLISECONDS;
/** Leases written at a time. */
const MOST_AT_ONCE = 8;

/**
 * Which namespaces this installation holds. Whoever acts on a namespace holds a Lease in it, so that two installations never
 * act on the same, whatever was installed. The pods of an installation share its identity: which of them acts is the leader
 * election's to say. Nothing is ever given back, so that no other gets in between two pods of one installation; what is not
 * renewed falls to whoever wants it after the duration.
 */
export interface Holdings {
  /** Whether this installation may act on the namespace, at this moment. */
  holds(namespace: string): boolean;
  /** It is not there, and was not when a Lease was to be made in it: nobody holds what is elsewhere and belongs to it. */
  isMissing(namespace: string): boolean;
  /** The other installation that holds it, as far as seen. */
  rivalOf(namespace: string): string | undefined;
  /** The namespace is needed, and is not held: to be tried soon. */
  want(namespace: string): void;
  /**
   * Takes and renews until aborted. Call it once this process leads; resolves when each namespace that is wanted was tried
   * once, and never rejects.
   */
  start(signal: AbortSignal): Promise<void>;
}

export interface HoldingsOptions {
  readonly client: KubeClient;
  /** Of the Leases of that name alone. Must not be started yet. */
  readonly leases: Informer<Lease>;
  /** Undefined where they are not watched. */
  readonly namespaces: Pick<Informer<KubernetesObject>, 'get'> | undefined;
  /** Whether anything of ours in the namespace is not being deleted. */
  readonly hasLiving: HasLiving;
  /** Of the installation: the same for all its pods and over restarts, and another's never. */
  readonly identity: string;
  /** How long a Lease that nobody renews is held. Seconds. */
  readonly seconds: number;
  /** The namespaces there is something to do in. */
  readonly wanted: () => Iterable<string>;
  /** Another may have had it before; `hadOther`: that was seen. */
  readonly onTaken: (namespace: string, hadOther: boolean) => void;
  /** Its Lease was gone, and is there again: nobody else had it since. */
  readonly onKept: (namespace: string) => void;
  readonly onLost: (namespace: string) => void;
  /** Another one has it; called once for each. */
  readonly onRival: (namespace: string, holder: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

/** When something was sent, in milliseconds of both clocks. */
interface Sent {
  readonly monotonic: number;
  readonly wall: number;
}

/** See {@link Holdings}. */
export function createHoldings(options: HoldingsOptions): Holdings {
  const { client, leases, identity, clock, random, log } = options;
  const duration = options.seconds * 1000;
  /** When the renewal that succeeded last was sent, by both clocks: the monotonic one stops while a machine is suspended. */
  const renewed = new Map<string, Sent>();
  /** The same of Leases that somebody deleted, as long as nobody else is seen to have had them since. */
  const gone = new Map<string, Sent>();
  const retakes = createRetakes(clock);
  /** Namespaces that were held here since another had them last. */
  const acted = new Set<string>();
  /** Namespaces that another was seen to hold since. */
  const others = new Set<string>();
  /** When each Lease was last seen to change, by our own clock: those of two machines are never compared. */
  const changed = new Map<string, number>();
  const next = new Map<string, number>();
  const closed = createClosedNamespaces(options.namespaces, options.hasLiving, clock);
  const toldOf = new Map<string, string>();
  const trying = new Set<string>();
  /** Of which any of these may have something. */
  const known = new Set<string>();
  let signal: AbortSignal | undefined;

  const holderOf = (namespace: string) => leases.get(namespace, HOLDER_LEASE)?.spec?.holderIdentity || undefined;

  function rivalOf(namespace: string): string | undefined {
    const holder = holderOf(namespace);
    return holder === undefined || holder === identity ? undefined : calledHolder(holder);
  }

  function holds(namespace: string): boolean {
    if (closed.isGoing(namespace)) return rivalOf(namespace) === undefined;
    const at = renewed.get(namespace);
    if (at === undefined || holderOf(namespace) !== identity) return false;
    return isInTime(at);
  }

  function standing(namespace: string): 'held' | 'missing' | undefined {
    if (holds(namespace)) return 'held';
    return closed.isMissing(namespace) ? 'missing' : undefined;
  }

  function isInTime(at: Sent): boolean {
    return clock.monotonic() - at.monotonic < duration * ACT_SHARE && clock.now() - at.wall < duration * ACT_SHARE;
  }

  function hasExpired(namespace: string, lease: Lease): boolean {
    const longest = Math.max(options.seconds, lease.spec?.leaseDurationSeconds ?? 0) * 1000;
    return clock.monotonic() - (changed.get(namespace) ?? clock.monotonic()) >= longest;
  }

  leases.onChange(({ old, new: current }) => {
    const { namespace = '' } = (current ?? old)?.metadata ?? {};
    known.add(namespace);
    changed.set(namespace, clock.monotonic());
    if (holderOf(namespace) === identity) return;
    next.delete(namespace);
    const had = renewed.get(namespace);
    renewed.delete(namespace);
    if (had) {
      gone.set(namespace, had);
      retakes.lost(namespace);
    }
    // Also where the Lease went first, and another was sooner to make a new one.
    if (rivalOf(namespace) !== undefined) {
      others.add(namespace);
      gone.delete(namespace);
      if (acted.delete(namespace)) options.onLost(namespace);
    }
    // Somebody deleted it, as whoever deletes the namespace does. Whoever is first has it.
    else if (had) want(namespace);
  });

  /** Tells once of each that has what is wanted here. */
  function reportRival(namespace: string, holder: string): void {
    if (toldOf.get(namespace) === holder) return;
    toldOf.set(namespace, holder);
    log.warn(
      { namespace, holder },
      `another installation, ${holder}, looks after namespace ${namespace}: nothing is done there`,
    );
    options.onRival(namespace, holder);
  }

  async function write(namespace: string, lease: Lease | undefined): Promise<void> {
    const sent: Sent = { monotonic: clock.monotonic(), wall: clock.now() };
    const spec = heldBy(identity, lease, options.seconds, microTime(sent.wall));
    const o = { retry: false, timeoutMilliseconds: 10_000, signal };
    const written = lease
      ? await client.update<Lease>(LEASES, namespace, HOLDER_LEASE, { ...lease, spec }, o)
      : await client.create<Lease>(LEASES, namespace, { metadata: { name: HOLDER_LEASE, namespace }, spec }, o);
    leases.put(written);
    renewed.set(namespace, sent);
    acted.add(namespace);
  }

  async function attempt(namespace: string): Promise<void> {
    if (trying.has(namespace)) return;
    known.add(namespace);
    trying.add(namespace);
    try {
      await tryToHold(namespace);
    } finally {
      trying.delete(namespace);
    }
  }

  /** One try to take or to keep it. */
  async function tryToHold(namespace: string): Promise<void> {
    const lease = leases.get(namespace, HOLDER_LEASE);
    const rival = rivalOf(namespace);
    if (lease && rival !== undefined && !hasExpired(namespace, lease)) return reportRival(namespace, rival);
    const before = standing(namespace);
    next.set(namespace, clock.monotonic() + RETRY_MILLISECONDS * (0.9 + 0.2 * random()));
    try {
      await write(namespace, lease);
      next.set(namespace, clock.monotonic() + duration * RENEW_SHARE * (0.8 + 0.2 * random()));
      closed.opened(namespace);
      toldOf.delete(namespace);
    } catch (error) {
      if (error instanceof NotLeaderError || signal?.aborted) return;
      if (isAlreadyExists(error)) gone.delete(namespace);
      if (isAlreadyExists(error) || isConflict(error)) return;
      // A Lease that is gone is made at the next try.
      const isOfNamespace = lease ? isNotFound(error) : closed.refused(namespace, error);
      if (!isOfNamespace)
        log.warn({ namespace, err: error }, `the Lease ${HOLDER_LEASE} could not be had: ${messageOf(error)}`);
    }
    const now = standing(namespace);
    // What had its turn while something was not being deleted yet.
    if (now === before && closed.isGoing(namespace)) options.onKept(namespace);
    if (now !== undefined && now !== before) taken(namespace);
  }

  function taken(namespace: string): void {
    const before = gone.get(namespace);
    gone.delete(namespace);
    const hadOther = others.delete(namespace);
    if (before && isInTime(before)) options.onKept(namespace);
    else options.onTaken(namespace, hadOther);
  }

  function isDue(namespace: string): boolean {
    if (clock.monotonic() < retakes.mayFrom(namespace)) return false;
    const lease = leases.get(namespace, HOLDER_LEASE);
    if (lease && rivalOf(namespace) !== undefined && hasExpired(namespace, lease)) return true;
    const left = (next.get(namespace) ?? 0) - clock.monotonic();
    // After a suspension, or when the clock was set, it has lapsed long before its renewal is due. What failed a moment ago waits.
    return left <= 0 || (hasLapsed(namespace) && left > MOST_RETRY_MILLISECONDS);
  }

  /** It is still on record as held by this installation, which may not act on it any more. */
  function hasLapsed(namespace: string): boolean {
    return renewed.has(namespace) && holderOf(namespace) === identity && !holds(namespace);
  }

  function want(namespace: string): void {
    if (signal && !signal.aborted && isDue(namespace)) void attempt(namespace);
  }

  /** Anybody may make any number of namespaces, and delete them. */
  function forget(wanted: ReadonlySet<string>): void {
    for (const namespace of known) {
      if (wanted.has(namespace) || trying.has(namespace) || leases.get(namespace, HOLDER_LEASE)) continue;
      for (const kept of [known, gone, acted, others, changed, next, toldOf]) kept.delete(namespace);
      closed.opened(namespace);
    }
  }

  async function takeAll(): Promise<void> {
    const wanted = new Set(options.wanted());
    forget(wanted);
    const due = [...wanted].filter(isDue);
    const work = async () => {
      for (let namespace = due.pop(); namespace !== undefined; namespace = due.pop()) await attempt(namespace);
    };
    await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, due.length) }, work));
  }

  async function keep(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      await clock.sleep(Math.min(5000, duration / 60), until).catch(() => undefined);
      if (!until.aborted) await takeAll();
    }
  }

  return {
    holds,
    isMissing: closed.isMissing,
    rivalOf,

    want,

    async start(until) {
      signal = until;
      await takeAll();
      void keep(until);
    },
  };
}
