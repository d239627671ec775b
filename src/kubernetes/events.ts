import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { trimEndOf, withoutSerials } from '../text.ts';
import type { KubeClient } from './client.ts';
import { isNotFound, NotLeaderError } from './errors.ts';
import { A_MINUTE, createAllowance } from './event-allowance.ts';
import { createEventLine, type Weight } from './event-line.ts';
import { type KubernetesObject, microTimeOf } from './objects.ts';
import { EVENTS } from './resource.ts';

export interface EventRecord {
  object: KubernetesObject;
  type: 'Normal' | 'Warning';
  /** CamelCase, why. */
  reason: string;
  /** One sentence for people; cut at 1,024 characters. */
  message: string;
  /** CamelCase, what was done; default `Reconcile`. */
  action?: string;
  /** What programs may read of it. */
  annotations?: Record<string, string>;
  /**
   * What sort of event it is, where the status or the log of changes says the same: of many of one sort at once, as when a fleet
   * is created, only some are written. Undefined: nothing else tells it as well.
   */
  routine?: string | undefined;
}

/** Writes Events that `kubectl describe` shows, in the background: they are worth having, never worth waiting for. */
export interface EventRecorder {
  record(event: EventRecord): void;
  /** Events given up so far: too many of one sort, the queue was full, or the apiserver refused. */
  readonly dropped: number;
  /** Events not sent yet. */
  readonly length: number;
  /** Sends what is left, at most for that many milliseconds, and takes no more. */
  flush(timeoutMilliseconds: number): Promise<void>;
}

export interface EventRecorderOptions {
  client: KubeClient;
  /** `reportingController`, such as `edgeline.dev/operator`. */
  controller: string;
  /** `reportingInstance`, such as the pod's name. */
  instance: string;
  /** Whether there is more important traffic: then at most `ratePerSecond` events are sent. */
  busy: () => boolean;
  /** Default 10. */
  ratePerSecond?: number;
  /** How many may wait; beyond it one is given up, the least important first, of the namespace that has the most of those. Default 1,000. */
  capacity?: number;
  /** Hears of each event that is given up. */
  onDropped?: () => void;
  clock: Clock;
  random: () => number;
  log: Logger;
}

/** Milliseconds within which the same event again is counted on the first instead of written anew. */
const SERIES_MILLISECONDS = 10 * 60_000;
const MOST_REMEMBERED = 4096;

interface Pending {
  readonly event: EventRecord;
  readonly weight: Weight;
  count: number;
  /** Microseconds since the epoch. */
  lastAt: number;
}

