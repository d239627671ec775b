import { type Apiserver, type Backup, createApiserver, type StoredObject } from '../shadow/apiserver/apiserver.ts';
import { createService } from '../shadow/service/service.ts';
import type { Arrival, Change } from '../shadow/service/types.ts';
import { createRandom } from '../shadow/world/random.ts';
import { createWorld } from '../shadow/world/world.ts';
import type { StoredWorld } from '../simulator/state/snapshot.ts';
import { definitions } from './manifests/rehearse.ts';
import { memberAt, parseKey, textAt } from './objects.ts';
import { SILENT_MILLISECONDS } from './picture/stored.ts';

/** Credentials of the shadow's service: with `world` of an account of their own, with `sameAs` of the one that is named so. */
export interface PlayedAccount {
  readonly name: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  readonly world?: StoredWorld;
  readonly sameAs?: string;
}

export interface PlayOptions {
  /** The cluster as it will be when the manifests are applied. */
  readonly cluster: Backup;
  readonly accounts: readonly PlayedAccount[];
  readonly passCodes?: Readonly<Record<string, string>>;
  /** The resources that are waited for, by `keyOf`. */
  readonly concerned: ReadonlySet<string>;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** What the operator did in the shadow. */
export interface Played {
  /**
   * Every write that the service carried out, in order; times in milliseconds since the Unix epoch, as if each plan were approved
   * as soon as it waits: how long a person takes, nobody knows.
   */
  readonly changes: readonly Change[];
  /** Writes that it refused. */
  readonly refused: readonly Arrival[];
  /** The resources whose plans a person has to approve: here all of them were, to see what follows; by `keyOf`. */
  readonly unapproved: readonly string[];
  /** The cluster afterwards. */
  readonly object: (plural: string, namespace: string, name: string) => StoredObject | undefined;
  /** The resources that were not in sync at the end, or not gone, by `keyOf`. */
  readonly unsettled: readonly string[];
}

const SECOND_MILLISECONDS = 1000;
const MINUTE_MILLISECONDS = 60 * SECOND_MILLISECONDS;
/** How often it is looked whether all is settled. Virtual milliseconds. */
const LOOK_MILLISECONDS = 10 * SECOND_MILLISECONDS;
/** Without a write for so long, nothing more comes: longer than any wait for the outcome of a request. */
const QUIET_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
/** The same while something is waited for that may be minutes away. */
const QUIET_UNSETTLED_MILLISECONDS = 12 * MINUTE_MILLISECONDS;
/** The longest, for accounts whose hours are used up again and again. */
const BOUND_MILLISECONDS = 24 * 60 * MINUTE_MILLISECONDS;
const OPERATOR = 'operator';
const APPROVE = 'edgeline.dev/approve';

/**
 * Plays what the operator does with a cluster and the service as they are, in virtual time and without a request: the
 * operator is the real one.
 */
export async function play(options: PlayOptions): Promise<Played> {
  const { concerned, now } = options;
  const random = createRandom('plan');
  const world = createWorld({
    random,
    epoch: now,
    apiserver: (wall) => clusterAfter(options.cluster, wall),
    service: (wall, chance) =>
      createService({
        now: wall,
        random: chance.next,
        accounts: options.accounts,
        // None that the service itself would have given: what goes in the shadow must not come back as another thing.
        firstID: 999_000_000_001,
        worlds: options.accounts.flatMap((account) => account.world ?? []),
        // The account's own limits are kept by the operator, which has on record what was used of them.
        settings: { webAccelLimit: 1_000_000, siteCountLimit: 100_000, silentAfterCreate: SILENT_MILLISECONDS },
        passCodes: options.passCodes ?? {},
      }),
  });
  world.calm();
  const { apiserver, service } = world;
  let lastWrite = 0;
  const refused: Arrival[] = [];
  service.onChange(() => {
    lastWrite = world.now();
  });
  service.onArrival((arrival) => {
    if (arrival.method !== 'GET' && !arrival.isCarriedOut && arrival.outcome !== 401) refused.push(arrival);
  });
  const at = (key: string) => {
    const { plural, namespace, name } = parseKey(key);
    return apiserver.get(plural, namespace, name);
  };
  const unsettled = () => [...concerned].filter((key) => !isSettled(at(key)));
  const unapproved = new Set<string>();
  const approvals: Approval[] = [];
  world.start(OPERATOR);
  while (world.now() < BOUND_MILLISECONDS) {
    await world.run(world.now() + LOOK_MILLISECONDS);
    const quiet = world.now() - lastWrite;
    if (quiet < QUIET_MILLISECONDS) continue;
    const asking = [...concerned].filter((key) => approve(apiserver, key, at(key)));
    for (const key of asking) unapproved.add(key);
    if (asking.length > 0) {
      // What waits for its turn meanwhile has that time of its own.
      if (!unsettled().some((key) => isQueued(at(key)))) approvals.push({ at: now + world.now(), waited: quiet });
      lastWrite = world.now();
      continue;
    }
    const open = unsettled();
    if (open.length === 0) break;
    // Who waits for its turn within a used-up hour goes on when the next one begins.
    if (quiet >= QUIET_UNSETTLED_MILLISECONDS && !open.some((key) => isQueued(at(key)))) break;
  }
  world.processes[0]?.kill('never');
  return {
    changes: service.changes.map((change) => ({ ...change, at: change.at - waitedBefore(approvals, change.at) })),
    refused,
    unapproved: [...unapproved],
    object: (plural, namespace, name) => apiserver.get(plural, namespace, name),
    unsettled: unsettled(),
  };
}

/** An approval in the shadow; `at` in milliseconds since the Unix epoch, `waited` in milliseconds. */
interface Approval {
  readonly at: number;
  readonly waited: number;
}

function waitedBefore(approvals: readonly Approval[], time: number): number {
  return approvals.filter(({ at }) => at <= time).reduce((sum, { waited }) => sum + waited, 0);
}

function clusterAfter(cluster: Backup, wall: () => number): Apiserver {
  const random = createRandom('plan/uids');
  const apiserver = createApiserver({
    now: wall,
    uid: () => `${random.int(2 ** 32).toString(16)}-${random.int(2 ** 32).toString(16)}`,
    definitions,
  });
  apiserver.restore(cluster);
  return apiserver;
}

/** Approves the plan that waits, if one does. */
function approve(apiserver: Apiserver, key: string, object: StoredObject | undefined): boolean {
  const hash = textAt(object, 'status', 'plan', 'hash');
  if (hash === undefined || object?.metadata.annotations?.[APPROVE] === hash) return false;
  const { plural, namespace, name } = parseKey(key);
  const body = JSON.stringify({ metadata: { annotations: { [APPROVE]: hash } } });
  const path = `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/${plural}/${name}`;
  return (
    apiserver.handle({ method: 'PATCH', path, user: 'plan', contentType: 'application/merge-patch+json', body })
      .status === 200
  );
}

/** Gone, or carried out as its spec is now. */
function isSettled(object: StoredObject | undefined): boolean {
  if (!object) return true;
  if (object.metadata.deletionTimestamp !== undefined) return false;
  const synced = conditionOf(object, 'Synced');
  return memberAt(synced, 'status') === 'True' && memberAt(synced, 'observedGeneration') === object.metadata.generation;
}

function isQueued(object: StoredObject | undefined): boolean {
  return textAt(conditionOf(object, 'Synced'), 'reason') === 'Queued';
}

export function conditionOf(object: StoredObject | undefined, type: string): unknown {
  const conditions = memberAt(object, 'status', 'conditions');
  return (Array.isArray(conditions) ? conditions : []).find((one) => memberAt(one, 'type') === type);
}
