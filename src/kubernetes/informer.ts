import type { Clock } from '../clock.ts';
import type { Logger } from '../telemetry/log.ts';
import type { KubeClient } from './client.ts';
import type { KubernetesObject } from './objects.ts';
import { reflect } from './reflector.ts';
import { createRelisting, type Relisting } from './relisting.ts';
import type { Resource } from './resource.ts';
import { type Change, createStore } from './store.ts';
import { orAborted } from './wait.ts';

/** A local, always current copy of a kind's objects. What it gives out is shared: do not modify it. */
export interface Informer<T extends KubernetesObject> {
  start(): void;
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>;
  /** True once every namespace has been listed completely. */
  hasSynced(): boolean;
  /** Resolves when `hasSynced`; rejects with the signal's reason. */
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Lists everything anew, and resolves when that is here: a watch may be silent, and what it should have brought may be
   * of before this was called. Rejects with the signal's reason.
   */
  refresh(signal: AbortSignal): Promise<void>;
  get(namespace: string | undefined, name: string): T | undefined;
  list(): T[];
  byNamespace(namespace: string): T[];
  /** Those that have any. */
  namespaces(): Iterable<string>;
  readonly size: number;
  /**
   * Takes in the answer of a write of our own, so that the next `get` shows it; kept when newer than what is here, and
   * never brings back what was deleted. Nobody is told until the watch brings the same: then once, compared with what
   * was told last.
   */
  put(object: T): void;
  /** Told of every change from now on; what is here already is told at once. What a handler throws is logged. */
  onChange(handler: (change: Change<T>) => void): void;
  /** Monotonic milliseconds at which something last came from the apiserver; of the most silent namespace. */
  lastContact(): number;
}

export interface InformerOptions<T extends KubernetesObject> {
  client: KubeClient;
  resource: Resource;
  /** One list and watch for each; undefined: one over all namespaces. */
  namespaces?: string[] | undefined;
  /** Fetch metadata alone; `T` then has nothing else. */
  metadataOnly?: boolean;
  fieldSelector?: string;
  labelSelector?: string;
  /** Drops what nobody reads, after `managedFields` and most of long annotations, which always go. */
  transform?: (object: T) => T;
  /** Milliseconds without a byte until a watch is taken for dead; default two minutes. */
  silenceMilliseconds?: number;
  clock: Clock;
  random: () => number;
  log: Logger;
}

export function createInformer<T extends KubernetesObject>(options: InformerOptions<T>): Informer<T> {
  const { clock, log, transform } = options;
  const store = createStore<T>();
  const handlers: ((change: Change<T>) => void)[] = [];
  const scopes = options.namespaces ?? [undefined];
  const contacts = new Map<string | undefined, number>(scopes.map((scope) => [scope, clock.monotonic()]));
  const unlisted = new Set<string | undefined>(scopes);
  /** Not listed since that was asked for. */
  const outdated = new Set<string | undefined>();
  const listed = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const relistings = new Map<string | undefined, Relisting>(
    scopes.map((scope) => [scope, createRelisting(stopping.signal)]),
  );
  let refreshed = Promise.withResolvers<void>();
  let running: Promise<void>[] = [];

  function tell(change: Change<T>, told = handlers): void {
    for (const handler of told) {
      try {
        handler(change);
      } catch (error) {
        log.error({ err: error, resource: options.resource.plural }, 'a change handler threw');
      }
    }
  }

  function run([namespace, relisting]: readonly [string | undefined, Relisting]): Promise<void> {
    return reflect<T>(
      {
        ...options,
        namespace,
        relisting,
        store,
        transform: (object) => (transform ? transform(slim(object)) : slim(object)),
        onChanges: (changes) => {
          for (const change of changes) tell(change);
        },
        onListed: () => {
          unlisted.delete(namespace);
          if (relisting.isAsked()) return;
          outdated.delete(namespace);
          if (unlisted.size === 0) listed.resolve();
          if (outdated.size === 0) refreshed.resolve();
        },
        onContact: () => contacts.set(namespace, clock.monotonic()),
      },
      stopping.signal,
    );
  }

  return {
    start() {
      if (running.length > 0) return;
      for (const scope of scopes) contacts.set(scope, clock.monotonic());
      running = [...relistings].map(run);
    },

    async stop() {
      stopping.abort(new Error('the informer is stopping'));
      await Promise.all(running);
    },

    hasSynced: () => unlisted.size === 0,

    synced: (signal) => orAborted(listed.promise, signal),

    refresh(signal) {
      if (outdated.size === 0) refreshed = Promise.withResolvers<void>();
      for (const [scope, relisting] of relistings) {
        outdated.add(scope);
        relisting.ask();
      }
      return orAborted(refreshed.promise, signal);
    },

    get: (namespace, name) => store.get(namespace, name),
    list: () => store.list(),
    byNamespace: (namespace) => store.byNamespace(namespace),
    namespaces: () => store.namespaces(),

    get size() {
      return store.size;
    },

    put(object) {
      store.put(transform ? transform(slim(object)) : slim(object));
    },

    onChange(handler) {
      handlers.push(handler);
      for (const object of store.list()) tell({ new: object }, [handler]);
    },

    lastContact: () => Math.min(...contacts.values()),
  };
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** Of annotations so many are kept of an object, those of the operator first, and so much of each: nobody reads more. */
const MOST_ANNOTATIONS = 64;
const LONGEST_VALUE_CHARACTERS = 1024;
const LONGEST_OTHER_CHARACTERS = 64;
const isOwnAnnotation = (key: string): boolean => key.startsWith('edgeline.dev/');

/** Copied rather than deleted from: V8 keeps objects that members were deleted from as hash tables, at twice the size. */
function slim<T extends KubernetesObject>(object: T): T {
  const { managedFields: _, ...metadata } = object.metadata as T['metadata'] & { managedFields?: unknown };
  if (metadata.annotations) metadata.annotations = keptOf(metadata.annotations);
  return { ...object, metadata };
}

/** Anybody may write a quarter of a megabyte of them, on each of many objects. */
function keptOf(annotations: Readonly<Record<string, string>>): Record<string, string> {
  const others = Object.keys(annotations).filter((key) => !isOwnAnnotation(key) && key !== LAST_APPLIED);
  const keys = [...Object.keys(annotations).filter(isOwnAnnotation), ...others].slice(0, MOST_ANNOTATIONS);
  return Object.fromEntries(
    keys.map((key) => {
      const longest = isOwnAnnotation(key) ? LONGEST_VALUE_CHARACTERS : LONGEST_OTHER_CHARACTERS;
      return [key, (annotations[key] ?? '').slice(0, longest)];
    }),
  );
}

/** What tells that an object is there, and is another than it was: a transform for an informer that is asked nothing else. */
export function identityOnly({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion } };
}
