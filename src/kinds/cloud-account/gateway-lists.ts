import type { Clock } from '../../clock.ts';
import { RejectedError } from '../../cloud/errors.ts';
import type { Gateway } from '../../cloud/gateway/types.ts';
import { InformerStoppedError, type ListInformer, type ObservedList } from '../../cloud/list/informer.ts';
import { zones } from '../../cloud/zones.ts';
import { orAborted } from '../../kubernetes/wait.ts';
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
  readonly over: Promise<void>;
  readonly end: () => void;
}

type Observe = ObservedList<Gateway>['observeAfter'];

/**
 * Anybody may name any zone, and most are none: of these nothing is kept but that they were refused. A party has one that
 * nobody knows asked for at a time, at its own cost.
 */
export function createGatewayLists({ clock, make, refusedMilliseconds }: GatewayListsOptions): GatewayLists {
  const known = new Map<string, ListInformer<Gateway>>();
  let found = 0;
  const trials = new Map<string, Trial>();
  /** Who was refused last is last. */
  const refusals = new Map<string, { readonly at: number; readonly error: unknown }>();
  let stopped = false;

  function refuse(zone: string, error: unknown): void {
    refusals.delete(zone);
    refusals.set(zone, { at: clock.monotonic(), error });
    const [oldest] = refusals.keys();
    if (refusals.size > MOST_REFUSED && oldest !== undefined) refusals.delete(oldest);
  }

  function throwIfRefused(zone: string): void {
    const refusal = refusals.get(zone);
    if (refusal && clock.monotonic() - refusal.at < refusedMilliseconds) throw refusal.error;
    if (found >= MOST_FOUND) throw tooManyZones(zone);
  }

  function begin(zone: string, party: string | undefined): Trial {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const informer = make(zone, {
      party: () => (known.get(zone) === informer ? undefined : party),
      onEnd(error) {
        // What was polled may fail like any other.
        if (known.get(zone) === informer) return true;
        trials.delete(partyName(party));
        end();
        if (error === undefined && !known.has(zone)) {
          known.set(zone, informer);
          found++;
          informer.start();
          return true;
        }
        trial.error = error;
        if (isUnknownZone(error, zone)) refuse(zone, error);
        informer.stop();
        return false;
      },
    });
    const trial: Trial = { zone, informer, over, end };
    trials.set(partyName(party), trial);
    return trial;
  }

  async function observe(zone: string, ...[monotonic, signal, turn, party]: Parameters<Observe>): ReturnType<Observe> {
    for (;;) {
      if (stopped) throw new InformerStoppedError();
      const listed = known.get(zone);
      if (listed) return listed.observeAfter(monotonic, signal, turn);
      throwIfRefused(zone);
      const current = trials.get(partyName(party));
      if (current && current.zone !== zone) {
        await orAborted(current.over, signal);
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
      for (const { informer, end } of trials.values()) {
        informer.stop();
        end();
      }
    },
  };
}

/** What no namespace asks is of a party, too. */
function partyName(party: string | undefined): string {
  return party ?? '';
}

function tooManyZones(zone: string): RejectedError {
  return new RejectedError(
    `The service answers for ${MOST_FOUND} zones that are not known, and ${zone} would be one more: it is not asked for`,
    `Check baseURL. Known are ${zones.join(', ')}.`,
    { route: 'GET /appliance' },
  );
}
