import type { Clock } from '../../clock.ts';
import { RejectedError } from '../../cloud/errors.ts';
import type { Gateway } from '../../cloud/gateway/types.ts';
import { InformerStoppedError } from '../../cloud/list/informer.ts';
import type { ListInformer, ObservedList } from '../../cloud/list/snapshot.ts';
import { zones } from '../../cloud/zones.ts';
import { orAborted } from '../../kubernetes/wait.ts';
import { createWaitingLine, type WaitingLine } from '../../waiting-line.ts';
import { isUnknownZone } from '../mobile-gateway/unknown-zone.ts';

/** The lists of gateways of one account, one a zone. */
export interface GatewayLists {
  /** Of a zone that is known to exist it is polled from then on; of any other it is taken only for who waits for it. */
  of(zone: string): ObservedList<Gateway>;
  /** Whether the zone is known to exist: it always did, or there was a list of it. */
  isKnown(zone: string): boolean;
  /** Those that are polled, by zone. */
  polled(): ReadonlyMap<string, ListInformer<Gateway>>;
  stop(): void;
}

/** The first list of a zone that nobody knows. */
export interface FirstList {
  /** Whose request it is; undefined once it is the account's own. */
  party(): string | undefined;
  /** Told when a list ended, with why it failed; gives whether that says anything of the account. */
  onEnd(error: unknown): boolean;
}

export interface GatewayListsOptions {
  readonly clock: Clock;
  readonly make: (zone: string, first?: FirstList) => ListInformer<Gateway>;
  /** How long a zone that does not exist is not asked for again. Milliseconds. */
  readonly refusedMilliseconds: number;
}

/** So many zones are kept that nobody knew; a service that has them all could have any number polled. */
const MOST_FOUND = 50;
/** Of so many zones it is remembered that they do not exist. */
const MOST_REFUSED = 100;

/** A zone that a party names first. */
interface Trial {
  readonly zone: string;
  readonly informer: ListInformer<Gateway>;
  /** Why it failed. */
  error?: unknown;
}

type Observe = ObservedList<Gateway>['observeAfter'];

/**
 * Anybody may name any zone, and most are none: of these nothing is kept but that they were refused. A party has one that
 * nobody knows asked for at a time, at its own cost.
 */
export function createGatewayLists({ clock, make, refusedMilliseconds }: GatewayListsOptions): GatewayLists {
  const known = new Map<string, ListInformer<Gateway>>();
  let found = 0;
  /** By party; and who of it waits until that is over. */
  const trials = new Map<string, Trial>();
  const lines = new Map<string, WaitingLine<() => void>>();
  /** Who was refused last is last. */
  const refusals = new Map<string, { readonly at: number; readonly error: unknown }>();
  let stopped = false;

  function refuse(zone: string, error: unknown): void {
    refusals.delete(zone);
    refusals.set(zone, { at: clock.monotonic(), error });
    const [oldest] = refusals.keys();
    if (refusals.size > MOST_REFUSED && oldest !== undefined) refusals.delete(oldest);
  }

  /** Why the zone is not asked for, if that is so. */
  function refusalOf(zone: string): unknown {
    const refusal = refusals.get(zone);
    if (refusal && clock.monotonic() - refusal.at < refusedMilliseconds) return refusal.error;
    return found >= MOST_FOUND ? tooManyZones(zone) : undefined;
  }

  function wakeNext(party: string): void {
    if (trials.has(party)) return;
    const line = lines.get(party);
    const wake = line?.shift();
    if (line?.length === 0) lines.delete(party);
    wake?.();
  }

  async function waitInLine(party: string, signal: AbortSignal | undefined): Promise<void> {
    const line = lines.get(party) ?? createWaitingLine<() => void>();
    lines.set(party, line);
    const { promise, resolve } = Promise.withResolvers<void>();
    const place = line.join(resolve);
    try {
      await orAborted(promise, signal);
    } catch (error) {
      const wasWoken = !place.inLine;
      line.leave(place);
      if (line.length === 0 && lines.get(party) === line) lines.delete(party);
      if (wasWoken) wakeNext(party);
      throw error;
    }
  }

  function begin(zone: string, party: string): Trial {
    const informer = make(zone, {
      party: () => (known.get(zone) === informer || party === '' ? undefined : party),
      onEnd(error) {
        // What was polled may fail like any other.
        if (known.get(zone) === informer) return true;
        trials.delete(party);
        if (error === undefined && !known.has(zone)) {
          known.set(zone, informer);
          found++;
          informer.start();
          wakeNext(party);
          return true;
        }
        trial.error = error;
        if (isUnknownZone(error, zone)) refuse(zone, error);
        informer.stop();
        wakeNext(party);
        return false;
      },
    });
    const trial: Trial = { zone, informer };
    trials.set(party, trial);
    return trial;
  }

  async function observe(
    zone: string,
    ...[monotonic, signal, turn, party = '']: Parameters<Observe>
  ): ReturnType<Observe> {
    for (;;) {
      if (stopped) throw new InformerStoppedError();
      // Whose turn it is at the moment in which it is called off hands it on.
      if (signal?.aborted) wakeNext(party);
      signal?.throwIfAborted();
      const listed = known.get(zone);
      const refusal = listed ? undefined : refusalOf(zone);
      // Who stood in line for this hands on the turn.
      if (listed || refusal !== undefined) wakeNext(party);
      if (listed) return listed.observeAfter(monotonic, signal, turn);
      if (refusal !== undefined) throw refusal;
      const current = trials.get(party);
      if (current && current.zone !== zone) {
        await waitInLine(party, signal);
        continue;
      }
      const trial = current ?? begin(zone, party);
      try {
        return await trial.informer.observeAfter(monotonic, signal, turn);
      } catch (error) {
        if (!(error instanceof InformerStoppedError)) throw error;
        // Who asked while it was under way need not ask again.
        if (trial.error !== undefined) throw trial.error;
      }
    }
  }

  return {
    of(zone) {
      const listed = known.get(zone);
      if (listed) return listed;
      if (zones.some((one) => one === zone)) {
        const made = make(zone);
        known.set(zone, made);
        made.start();
        return made;
      }
      return {
        snapshot: () => known.get(zone)?.snapshot(),
        hasShown: (id) => known.get(zone)?.hasShown(id) ?? false,
        observeAfter: (...asked) => observe(zone, ...asked),
      };
    },
    isKnown: (zone) => known.has(zone) || zones.some((one) => one === zone),
    polled: () => known,
    stop() {
      stopped = true;
      for (const informer of known.values()) informer.stop();
      for (const { informer } of trials.values()) informer.stop();
      for (const line of lines.values()) for (let wake = line.shift(); wake; wake = line.shift()) wake();
      lines.clear();
    },
  };
}

function tooManyZones(zone: string): RejectedError {
  return new RejectedError(
    `The service answers for ${MOST_FOUND} zones that are not known, and ${zone} would be one more: it is not asked for`,
    `Check baseURL. Known are ${zones.join(', ')}.`,
    { route: 'GET /appliance' },
  );
}
