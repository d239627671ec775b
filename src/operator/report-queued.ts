import { backoffDelay } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { Api, Lane } from '../cloud/limiter/lanes.ts';
import { MOMENT_MILLISECONDS, type Outlook } from '../cloud/limiter/limiter.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import { timestamp } from '../kubernetes/objects.ts';
import { findCondition, mergeConditions } from '../reconcile/conditions.ts';
import type { CommonStatus, ManagedObject } from '../reconcile/managed-object.ts';
import { CommonReason } from '../reconcile/verdict.ts';
import { compareText } from '../text.ts';
import { lineOf } from './kinds.ts';
import type { WiredKind } from './wiring.ts';

/** Between two looks. Milliseconds. */
const INTERVAL_MILLISECONDS = 5000;
/** A turn that comes within this is no news. Seconds. */
const SOON_SECONDS = 5;
/** What a new resource asks of the service before it is Ready, about: a SIM that is activated, registered and addressed. */
const REQUESTS_OF_A_CREATION = 4;
/** What was told is not told anew before this long, and each time not before twice as long. Milliseconds. */
const TELL_AGAIN_MILLISECONDS = 30_000;
/** An estimate is told anew once it was wrong by this part of the longer one of the two waits, and by a minute. */
const WRONG_SHARE = 1 / 2;
const WRONG_MILLISECONDS = 60_000;
/** An estimate is no more exact than this. Milliseconds. */
const ROUNDED_MILLISECONDS = 10_000;
/** By then a pass has said what it waits for, if there was one. Milliseconds. */
const OWN_WORD_MILLISECONDS = 30_000;
/** Statuses written at one look: the apiserver has better to do. */
const MOST_REPORTS_AT_ONCE = 200;

/** A kind, as far as it is looked at for what waits. */
interface Listed {
  readonly reconciler: { readonly kind: string };
  readonly informer: { list(): ManagedObject[] };
}

/** What is to be expected of an account for requests of a lane; undefined: it can't be used. */
type OutlookOf = (account: string, api: Api, lane: Lane) => Outlook | undefined;

/** Where a resource stands among those that wait, and why they do. */
interface Place {
  /** Until when the service wants nothing, if that is not over soon; milliseconds since the epoch. */
  readonly closedUntil?: number | undefined;
  /** See {@link Outlook}. */
  readonly isSlowed?: boolean;
  /** What is left of the hour is kept for namespaces that had less of it. */
  readonly isKept?: boolean;
  /** How many of its account go before it. */
  readonly before: number;
  /** Seconds until its turn comes, about. */
  readonly seconds: number;
}

/** A resource that waits. */
interface Waiting<K extends Listed> {
  readonly wired: K;
  readonly object: ManagedObject;
  readonly place: Place;
}

/** What a resource was told: when, when its turn was expected to come, and how often. Monotonic milliseconds. */
interface Told {
  readonly at: number;
  readonly expectedAt: number;
  readonly times: number;
  /** Until when the service was said to want nothing; milliseconds since the epoch. */
  readonly closedUntil: number | undefined;
}

/**
 * Reports to resources that wait for their first turn, and will for a while, that they do, and how many are before them: a
 * thousand SIMs at ten requests a second take eight minutes, and a person should see why. Where the limits let
 * them go soon, nothing is written: the first status is then the one that says Ready.
 */
