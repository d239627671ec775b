import type { CustomResourceDefinition } from '../../kubernetes/crd.ts';
import { runControllers } from './controllers.ts';
import { type ApiserverAnswer, type ApiserverRequest, createHandler, type Denial } from './handler.ts';
import { definitions as definitionKind, leases, namespaces, secrets } from './kinds/built-in.ts';
import { customKind } from './kinds/custom.ts';
import { events } from './kinds/events.ts';
import type { Kind } from './kinds/kind.ts';
import { metadataSchema } from './metadata.ts';
import type { StoredObject } from './objects.ts';
import { openapiOf } from './openapi.ts';
import { routeKey } from './routes.ts';
import { anything, type Node } from './schema/node.ts';
import { type UnknownField, unknownIn } from './schema/unknown.ts';
import { createStorage, keyOf, type StoredChange } from './storage.ts';
import { Version } from './versions.ts';
import { createWatches } from './watches.ts';
import { createWrites } from './writes.ts';

export type { ApiserverAnswer, ApiserverRequest, Denial } from './handler.ts';
export type { StoredObject } from './objects.ts';
export type { UnknownField } from './schema/unknown.ts';
export type { StoredChange } from './storage.ts';

/** Everything that was stored at one moment. */
export interface Backup {
  readonly revision: number;
  /** By plural. */
  readonly objects: ReadonlyMap<string, readonly StoredObject[]>;
}

/** A kube-apiserver with its etcd, in memory: it answers at once, and the same requests always get the same answers. */
export interface Apiserver {
  handle(request: ApiserverRequest): ApiserverAnswer;
  /** Forgets what happened up to now: watches from before get 410, and so do continue tokens. */
  compact(): void;
  /** Sends a bookmark on every watch that allows them. */
  bookmark(): void;
  /** Ends all watches, or those of one user, as the apiserver does when their time is over. */
  endWatches(user?: string): void;
  /** What is refused with 403 from now on. Watches under way go on. */
  setDenial(denies: Denial | undefined): void;
  /**
   * What is defined from now on. Objects of kinds that are not are kept, and served again once they are. What is stored is
   * served as it is: unlike the real one, this drops unknown fields when they are written, not when they are read.
   */
  setDefinitions(definitions: readonly CustomResourceDefinition[]): void;
  /** What the namespace controller and the garbage collector do, once. */
  runControllers(): void;
  get(plural: string, namespace: string, name: string): StoredObject | undefined;
  /**
   * The fields of a body that are not known, in the order of their paths. This drops them when they are written; the real
   * one refuses them where it is asked to (`fieldValidation=Strict`), as kubectl does.
   */
  unknownFields(plural: string, body: Readonly<Record<string, unknown>>): readonly UnknownField[];
  /** In the order of namespace and name. */
  list(plural: string): readonly StoredObject[];
  /** Of the last change: what is stored later has a higher one. */
  readonly revision: number;
  /** Told of each stored change, before its request is answered. Must not call back. */
  onChange(listener: (change: StoredChange) => void): void;
  /** So many revisions pass, as when others write. */
  advance(revisions: number): void;
  backup(): Backup;
  /**
   * As when etcd is restored: everything as it was then, revisions too; all watches end, and history begins there. Listeners
   * are told of what is another thing than before, as if `user` had written it.
   */
  restore(backup: Backup, user?: string): void;
}

const SYSTEM = 'system:apiserver';