interface Sent {
  readonly namespace: string;
  readonly name: string;
  count: number;
  /** Microseconds since the epoch. */
  at: number;
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, random, log, ratePerSecond = 10, capacity = 1000 } = options;
  const pending = createEventLine<Pending>();
  const sent = new Map<string, Sent>();
  const allowance = createAllowance(clock);
  const hurry = new AbortController();
  let sending: Promise<void> | undefined;
  let dropped = 0;
  let closed = false;
  let lastMoment = 0;

  /** Microseconds since the epoch: what is told within one millisecond keeps its order for those who sort by time. */
  function moment(): number {
    const now = clock.now() * 1000;
    const next = lastMoment + 1;
    lastMoment = next > now && next < now + 1000 ? next : now;
    return lastMoment;
  }

  function drop(count = 1): void {
    dropped += count;
    for (let left = count; left > 0; left--) options.onDropped?.();
  }

  function record(event: EventRecord): void {
    if (closed) return;
    if (event.routine !== undefined && isLeftOut(event, event.routine)) return drop();
    const { object, type, reason, action, message } = event;
    const key = [object.metadata.uid, type, reason, action, withoutSerials(message)].join('\n');
    const namespace = event.object.metadata.namespace ?? '';
    const waiting = pending.get(namespace, key);
    if (waiting) {
      waiting.count++;
      waiting.lastAt = moment();
      return;
    }
    pending.add(namespace, key, { event, weight: weightOf(event), count: 1, lastAt: moment() });
    if (pending.length > capacity) {
      pending.giveUpOne();
      drop();
    }
    sending ??= drain();
  }

  /** Of each sort in each namespace, so that neither a tenant nor a mass of one sort takes anything from the others. */
  function isLeftOut({ object }: EventRecord, routine: string): boolean {
    const { kind } = object;
    const { namespace = '' } = object.metadata;
    const allowed = allowance([namespace, kind, routine].join('\n'));
    if (allowed === 'no, which is news') {
      log.info(
        { kind, namespace, events: routine },
        `there are many events ${routine} of this kind in this namespace: at most ${A_MINUTE} a minute are written until there are fewer; statuses and the log of changes have all`,
      );
    }
    return allowed !== 'yes';
  }

  async function drain(): Promise<void> {
    try {
      // What is recorded in one go shall be counted together.
      await clock.sleep(0);
      for (let next = pending.next(); next !== undefined; next = pending.next()) {
        const [key, item] = next;
        await send(key, item);
        if (options.busy()) await clock.sleep(1000 / ratePerSecond, hurry.signal).catch(() => undefined);
      }
    } finally {
      sending = undefined;
    }
  }

  async function send(key: string, item: Pending): Promise<void> {
    try {
      const previous = sent.get(key);
      const isRecent = previous && clock.now() - previous.at / 1000 < SERIES_MILLISECONDS;
      if (isRecent && (await continueSeries(previous, item))) return;
      await begin(key, item);
    } catch (error) {
      drop();
      if (error instanceof NotLeaderError || closed) return;
      const { object, reason } = item.event;
      log.debug(
        { err: error, kind: object.kind, name: object.metadata.name, reason },
        `an event was not written: ${messageOf(error)}`,
      );
    }
  }

  /** False when the event is gone: they live for an hour by default. */
  async function continueSeries(previous: Sent, item: Pending): Promise<boolean> {
    const count = previous.count + item.count;
    const series = { count, lastObservedTime: microTimeOf(item.lastAt) };
    try {
      await client.mergePatch(EVENTS, previous.namespace, previous.name, { series }, { retry: false });
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
    previous.count = count;
    previous.at = item.lastAt;
    return true;
  }

  async function begin(key: string, item: Pending): Promise<void> {
    const { event, count, lastAt } = item;
    const { metadata } = event.object;
    // Events of cluster-scoped objects live in `default`, where kubectl looks for them.
    const namespace = metadata.namespace ?? 'default';
    const name = eventName(metadata.name, Math.floor(lastAt / 1000), random);
    // Before the answer, which may be lost: what was not written is not found when it is to be counted.
    remember(key, { namespace, name, count, at: lastAt });
    await client.create(
      EVENTS,
      namespace,
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name, namespace, ...(event.annotations && { annotations: event.annotations }) },
        eventTime: microTimeOf(lastAt),
        type: event.type,
        reason: event.reason,
        action: event.action ?? 'Reconcile',
        note: event.message.slice(0, 1024),
        reportingController: options.controller,
        reportingInstance: options.instance.slice(0, 128),
        regarding: {
          apiVersion: event.object.apiVersion,
          kind: event.object.kind,
          name: metadata.name,
          ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
          uid: metadata.uid,
          resourceVersion: metadata.resourceVersion,
        },
        // The apiserver takes a series of two or more only.
        ...(count > 1 ? { series: { count, lastObservedTime: microTimeOf(lastAt) } } : {}),
      },
      { retry: false },
    );
  }

  function remember(key: string, event: Sent): void {
    sent.delete(key);
    sent.set(key, event);
    const [oldest] = sent.keys();
    if (sent.size > MOST_REMEMBERED && oldest !== undefined) sent.delete(oldest);
  }

  return {
    record,
    get dropped() {
      return dropped;
    },
    get length() {
      return pending.length;
    },
    async flush(timeoutMilliseconds) {
      hurry.abort();
      const waited = new AbortController();
      const left = sending ?? Promise.resolve();
      await Promise.race([left, clock.sleep(timeoutMilliseconds, waited.signal).catch(() => undefined)]);
      waited.abort();
      closed = true;
      drop(pending.length);
      pending.clear();
    },
  };
}

function weightOf({ type, routine }: EventRecord): Weight {
  if (routine !== undefined) return 'routine';
  return type === 'Warning' ? 'warning' : 'normal';
}

/** As client-go names them: the object's name and a number that is not used twice. */
function eventName(objectName: string, now: number, random: () => number): string {
  const unique =
    now.toString(16) +
    Math.floor(random() * 0x100000)
      .toString(16)
      .padStart(5, '0');
  const start = trimEndOf(objectName.slice(0, 252 - unique.length), (character) => !/[a-z0-9]/.test(character));
  return `${start}.${unique}`;
}
