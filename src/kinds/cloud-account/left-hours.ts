import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isAlreadyExists, isConflict, isNotFound, KubeError } from '../../kubernetes/errors.ts';
import type { Lease } from '../../kubernetes/lease-object.ts';
import { LEASES } from '../../kubernetes/resource.ts';
import { type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Account } from './schema.ts';
import { cloudAccountStatus } from './status-schema.ts';

/** Holds nothing but the annotation: a Lease, for the operator may write those of its own namespace already. */
export const HOURS_LEASE = 'edgeline-hours';
const ANNOTATION = 'edgeline.dev/hours';

/** The rolling hour, and the minutes in which what is on record as not sent yet may be sent. Milliseconds. */
const HOUR_MILLISECONDS = 4_200_000;
/** By a clock that was further ahead nothing is dated that is kept: it would count as of now for that long. Milliseconds. */
const AHEAD_MILLISECONDS = 24 * 3_600_000;
/** So long a Lease that can't be read holds up those who would know what is in it. Milliseconds. */
const UNREADABLE_MILLISECONDS = 60_000;
/** Annotations of an object have 256 KiB together. Characters. */
const MOST_CHARACTERS = 200_000;
/** So many times it is sent while another writes, too. */
const TRIES = 4;

/** What an account that is gone had on record: signed for that account, by who had its token's secret. */
export interface LeftHour extends Pick<NonNullable<Account['status']>, 'budget' | 'closed' | 'allotments'> {
  readonly account: ObjectKey;
}

const { budget, closed, allotments } = cloudAccountStatus.shape;
const leftHour = z.object({ account: z.string(), budget, closed, allotments });

/**
 * Keeps on record, in the operator's own namespace, what accounts that are gone have used of their hours, until these are
 * over: one that is made anew goes on with its hour, also in another process.
 */
export interface LeftHours {
  /**
   * Resolves when it is stored, or can't be for want of a permission.
   * @throws KubeError when another try may succeed
   */
  keep(left: LeftHour): Promise<void>;
  /** What is on record as far as it begins so; whether it is signed is for the caller to see. */
  of(hint: string): Promise<readonly LeftHour[]>;
}

export function createLeftHours(options: {
  readonly client: KubeClient;
  /** The operator's own. */
  readonly namespace: string;
  readonly time: Pick<ClusterTime, 'latest'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Logger, 'warn'>;
}): LeftHours {
  const { client, namespace, time, clock, log } = options;
  /** Since when it can't be read; monotonic milliseconds. */
  let unreadableSince: number | undefined;
  /** Read once: whoever may act writes it, and this process does. */
  let read: Promise<readonly LeftHour[]> | undefined;
  /** What is stored next, all at once: a namespace may go with many accounts. */
  let next: { readonly all: LeftHour[]; readonly stored: Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const get = () => client.get<Lease>(LEASES, namespace, HOURS_LEASE);

  async function readAll(): Promise<readonly LeftHour[]> {
    try {
      return leftIn(await get());
    } catch (error) {
      if (isNotFound(error)) return [];
      // Once it can be read again it is.
      if (!isRefused(error)) read = undefined;
      unreadableSince ??= clock.monotonic();
      const isOfLong = clock.monotonic() - unreadableSince >= UNREADABLE_MILLISECONDS;
      if (!(error instanceof KubeError) || (!isRefused(error) && !isOfLong)) throw error;
      log.warn(
        { err: error, namespace, lease: HOURS_LEASE },
        'what deleted accounts have used of their hours is unknown',
      );
      return [];
    }
  }

  async function store(added: readonly LeftHour[], tries = 1): Promise<void> {
    let lease: Lease | undefined;
    try {
      lease = await get().catch(orUndefined);
      const before = lease?.metadata.annotations?.[ANNOTATION];
      const all = fitting(leftIn(lease), added.flatMap(asStored), time.latest());
      const text = JSON.stringify(all);
      const annotations = { ...lease?.metadata.annotations, [ANNOTATION]: text };
      if (lease && text !== before) {
        const metadata = { ...lease.metadata, annotations };
        await client.update(LEASES, namespace, HOURS_LEASE, { ...lease, metadata });
      }
      if (!lease) await client.create(LEASES, namespace, newLease(annotations));
      read = Promise.resolve(all);
    } catch (error) {
      // Somebody has changed, made or deleted it since it was read.
      const isOutdated = isConflict(error) || isAlreadyExists(error) || (lease !== undefined && isNotFound(error));
      if (isOutdated && tries < TRIES) return store(added, tries + 1);
      if (!isRefused(error)) throw error;
      log.warn({ err: error, namespace, lease: HOURS_LEASE }, 'what deleted accounts have used of their hours is lost');
    }
  }

  const newLease = (annotations: Record<string, string>) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: HOURS_LEASE, namespace, annotations },
  });

  return {
    keep(left) {
      if (!next) {
        const all: LeftHour[] = [];
        const stored = last.then(() => {
          next = undefined;
          return store(all);
        });
        next = { all, stored };
        last = stored.catch(() => undefined);
      }
      next.all.push(left);
      return next.stored;
    },

    async of(hint) {
      const reading = (read ??= readAll());
      try {
        return (await reading).filter((left) => identitiesIn(left).some((identity) => identity?.startsWith(hint)));
      } catch (error) {
        if (read === reading) read = undefined;
        throw error;
      }
    },
  };
}

