import * as z from 'zod';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isAlreadyExists, isConflict, isNotFound, KubeError } from '../../kubernetes/errors.ts';
import type { Lease } from '../../kubernetes/lease-object.ts';
import { LEASES } from '../../kubernetes/resource.ts';
import { type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Budget } from './record.ts';
import { cloudAccountStatus } from './status-schema.ts';

/** Holds nothing but the annotation: a Lease, for the operator may write those of its own namespace already. */
export const HOURS_LEASE = 'edgeline-hours';
const ANNOTATION = 'edgeline.dev/hours';

/** The rolling hour, and the minute in which requests under way may still end. Milliseconds. */
const HOUR_MILLISECONDS = 3_660_000;
/** Annotations of an object have 256 KiB together. Characters. */
const MOST_CHARACTERS = 200_000;
/** So many times it is sent while another writes, too. */
const TRIES = 4;

/** What an account that is gone had on record: signed for that account, by who had its token's secret. */
export interface LeftHour {
  readonly account: ObjectKey;
  readonly budget: Budget;
}

const leftHours = z.array(z.object({ account: z.string(), budget: cloudAccountStatus.shape.budget.unwrap() }));

/**
 * Keeps on record, in the operator's own namespace, what accounts that are gone have used of their hours, until these are
 * over: one that is made anew goes on with its hour, also in another process.
 */
export interface LeftHours {
  /** Resolves when it is stored, or can't be for want of a permission. */
  keep(left: LeftHour): Promise<void>;
  /** What is on record as far as it begins so; whether it is signed is for the caller to see. */
  of(hint: string): Promise<readonly LeftHour[]>;
}

export function createLeftHours(options: {
  readonly client: KubeClient;
  /** The operator's own. */
  readonly namespace: string;
  readonly time: Pick<ClusterTime, 'latest'>;
  readonly log: Pick<Logger, 'warn'>;
}): LeftHours {
  const { client, namespace, time, log } = options;
  /** Read once: whoever may act writes it, and this process does. */
  let read: Promise<readonly LeftHour[]> | undefined;
  /** What is stored next, all at once: a namespace may go with many accounts. */
  let next: { readonly all: LeftHour[]; readonly stored: Promise<void> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const get = () => client.get<Lease>(LEASES, namespace, HOURS_LEASE);

  /** What the answer is where there is none, or this process may not have it. Rethrows what another try may change. */
  function orNothing(error: unknown): undefined {
    if (isNotFound(error)) return undefined;
    if (!isRefused(error)) throw error;
    log.warn({ err: error, namespace, lease: HOURS_LEASE }, 'what deleted accounts have used of their hours is lost');
    return undefined;
  }

  async function readAll(): Promise<readonly LeftHour[]> {
    return leftIn(await get().catch(orNothing));
  }

  async function store(added: readonly LeftHour[], tries = 1): Promise<void> {
    const lease = await get().catch(orNothing);
    const all = fitting(leftIn(lease), added, time.latest());
    const annotations = { ...lease?.metadata.annotations, [ANNOTATION]: JSON.stringify(all) };
    try {
      await (lease
        ? client.update(LEASES, namespace, HOURS_LEASE, { ...lease, metadata: { ...lease.metadata, annotations } })
        : client.create(LEASES, namespace, newLease(annotations)));
    } catch (error) {
      // Somebody has changed, made or deleted it since it was read.
      const isOutdated = isConflict(error) || isAlreadyExists(error) || (lease !== undefined && isNotFound(error));
      if (isOutdated && tries < TRIES) return store(added, tries + 1);
      orNothing(error);
    }
    read = Promise.resolve(all);
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
        return (await reading).filter(({ budget }) => budget.identity?.startsWith(hint));
      } catch (error) {
        if (read === reading) read = undefined;
        throw error;
      }
    },
  };
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
    return leftHours.parse(JSON.parse(lease?.metadata.annotations?.[ANNOTATION] ?? '[]'));
  } catch {
    return [];
  }
}

/**
 * What is to be on record: the newest of each account and token, without hours that are over. Where there is no room for all,
 * those of the namespace that has most go first, of these the ones that have used least. Pure.
 */
export function fitting(stored: readonly LeftHour[], added: readonly LeftHour[], now: number): readonly LeftHour[] {
  const newest = new Map<string, LeftHour>();
  for (const left of [...stored, ...added]) {
    // What is of the future, by a clock that was ahead, would stay for as long as that was.
    const isOver = !(Math.abs(now - Date.parse(left.budget.recordedAt)) < HOUR_MILLISECONDS);
    if (!isOver) newest.set(`${left.account} ${left.budget.identity?.split('.')[0]}`, left);
  }
  const kept = [...newest.values()].toSorted((one, other) => spentOf(one) - spentOf(other));
  let characters = JSON.stringify(kept).length;
  while (characters > MOST_CHARACTERS) {
    const [least] = kept.splice(indexOfLeast(kept), 1);
    characters -= JSON.stringify(least).length + 1;
  }
  return kept;
}

const spentOf = ({ budget }: LeftHour): number => budget.used + (budget.reserved ?? 0);

/** The first of the namespace that has most. */
function indexOfLeast(all: readonly LeftHour[]): number {
  const of = Map.groupBy(all.keys(), (index) => parseKey(all[index]?.account ?? '').namespace);
  const most = [...of.values()].reduce((one, other) => (other.length > one.length ? other : one));
  return most[0] ?? 0;
}
