import { HOLDER_LEASE } from '../../../src/kubernetes/holdings.ts';
import type { StoredChange, StoredObject } from '../../../src/shadow/apiserver/apiserver.ts';
import { ETCD } from './etcd.ts';
import { listAt, same, textAt } from './json.ts';
import { USER } from './perform.ts';
import type { Flags } from './setting.ts';

/** What users wanted of a resource from a moment on. */
export interface Version {
  /** Virtual milliseconds. */
  readonly at: number;
  readonly generation: number;
  readonly spec: Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A resource from its creation until it is gone; a new one under the same name is another incarnation. */
export interface Incarnation {
  readonly uid: string;
  readonly plural: string;
  /** Empty where the kind has none. */
  readonly namespace: string;
  readonly name: string;
  readonly createdAt: number;
  /** It came with finalizers, or with all of etcd: from a backup. */
  isRestored: boolean;
  /** A user took its finalizers away: what it has at the service is nobody's from then on. */
  isTornOff: boolean;
  /** Oldest first. */
  readonly versions: Version[];
  deletedAt: number | undefined;
  goneAt: number | undefined;
  /** As it is stored, or was at last. */
  object: StoredObject;
  /** Every ID that its status ever named, in that order. */
  readonly ids: string[];
}

/** The data of a Secret from a moment on; undefined while there is none. */
interface SecretVersion {
  readonly at: number;
  readonly type: string;
  readonly data: Readonly<Record<string, string>> | undefined;
}

/**
 * What users asked for, at any time: taken from what they wrote into the cluster, and from nothing that the operator
 * makes of it, but for the IDs in its statuses.
 */
export interface Intent {
  stored(change: StoredChange): void;
  /** All there ever were, in the order of their creation. */
  readonly all: readonly Incarnation[];
  byUID(uid: string): Incarnation | undefined;
  /** Those that were there at some time since, of one kind. */
  alive(plural: string, since: number): Incarnation[];
  /** Those of one name. */
  named(plural: string, namespace: string, name: string): readonly Incarnation[];
  /** The values that a key of a Secret had at some time since; undefined among them: there was none. */
  secretValues(namespace: string, name: string, key: string, since: number): (string | undefined)[];
  secretType(namespace: string, name: string): string | undefined;
  /** Who held the namespace at some time since, as its Lease says; undefined among them: nobody. */
  holdersOf(namespace: string, since: number): (string | undefined)[];
  /** What was wanted of it at some time since. */
  versionsOf(incarnation: Incarnation, since: number): readonly Version[];
}

/** `flags`: what the operator may not see, nobody can want of it. */
export function createIntent(now: () => number, { namespaces, secretNames }: Flags = {}): Intent {
  const all: Incarnation[] = [];
  const uids = new Map<string, Incarnation>();
  const names = new Map<string, Incarnation[]>();
  const plurals = new Map<string, Incarnation[]>();
  const secrets = new Map<string, SecretVersion[]>();
  const holders = new Map<string, { readonly at: number; readonly holder: string | undefined }[]>();

  function noteSecret(change: StoredChange): void {
    const object = change.new ?? change.old;
    if (!object || secretNames?.includes(object.metadata.name) === false) return;
    const key = `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
    const stored = change.new;
    const data = stored && new Map(Object.entries(Object(stored['data'])));
    group(secrets, key).push({
      at: now(),
      type: textAt(stored, 'type') ?? '',
      data: data && Object.fromEntries([...data].map(([name, value]) => [name, decoded(String(value))])),
    });
  }

  function noteHolder(change: StoredChange): void {
    const { namespace = '', name } = (change.new ?? change.old)?.metadata ?? {};
    if (name !== HOLDER_LEASE) return;
    group(holders, namespace).push({ at: now(), holder: textAt(change.new, 'spec', 'holderIdentity') });
  }

  function noteResource(change: StoredChange): void {
    const object = change.new ?? change.old;
    if (!object) return;
    const { uid, namespace = '', name, finalizers = [] } = object.metadata;
    let incarnation = uids.get(uid);
    if (!incarnation) {
      incarnation = {
        uid,
        plural: change.resource,
        namespace,
        name,
        createdAt: now(),
        isRestored: finalizers.length > 0,
        isTornOff: false,
        versions: [],
        deletedAt: undefined,
        goneAt: undefined,
        object,
        ids: [],
      };
      uids.set(uid, incarnation);
      all.push(incarnation);
      group(names, `${change.resource}/${namespace}/${name}`).push(incarnation);
      group(plurals, change.resource).push(incarnation);
    }
    const isRestored = change.user === ETCD;
    incarnation.isRestored ||= isRestored;
    if (!change.new) {
      incarnation.goneAt = now();
      incarnation.deletedAt ??= now();
      incarnation.isTornOff ||= isRestored;
      return;
    }
    incarnation.object = change.new;
    if (isRestored) {
      incarnation.goneAt = undefined;
      incarnation.deletedAt = undefined;
    }
    const had = change.old?.metadata.finalizers?.length ?? 0;
    if (change.user === USER && had > 0 && !change.new.metadata.finalizers?.length) incarnation.isTornOff = true;
    if (change.new.metadata.deletionTimestamp !== undefined) incarnation.deletedAt ??= now();
    const id = textAt(change.new, 'status', 'id');
    if (id !== undefined && incarnation.ids.at(-1) !== id) incarnation.ids.push(id);
    if (change.user === USER || isRestored) noteVersion(incarnation, change.new);
  }

  function noteVersion(incarnation: Incarnation, object: StoredObject): void {
    const last = incarnation.versions.at(-1);
    const spec: Readonly<Record<string, unknown>> = Object(object['spec']);
    const { annotations = {}, labels = {}, generation = 0 } = object.metadata;
    const marks = { ...labels, ...annotations };
    if (last && same(last.spec, spec) && same(last.annotations, marks)) return;
    incarnation.versions.push({ at: now(), generation, spec, annotations: marks });
  }

  return {
    stored(change) {
      const { namespace } = (change.new ?? change.old)?.metadata ?? {};
      if (namespace !== undefined && namespaces?.includes(namespace) === false) return;
      if (change.resource === 'secrets') noteSecret(change);
      else if (change.resource === 'leases') noteHolder(change);
      else if (!['events', 'leases', 'customresourcedefinitions'].includes(change.resource)) noteResource(change);
    },
    all,
    byUID: (uid) => uids.get(uid),
    alive: (plural, since) =>
      (plurals.get(plural) ?? []).filter(({ goneAt }) => goneAt === undefined || goneAt >= since),
    named: (plural, namespace, name) => names.get(`${plural}/${namespace}/${name}`) ?? [],
    secretValues(namespace, name, key, since) {
      const versions = secrets.get(`${namespace}/${name}`) ?? [];
      return inEffect(versions, since, { at: 0, type: '', data: undefined }).map(({ data }) => data?.[key]);
    },
    secretType(namespace, name) {
      const last = secrets.get(`${namespace}/${name}`)?.at(-1);
      return last?.data && last.type;
    },
    holdersOf: (namespace, since) =>
      inEffect(holders.get(namespace) ?? [], since, { at: 0, holder: undefined }).map(({ holder }) => holder),
    versionsOf: ({ versions }, since) => inEffect(versions, since),
  };
}

/** Those that were in effect at some time since: the one at that time, and all after it. */
function inEffect<T extends { readonly at: number }>(versions: readonly T[], since: number, before?: T): readonly T[] {
  const first = versions.findLastIndex(({ at }) => at <= since);
  const known = first < 0 ? versions : versions.slice(first);
  return first < 0 && before ? [before, ...known] : known;
}

function group<T>(groups: Map<string, T[]>, key: string): T[] {
  let found = groups.get(key);
  if (!found) groups.set(key, (found = []));
  return found;
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

/** Whether the operator may change anything for it, as far as its own spec and annotations go. */
export function isManaged({ spec, annotations }: Version): boolean {
  return (
    spec['managementPolicy'] !== 'Observe' && !isPaused(annotations) && annotations['edgeline.dev/abandon'] !== 'true'
  );
}

export function isPaused(annotations: Readonly<Record<string, string>>): boolean {
  const value = annotations['edgeline.dev/paused'];
  return value !== undefined && value !== 'false';
}

/** A condition of a stored object. */
export function conditionOf(
  object: StoredObject,
  type: string,
):
  | { readonly status: string; readonly reason: string; readonly message: string; readonly generation: number }
  | undefined {
  for (const condition of listAt(object, 'status', 'conditions')) {
    if (textAt(condition, 'type') !== type) continue;
    const generation = Object(condition)['observedGeneration'];
    return {
      status: textAt(condition, 'status') ?? '',
      reason: textAt(condition, 'reason') ?? '',
      message: textAt(condition, 'message') ?? '',
      generation: typeof generation === 'number' ? generation : -1,
    };
  }
  return undefined;
}