export async function reportQueued(options: {
  readonly client: KubeClient;
  readonly kinds: readonly WiredKind[];
  /** The account a resource uses. */
  readonly accountOf: (object: ManagedObject) => string;
  /** Whether no other installation looks after it. */
  readonly isOurs: (object: ManagedObject) => boolean;
  readonly outlookOf: OutlookOf;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { client, clock, signal } = options;
  let told = new Map<string, Told>();

  /** Guarded by the resource version: whoever has written since knows better. */
  async function report({ wired, object, place }: Waiting<WiredKind>): Promise<void> {
    const { namespace, name, uid, resourceVersion, generation = 0 } = object.metadata;
    const status = queuedStatus(generation, place, clock.now(), object.status?.conditions);
    const patch = { metadata: { uid, resourceVersion }, status };
    const { resource } = wired.reconciler;
    const written = await client.mergePatch<ManagedObject>(resource, namespace, name, patch, { subresource: 'status' });
    wired.informer.put(written);
  }

  for (;;) {
    await clock.sleep(INTERVAL_MILLISECONDS, signal);
    const now = clock.monotonic();
    const waiting = waitingLong({ ...options, now: clock.now() }).filter(({ object }) => options.isOurs(object));
    if (waiting.length === 0) {
      told.clear();
      continue;
    }
    const before = told;
    told = new Map(waiting.flatMap(({ object: { metadata } }) => entryOf(before, metadata.uid)));
    for (const one of waiting
      .filter(({ object, place }) => isToBeTold(told.get(object.metadata.uid), place, now))
      .slice(0, MOST_REPORTS_AT_ONCE)) {
      const { uid } = one.object.metadata;
      const known = told.get(uid);
      told.set(uid, toldNow(known, one.place, now));
      await report(one).catch((error: unknown) => {
        if (!(error instanceof KubeError) && !(error instanceof NotLeaderError)) throw error;
        if (known) told.set(uid, known);
        else told.delete(uid);
      });
    }
  }
}

function entryOf(told: ReadonlyMap<string, Told>, uid: string): [string, Told][] {
  const known = told.get(uid);
  return known ? [[uid, known]] : [];
}

/** What is told now of a place, after what was told before. Pure; the time is monotonic milliseconds. */
export function toldNow(before: Told | undefined, { seconds, closedUntil }: Place, now: number): Told {
  return { at: now, expectedAt: now + seconds * 1000, times: (before?.times ?? 0) + 1, closedUntil };
}

/**
 * Whether a resource that waits is to be told of its place: it was told nothing, or something that has turned out to be
 * wrong by a factor of two, or not that the service wants nothing. What came true costs one write, however long the line
 * is, and what is wrong again and again few: each time it has to wait twice as long to be told. Pure.
 */
export function isToBeTold(told: Told | undefined, { seconds, closedUntil = 0 }: Place, now: number): boolean {
  if (!told) return true;
  if (now - told.at < backoffDelay(TELL_AGAIN_MILLISECONDS, told.times - 1)) return false;
  if (closedUntil > (told.closedUntil ?? 0)) return true;
  const wait = seconds * 1000;
  const thought = told.expectedAt - now;
  return Math.abs(wait - thought) > Math.max(WRONG_MILLISECONDS, WRONG_SHARE * Math.max(wait, thought));
}

/** The resources whose turn does not come soon, each with its place among those of its account and line. */
export function waitingLong<K extends Listed>(options: {
  readonly kinds: readonly K[];
  readonly accountOf: (object: ManagedObject) => string;
  readonly outlookOf: OutlookOf;
  /** Milliseconds since the epoch. */
  readonly now: number;
}): Waiting<K>[] {
  const { kinds, accountOf, outlookOf, now } = options;
  const silent = [];
  for (const wired of kinds) {
    const { line, api, lane } = lineOf(wired.reconciler.kind);
    for (const object of wired.informer.list()) {
      // So none is nearly always.
      if (!isSilent(object)) continue;
      // Passes over those that share an hour hardly wait in line: each says itself what it waits for, and knows better.
      const isSoonTold =
        object.status?.conditions !== undefined || now - Date.parse(ageOf(object)) < OWN_WORD_MILLISECONDS;
      if (api === 'webaccel' && isSoonTold) continue;
      silent.push({ wired, object, age: ageOf(object), account: accountOf(object), line, api, lane });
    }
  }
  if (silent.length === 0) return [];
  const lines = Map.groupBy(silent, ({ line }) => line).values();
  return [...lines]
    .flatMap((line) => [...Map.groupBy(line, ({ account }) => account).values()])
    .flatMap((line) => {
      const [first] = line;
      const outlook = first && outlookOf(first.account, first.api, first.lane);
      if (!outlook) return [];
      const { isSlowed } = outlook;
      const isClosed = outlook.closedUntil !== undefined && outlook.closedUntil - now >= MOMENT_MILLISECONDS;
      const closedUntil = isClosed ? outlook.closedUntil : undefined;
      const namespaces = new Set(line.map(({ object }) => namespaceOf(object)));
      /** How many of each namespace were looked at. */
      const counts = new Map<string, number>();
      return line
        .toSorted((a, b) => compareText(a.age, b.age))
        .map(({ wired, object }, before) => {
          const namespace = namespaceOf(object);
          const own = counts.get(namespace) ?? 0;
          counts.set(namespace, own + 1);
          // Namespaces take turns: of each other one no more go before it than of its own, and one.
          const ahead = Math.min(before, own + (own + 1) * (namespaces.size - 1));
          const seconds = outlook.secondsFor(ahead * REQUESTS_OF_A_CREATION + 1, namespace);
          const isKept = outlook.isKept(namespace);
          return { wired, object, place: { before, seconds, isSlowed, isKept, closedUntil } };
        })
        .filter(({ place }) => place.seconds >= SOON_SECONDS);
    });
}

function namespaceOf(object: ManagedObject): string {
  return object.metadata.namespace ?? '';
}

function ageOf(object: ManagedObject): string {
  return object.metadata.creationTimestamp ?? '';
}

/** The status of a resource that waits in that place. Pure. */
export function queuedStatus(
  observedGeneration: number,
  place: Place,
  now: number,
  conditions: NonNullable<CommonStatus['conditions']> = [],
): CommonStatus {
  const expectedAt = Math.ceil((now + place.seconds * 1000) / ROUNDED_MILLISECONDS) * ROUNDED_MILLISECONDS;
  const message = `Waiting for its turn: ${whyOf(place, now)}. It continues at about ${timestamp(expectedAt)}.`;
  const verdict = { reason: CommonReason.Queued, message };
  return {
    observedGeneration,
    conditions: mergeConditions(
      conditions,
      [
        { type: 'Ready', status: 'False', ...verdict },
        { type: 'Synced', status: 'False', ...verdict },
        { type: 'Reconciling', status: 'True', ...verdict },
      ],
      observedGeneration,
      now,
    ),
  };
}

/** Dated, so that it stays true while the line moves on. */
function whyOf({ before, closedUntil, isSlowed, isKept }: Place, now: number): string {
  const others = before === 1 ? '1 other was' : `${before} others were`;
  const line = before === 0 ? '' : `${others} before it at ${timestamp(now)}, and `;
  if (closedUntil !== undefined) {
    return `${line}the service wants none of the account’s requests until ${timestamp(roundedUp(closedUntil))}`;
  }
  if (isSlowed)
    return `${line}the service has had too much to do to take as many requests as the account’s limits allow`;
  if (isKept)
    return `${line}what is left of the account’s hour is kept for namespaces that had less of it than this one`;
  return `${line}the account’s limits say ${before === 0 ? 'when the next request may go' : 'how fast they may go'}`;
}

/** To the whole second that timestamps have. */
function roundedUp(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000) * 1000;
}

/** Nothing was ever said about it, or only that it waits. */
function isSilent({ metadata, status }: ManagedObject): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return !status?.conditions || findCondition(status.conditions, 'Ready')?.reason === CommonReason.Queued;
}
