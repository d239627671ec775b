import { backoffDelay } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { type CloudError, RetryableError } from '../errors.ts';
import type { Api, Turn } from '../limiter/lanes.ts';
import type { CallSite } from './answer-errors.ts';

/**
 * Nothing was sent, for the service fails this operation whatever it is asked about. Its class is `Retryable`; its code is
 * `ServiceFailing`; `retryAfterSeconds` is when the next request may try. The cause is the failure that was the reason.
 */
export class ServiceFailingError extends RetryableError {
  override get code(): string {
    return 'ServiceFailing';
  }
}

/** What became of a request: the service answered, failed, or cannot be judged by it. */
export type Outcome = { readonly failed: CloudError } | 'answered' | 'unclear';

/**
 * One per client: the credentials, the address and the certificates of an account. Where the service fails an operation for
 * several objects in a row, each of them trying on its own would use up the hour; so one request at a time tries, ever more
 * rarely, and the others are not sent. Who has not failed yet tries first, and without waiting for a probe, unless others like
 * it have failed of late; then who failed longest ago: so what fails by itself, however often, keeps nobody else from being
 * served. Nor does what waits for its first try keep a piece of work waiting that has just begun, as a certificate that was
 * renewed, nor what fails for hours keep what has failed for minutes waiting: these have tries of their own, unless there are
 * many such.
 */
export interface Breaker {
  /** Throws ServiceFailingError when a request would not be sent now. `turn`: what it is a part of. */
  check(site: CallSite, party?: string, turn?: Work): void;
  /** Whether the operation failed for just this object, and was not answered for it since. */
  hasFailed(site: CallSite): boolean;
  /** Call when the request is about to be written: throws as `check` does; what it returns is to be told the outcome, once. */
  begin(api: Api, site: CallSite, party?: string, turn?: Work): (outcome: Outcome) => void;
}

type Work = Pick<Turn, 'began' | 'failedBefore'>;

/**
 * So many failures in a row: of a list, or of at least two objects, because one that is broken by itself says nothing of
 * the others.
 */
const FAILURES_TO_OPEN = 3;
/** Between two probes, doubled each time up to the longest. Milliseconds. */
const FIRST_WAIT_MILLISECONDS = 2000;
const LONGEST_WAIT_MILLISECONDS: Readonly<Record<Api, number>> = { cloud: 60_000, webaccel: 300_000 };
/** Others ask again so soon while a probe is under way. Seconds. */
const PROBING_RETRY_SECONDS = 1;
/** A probe that says nothing for so long is taken for lost. Milliseconds. */
const LOST_PROBE_MILLISECONDS = 60_000;

/** So many are remembered: what has gone meanwhile is never answered for. */
const MOST_REMEMBERED = 10_000;

/** A probe is left to those before in the order for so long, and for this part of the time until the next. Milliseconds. */
const PRECEDENCE_MILLISECONDS = 2000;
const PRECEDENCE_PART = 1 / 16;
/** Between two tries of what has just begun, at most; and it is halved in so long in which there was none. Milliseconds. */
const LONGEST_NEWCOMER_MILLISECONDS = 60_000;
/** What asked first so lately has just begun: it is so for longer than it waits for the next of its turns. Milliseconds. */
const LATELY_MILLISECONDS = 2 * LONGEST_NEWCOMER_MILLISECONDS;

/**
 * What began to fail so lately, beside what has failed for longer, has such tries, too: a trouble of minutes is over by then.
 * Milliseconds.
 */
const FAILED_LATELY_MILLISECONDS = 600_000;

/** When one may be tried, monotonic milliseconds, and how long the next one waits if that fails. */
interface Try {
  at: number;
  wait: number;
}

/** One operation of the service. */
interface State {
  readonly api: Api;
  /**
   * What it failed for, and was not answered for since, what failed longest ago first, and when it did so first, if that was in
   * work that had just begun; monotonic milliseconds.
   */
  readonly names: Map<string, number>;
  /** What is there because it failed before this process: no more than once, for it may have been answered since. */
  readonly fromBefore: Set<string>;
  /** Since when there has been something in the names; monotonic milliseconds. */
  failsSince: number;
  /** What the failures in a row were of. */
  readonly inRow: Set<string>;
  /** Whose they were, who failed longest ago first. */
  readonly parties: Set<string>;
  failures: number;
  /** One of those in a row had not failed before. */
  isNews: boolean;
  /** Set while the operation fails; times are monotonic milliseconds, but for `since`. */
  failing:
    | {
        readonly cause: CloudError;
        readonly told: string;
        /** Milliseconds since the epoch. */
        readonly since: number;
        /** Of whoever it is. */
        readonly probe: Try;
        /** Of what has not failed yet. */
        readonly novice: Try;
        /** Of that of which the work has just begun, or that has just begun to fail. */
        readonly newcomer: Try;
        /** By name, as which piece of work what has not failed asked first, and when. */
        readonly came: Map<string, { readonly work: number; readonly at: number }>;
        probingSince: number | undefined;
      }
    | undefined;
}

