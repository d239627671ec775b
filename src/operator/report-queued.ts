import type { Clock } from '../clock.ts';
import type { Api } from '../cloud/limiter/lanes.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import { timestamp } from '../kubernetes/objects.ts';
import { findCondition, mergeConditions } from '../reconcile/conditions.ts';
import type { CommonStatus, ManagedObject } from '../reconcile/managed-object.ts';
import { CommonReason } from '../reconcile/verdict.ts';
import { lineOf } from './kinds.ts';
import type { WiredKind } from './wiring.ts';

/** Between two looks. Milliseconds. */
const INTERVAL_MILLISECONDS = 1000;
/** A turn that comes within this is no news. Seconds. */
const SOON_SECONDS = 5;
/** What a new resource asks of the service before it is Ready, about: a SIM that is activated, registered and addressed. */
const REQUESTS_OF_A_CREATION = 4;
/** What was told is not told anew before this long. Milliseconds. */
const TELL_AGAIN_MILLISECONDS = 30_000;
/** An estimate is told anew once it was wrong by this part of the wait that is left, and by a minute. */
const WRONG_SHARE = 1 / 3;
const WRONG_MILLISECONDS = 60_000;
/** An estimate is no more exact than this. Milliseconds. */
const ROUNDED_MILLISECONDS = 10_000;
/** Statuses written at one look: the apiserver has better to do. */
const MOST_REPORTS_AT_ONCE = 200;

/** A kind, as far as it is looked at for what waits. */
interface Listed {
  readonly reconciler: { readonly kind: string };
  readonly informer: { list(): ManagedObject[] };
}

/** A resource that waits, with the place it has. */
interface Waiting<K extends Listed> {
  readonly wired: K;
  readonly object: ManagedObject;
  /** How many of its account go before it. */
  readonly before: number;
  /** Seconds until its turn comes, about. */
  readonly seconds: number;
}

/** What a resource was told: when, and when its turn was expected to come. Monotonic milliseconds. */
interface Told {
  readonly at: number;
  readonly expectedAt: number;
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
  /** Seconds until the account may send so many requests more; undefined: the account can't be used. */
  readonly secondsFor: (account: string, api: Api, requests: number) => number | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { client, clock, signal } = options;
  let told = new Map<string, Told>();

  /** Guarded by the resource version: whoever has written since knows better. */
  async function report({ wired, object, ...place }: Waiting<WiredKind>): Promise<void> {
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
    const waiting = waitingLong(options).filter(({ object }) => options.isOurs(object));
    if (waiting.length === 0) {
      told.clear();
      continue;
    }
    const before = told;
    told = new Map(waiting.flatMap(({ object: { metadata } }) => entryOf(before, metadata.uid)));
    for (const one of waiting
      .filter(({ object, seconds }) => isToBeTold(told.get(object.metadata.uid), seconds, now))
      .slice(0, MOST_REPORTS_AT_ONCE)) {
      told.set(one.object.metadata.uid, { at: now, expectedAt: now + one.seconds * 1000 });
      await report(one).catch((error: unknown) => {
        if (!(error instanceof KubeError) && !(error instanceof NotLeaderError)) throw error;
      });
    }
  }
}

function entryOf(told: ReadonlyMap<string, Told>, uid: string): [string, Told][] {
  const known = told.get(uid);
  return known ? [[uid, known]] : [];
}

/**
 * Whether a resource that waits for so many seconds more is to be told so: it was told nothing, or something that has
 * turned out to be wrong. What came true costs one write, however long the line is. Pure.
 */
export function isToBeTold(told: Told | undefined, seconds: number, now: number): boolean {
  if (!told) return true;
  if (now - told.at < TELL_AGAIN_MILLISECONDS) return false;
  const wrong = Math.abs(now + seconds * 1000 - told.expectedAt);
  return wrong > Math.max(WRONG_MILLISECONDS, seconds * 1000 * WRONG_SHARE);
}

/** The resources whose turn does not come soon, each with its place among those of its account and line. */
export function waitingLong<K extends Listed>(options: {
  readonly kinds: readonly K[];
  readonly accountOf: (object: ManagedObject) => string;
  readonly secondsFor: (account: string, api: Api, requests: number) => number | undefined;
}): Waiting<K>[] {
  const { kinds, accountOf, secondsFor } = options;
  const all = [];
  for (const wired of kinds) {
    for (const object of wired.informer.list()) {
      if (isSilent(object)) all.push({ wired, object, account: accountOf(object), ...lineOf(wired.reconciler.kind) });
    }
  }
  // So it is nearly always, and it is looked each second.
  if (all.length === 0) return [];
  return [...Map.groupBy(all, ({ line, account }) => `${line} ${account}`).values()].flatMap((line) =>
    line
      .toSorted((a, b) => age(a.object).localeCompare(age(b.object)))
      .map((one, before) => ({
        ...one,
        before,
        seconds: secondsFor(one.account, one.api, before * REQUESTS_OF_A_CREATION + 1) ?? 0,
      }))
      .filter(({ seconds }) => seconds >= SOON_SECONDS),
  );
}

function age(object: ManagedObject): string {
  return object.metadata.creationTimestamp ?? '';
}

/** The status of a resource that waits with so many before it, for so many seconds. Pure. */
export function queuedStatus(
  observedGeneration: number,
  { before, seconds }: { readonly before: number; readonly seconds: number },
  now: number,
  conditions: NonNullable<CommonStatus['conditions']> = [],
): CommonStatus {
  const others = before === 1 ? '1 other was' : `${before} others were`;
  // Dated, so that it stays true while the line moves on.
  const place =
    before === 0
      ? 'the account’s limits say when the next request may go.'
      : `${others} before it at ${timestamp(now)}, and the account’s limits say how fast they may go.`;
  const expectedAt = Math.ceil((now + seconds * 1000) / ROUNDED_MILLISECONDS) * ROUNDED_MILLISECONDS;
  const message = `Waiting for its turn: ${place} It continues at about ${timestamp(expectedAt)}.`;
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

/** Nothing was ever said about it, or only that it waits. */
function isSilent({ metadata, status }: ManagedObject): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return !status?.conditions || findCondition(status.conditions, 'Ready')?.reason === CommonReason.Queued;
}