/** An apiserver with the namespaces that every cluster has. */
export function createApiserver(options: {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uid: () => string;
  readonly definitions: readonly CustomResourceDefinition[];
}): Apiserver {
  const storage = createStorage();
  const watches = createWatches(storage);
  const writes = createWrites(storage, options);
  const kinds = new Map<string, Kind>();
  const byPlural = new Map<string, Kind>();
  const listeners: ((change: StoredChange) => void)[] = [];
  const handler = createHandler({ storage, watches, writes, kinds, now: options.now });

  storage.onChange((kind, change, user) => {
    watches.tell(kind, change);
    for (const listener of listeners) {
      listener({ resource: kind.plural, old: change.old?.object, new: change.new?.object, user });
    }
  });

  function setDefinitions(definitions: readonly CustomResourceDefinition[]): void {
    kinds.clear();
    for (const kind of [namespaces, secrets, leases, events, definitionKind, ...definitions.map(customKind)]) {
      kinds.set(routeKey(kind), kind);
      byPlural.set(kind.plural, kind);
    }
    const table = storage.table(definitionKind);
    const before = table.rows('');
    for (const { metadata, spec } of definitions) {
      const old = table.get(metadata.name);
      const known = old?.object.metadata;
      const draft = {
        metadata: {
          uid: options.uid(),
          creationTimestamp: new Date(options.now()).toISOString(),
          ...known,
          ...metadata,
        },
        content: { spec },
      };
      storage.put(definitionKind, metadata.name, old, draft, SYSTEM);
    }
    const names = new Set(definitions.map(({ metadata }) => metadata.name));
    for (const version of before) if (!names.has(version.key)) storage.remove(definitionKind, version, SYSTEM);
    handler.setDocuments(openapiOf(definitions));
  }

  setDefinitions(options.definitions);
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    writes.create({ kind: namespaces, namespace: '', user: SYSTEM, dryRun: false }, { metadata: { name } });
  }

  const kindOf = (plural: string): Kind => {
    const kind = byPlural.get(plural);
    if (!kind) throw new TypeError(`there is no resource ${plural}`);
    return kind;
  };

  return {
    handle: handler.handle,
    compact: () => storage.compact(),
    bookmark: () => watches.bookmark(),
    endWatches: (user) => watches.end(user),
    setDenial: handler.setDenial,
    setDefinitions,
    runControllers: () => runControllers(storage, kinds.values(), options.now()),
    get: (plural, namespace, name) => storage.table(kindOf(plural)).get(keyOf(kindOf(plural), namespace, name))?.object,
    unknownFields: (plural, body) =>
      unknownIn({ ...kindOf(plural).schema, properties: fieldsOf(kindOf(plural)) }, body, ''),
    list: (plural) =>
      storage
        .table(kindOf(plural))
        .rows('')
        .map(({ object }) => object),
    get revision() {
      return storage.revision;
    },
    onChange: (listener) => void listeners.push(listener),
    advance: (revisions) => storage.advance(revisions),
    backup: () => ({ revision: storage.revision, objects: everything() }),
    restore(backup, user = SYSTEM) {
      watches.end();
      const before = everything();
      storage.restore(
        backup.revision,
        new Map(
          [...backup.objects].map(([plural, objects]) => [
            kindOf(plural),
            objects.map((one) => versionOf(kindOf(plural), one)),
          ]),
        ),
      );
      tellOfRestored(before, backup.objects, user);
    },
  };

  function everything(): Backup['objects'] {
    return new Map(
      [...byPlural].map(([plural, kind]) => [
        plural,
        storage
          .table(kind)
          .rows('')
          .map(({ object }) => object),
      ]),
    );
  }

  function tellOfRestored(before: Backup['objects'], after: Backup['objects'], user: string): void {
    for (const [plural, objects] of after) {
      const were = new Map((before.get(plural) ?? []).map((one) => [one.metadata.uid, one]));
      const are = new Map(objects.map((one) => [one.metadata.uid, one]));
      for (const uid of new Set([...were.keys(), ...are.keys()])) {
        const [old, restored] = [were.get(uid), are.get(uid)];
        if (old?.metadata.resourceVersion === restored?.metadata.resourceVersion) continue;
        for (const listener of listeners) listener({ resource: plural, old, new: restored, user });
      }
    }
  }
}

/** What a body may have, with what all kinds have. */
function fieldsOf({ schema }: Kind): ReadonlyMap<string, Node> {
  const common: [string, Node][] = [
    ['apiVersion', anything],
    ['kind', anything],
    ['metadata', metadataSchema],
  ];
  return new Map([...(schema.properties ?? []), ...common]);
}

function versionOf(kind: Kind, object: StoredObject): Version {
  const { namespace = '', name, resourceVersion } = object.metadata;
  return new Version(keyOf(kind, namespace, name), Number(resourceVersion), object);
}