export function createBreaker(clock: Clock): Breaker {
  /** By the operation in its normal form: reads may work while writes fail. */
  const byRoute = new Map<string, State>();

  function stateOf(api: Api, route: string): State {
    const known = byRoute.get(route);
    if (known) return known;
    const made: State = {
      api,
      names: new Map(),
      fromBefore: new Set(),
      failsSince: Number.POSITIVE_INFINITY,
      inRow: new Set(),
      parties: new Set(),
      failures: 0,
      isNews: false,
      failing: undefined,
    };
    byRoute.set(route, made);
    return made;
  }

  /** Gives the turns that it has while the operation fails. */
  function refuse(site: CallSite, party: string | undefined, work: Work | undefined): Try[] {
    const state = byRoute.get(site.route);
    // What failed before this process began asks for no first try.
    const before = work?.failedBefore;
    if (state && before?.call === site.name && !state.fromBefore.has(site.name)) {
      moveToEnd(state.fromBefore, site.name);
      if (!state.names.has(site.name)) enter(state, site.name, before.since);
    }
    const failing = state?.failing;
    if (!failing) return [];
    const now = clock.monotonic();
    const isProbing = failing.probingSince !== undefined && now - failing.probingSince < LOST_PROBE_MILLISECONDS;
    const place = 3 * (party === undefined ? 0 : placeIn(state.parties, party)) + placeIn(state.names, site.name);
    const failedAt = state.names.get(site.name);
    const isNew =
      failedAt === undefined
        ? hasJustBegun(failing.came, site, work?.began, now)
        : isBeside(state.failsSince, failedAt, now);
    const turns = [
      failing.probe,
      ...(failedAt === undefined ? [failing.novice] : []),
      ...(isNew ? [failing.newcomer] : []),
    ];
    const mayAt = ({ at, wait }: Try) => at + place * Math.min(PRECEDENCE_MILLISECONDS, wait * PRECEDENCE_PART);
    const open = turns.filter((turn) => now >= mayAt(turn));
    if (!isProbing && open.length > 0) return open;
    const { cause } = failing;
    const since = new Date(failing.since).toISOString().replace(/\.\d{3}Z$/, 'Z');
    throw new ServiceFailingError(
      `${site.name}: not sent, because this operation has been failing since ${since}: ${failing.told}`,
      'Nothing to do: it is tried now and then, and everything goes on once the service answers.',
      {
        route: site.route,
        retryAfterSeconds: isProbing ? PROBING_RETRY_SECONDS : Math.ceil((Math.min(...turns.map(mayAt)) - now) / 1000),
        cause,
      },
    );
  }

  /** `open`: the turns that it might take. */
  function failed(state: State, site: CallSite, party: string | undefined, cause: CloudError, open: Try[]): void {
    const now = clock.monotonic();
    const isNew = !state.names.has(site.name);
    const longest = LONGEST_WAIT_MILLISECONDS[state.api];
    state.failures++;
    state.isNews ||= isNew;
    const hasBegun = state.failing === undefined || open.includes(state.failing.newcomer);
    enter(state, site.name, hasBegun ? now : Number.NEGATIVE_INFINITY, now);
    state.inRow.add(site.name);
    if (party !== undefined) moveToEnd(state.parties, party);
    const isOfAll = !site.write && !site.ofResource;
    // No longer than it would be left alone at last: whoever says when to come back may mean a day.
    const asked = Math.min((cause.retryAfterSeconds ?? 0) * 1000, longest);
    const putOff = (turn: Try) => {
      turn.at = now + Math.max(turn.wait, asked);
      turn.wait = backoffDelay(turn.wait, 1, longest);
    };
    const { failing } = state;
    if (failing) {
      const { probe, novice, newcomer } = failing;
      // It took nobody else's.
      if (open.length === 1 && open[0] === newcomer) {
        const halvings = (now - newcomer.at) / LONGEST_NEWCOMER_MILLISECONDS;
        newcomer.wait = Math.max(FIRST_WAIT_MILLISECONDS, newcomer.wait / 2 ** halvings);
        putOff(newcomer);
        newcomer.wait = Math.min(newcomer.wait, LONGEST_NEWCOMER_MILLISECONDS);
        return;
      }
      putOff(probe);
      if (isNew) putOff(novice);
    } else if (state.failures >= FAILURES_TO_OPEN && (isOfAll || state.inRow.size > 1)) {
      const at = now + Math.max(FIRST_WAIT_MILLISECONDS, asked);
      const wait = backoffDelay(FIRST_WAIT_MILLISECONDS, 1);
      state.failing = {
        cause,
        told: toldToOthers(site, cause),
        since: clock.now(),
        probe: { at, wait },
        novice: { at: state.isNews || isOfAll ? at : now, wait },
        newcomer: { at, wait },
        came: new Map(),
        probingSince: undefined,
      };
    }
  }

  function answered(state: State, name: string): void {
    const wasFailing = state.failing !== undefined;
    state.failing = undefined;
    state.failures = 0;
    state.isNews = false;
    state.names.delete(name);
    state.inRow.clear();
    state.parties.clear();
    if (!wasFailing) return;
    // What failed with it may work again, too: it need not wait for its own probe.
    for (const other of byRoute.values()) {
      if (other.api === state.api && other.failing) other.failing.probe.at = Number.NEGATIVE_INFINITY;
    }
  }

  return {
    check: refuse,
    hasFailed: ({ route, name }) => byRoute.get(route)?.names.has(name) === true,
    begin(api, site, party, work) {
      const state = stateOf(api, site.route);
      const open = refuse(site, party, work);
      const probed = state.failing;
      if (probed) probed.probingSince = clock.monotonic();
      return (outcome) => {
        if (probed) probed.probingSince = undefined;
        if (outcome === 'unclear') return;
        if (outcome === 'answered') answered(state, site.name);
        // What was under way when it was noticed says nothing new.
        else if (state.failing === probed) failed(state, site, party, outcome.failed, open);
      };
    },
  };
}