function orUndefined(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** With its fields in the order in which they are read; none where somebody has written into the status what can't be. */
function asStored(left: unknown): LeftHour[] {
  const { data } = leftHour.safeParse(left);
  return data ? [data] : [];
}

/** Another try would be refused, too. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof KubeError && error.status >= 400 && error.status < 500 && ![408, 409, 429].includes(error.status)
  );
}

/** What a Lease has on record. What somebody has made of it so that it can't be read counts as nothing. Pure. */
function leftIn(lease: Lease | undefined): readonly LeftHour[] {
  try {
    const all: unknown = JSON.parse(lease?.metadata.annotations?.[ANNOTATION] ?? '[]');
    return z.array(z.unknown()).parse(all).flatMap(asStored);
  } catch {
    return [];
  }
}

/**
 * What is to be on record: all but hours that are over. Where there is no room for all, those of the namespace that takes
 * most go first, of these the ones that have used least. Pure.
 */
export function fitting(stored: readonly LeftHour[], added: readonly LeftHour[], now: number): readonly LeftHour[] {
  const records = new Map<string, Sized>();
  for (const left of [...stored, ...added]) {
    const text = JSON.stringify(left);
    if (!isOver(left, now))
      records.set(text, { left, namespace: parseKey(left.account).namespace, size: text.length + 1 });
  }
  const kept = [...records.values()].toSorted((one, other) => spentOf(one.left) - spentOf(other.left));
  for (let size = sizeOf(kept); size > MOST_CHARACTERS; ) {
    const [least] = kept.splice(indexOfLeast(kept), 1);
    size -= least?.size ?? 0;
  }
  return kept.map(({ left }) => left);
}

interface Sized {
  readonly left: LeftHour;
  readonly namespace: string;
  readonly size: number;
}

const identitiesIn = ({ budget, closed, allotments = [] }: LeftHour) => [
  budget?.identity,
  closed?.identity,
  ...allotments.map(({ identity }) => identity),
];

/** Whether nothing of it counts any more. */
function isOver({ budget, closed, allotments = [] }: LeftHour, now: number): boolean {
  const asked = [budget?.recordedAt, ...allotments.map(({ at }) => at)];
  const ends = [...asked.map((at) => Date.parse(at ?? '') + HOUR_MILLISECONDS), Date.parse(closed?.until ?? '')];
  return !ends.some((end) => end > now && end < now + HOUR_MILLISECONDS + AHEAD_MILLISECONDS);
}

const spentOf = ({ budget }: LeftHour): number => (budget?.used ?? 0) + (budget?.reserved ?? 0);

const sizeOf = (all: readonly Sized[]): number => all.reduce((sum, { size }) => sum + size, 0);

/** The first of the namespace that takes most room. */
function indexOfLeast(all: readonly Sized[]): number {
  const of = [...Map.groupBy(all, ({ namespace }) => namespace).values()];
  const most = of.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
  return all.findIndex((one) => one === most[0]);
}