/** Whether what has not failed asks for a piece of work that it asked for first a moment ago. Keeps when that was. */
function hasJustBegun(
  came: NonNullable<State['failing']>['came'],
  { name, ofResource }: CallSite,
  work: number | undefined,
  now: number,
): boolean {
  if (!ofResource || work === undefined) return false;
  const before = came.get(name);
  const since = before?.work === work ? before.at : now;
  if (came.has(name) || came.size < MOST_REMEMBERED) came.set(name, { work, at: since });
  return now - since <= LATELY_MILLISECONDS;
}

/** 0: has not failed; 1: failed longest ago; 2: all others. */
function placeIn(failed: Pick<ReadonlySet<string>, 'has' | 'keys'>, name: string): number {
  if (!failed.has(name)) return 0;
  const [first] = failed.keys();
  return first === name ? 1 : 2;
}

function moveToEnd(set: Set<string>, name: string): void {
  set.delete(name);
  set.add(name);
  dropFirst(set);
}

/** It failed last of all, at that time. */
function enter(state: State, name: string, first: number, at = first): void {
  const { names } = state;
  state.failsSince = Math.min(names.size === 0 ? at : state.failsSince, at);
  const known = names.get(name) ?? first;
  names.delete(name);
  names.set(name, known);
  dropFirst(names);
}

/** Whether it began to fail lately, and long after others did. */
function isBeside(failsSince: number, failedAt: number, now: number): boolean {
  return now - failedAt <= FAILED_LATELY_MILLISECONDS && failedAt - failsSince > FAILED_LATELY_MILLISECONDS;
}

/** Keeps no more than can be remembered. */
function dropFirst(failed: Pick<Set<string>, 'size' | 'keys' | 'delete'>): void {
  const [first] = failed.keys();
  if (failed.size > MOST_REMEMBERED && first !== undefined) failed.delete(first);
}

/** What the failure was, without whose: an account may be that of many, and the service's own words can name what is another's. */
function toldToOthers(site: CallSite, { status, errorCode, message }: CloudError): string {
  if (!site.ofResource) return message;
  if (status === undefined) return message.replaceAll(site.name, site.route);
  return `${site.route}: the service answered ${status}${errorCode === undefined ? '' : ` ${errorCode}`}`;
}
