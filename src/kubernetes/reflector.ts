import { backoffDelay, jittered } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { KubeClient } from './client.ts';
import { askedMilliseconds, isForbidden, isGone, isNotFound, KubeError } from './errors.ts';
import { compareResourceVersions, type KubernetesObject } from './objects.ts';
import type { Relisting } from './relisting.ts';
import { apiVersionOf, type Resource } from './resource.ts';
import type { Change, Store } from './store.ts';

export interface ReflectorOptions<T extends KubernetesObject> {
  client: KubeClient;
  resource: Resource;
  /** Undefined: all. */
  namespace: string | undefined;
  metadataOnly?: boolean | undefined;
  fieldSelector?: string | undefined;
  labelSelector?: string | undefined;
  store: Store<T>;
  transform: (object: T) => T;
  onChanges: (changes: Change<T>[]) => void;
  /** Called after each complete list. */
  onListed: () => void;
  relisting: Relisting;
  /** Called whenever something came from the apiserver. */
  onContact: () => void;
  /** Milliseconds without a byte until a watch is taken for dead. */
  silenceMilliseconds?: number | undefined;
  clock: Clock;
  random: () => number;
  log: Logger;
}

/** A page is read as one text, and anybody may write 256 KiB of annotations on each object in it. */
const PAGE_SIZE = 100;
/** Of what tenants may have by the thousand without asking for anything, as Secrets. */
const METADATA_PAGE_SIZE = 50;
/** Seconds; each watch ends after this, plus as much again at random, so that not all end at once. */
const WATCH_SECONDS = 300;
/** Milliseconds: a watch that ends sooner and brought nothing counts as a failure. */
const SHORTEST_WATCH_MILLISECONDS = 1000;
const BASE_BACKOFF_MILLISECONDS = 800;
const MAX_BACKOFF_MILLISECONDS = 30_000;

type Metadata = Pick<KubernetesObject['metadata'], 'name' | 'namespace' | 'uid' | 'resourceVersion'>;

/** Without its annotations, which may be long. */
function identityOf({ metadata: { name, namespace, uid, resourceVersion } }: KubernetesObject): Metadata {
  return { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion };
}

/** Lists and watches until aborted, whatever happens: that is the whole point of it. Never rejects. */
export async function reflect<T extends KubernetesObject>(
  options: ReflectorOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const { client, resource, namespace, store, relisting, clock, random } = options;
  const log = options.log.child({ resource: resource.plural, ...(namespace === undefined ? {} : { namespace }) });
  let failures = 0;
  const selectors = {
    fieldSelector: options.fieldSelector,
    labelSelector: options.labelSelector,
    metadataOnly: options.metadataOnly,
    signal,
  };
  /** Of this turn: what is begun in it gives way to a list that is asked for. */
  let turn = signal;
  let resourceVersion: string | undefined;
  /** Of those deleted since the last list. */
  let deletedLast: Metadata | undefined;

  /** One complete list; a change is made known page by page, but what is gone only at the end. */
  async function list(limit: number | undefined): Promise<string> {
    const intake = store.beginList(namespace);
    deletedLast = undefined;
    let token: string | undefined;
    for (;;) {
      const page = await client.list<T>(resource, namespace, {
        ...selectors,
        ...(limit === undefined ? {} : { limit }),
        continue: token,
      });
      options.onContact();
      for (const item of page.items) options.onChanges(intake.take(options.transform(item)));
      token = page.continue;
      if (token === undefined) {
        options.onChanges(intake.end(page.resourceVersion));
        return page.resourceVersion;
      }
    }
  }

  /** A continue token lives five minutes: a list too slow for it is begun again, and then asked for in one piece. */
  async function relist(): Promise<string> {
    const pageSize = options.metadataOnly ? METADATA_PAGE_SIZE : PAGE_SIZE;
    for (const limit of [pageSize, pageSize, undefined]) {
      try {
        return await list(limit);
      } catch (error) {
        if (!isGone(error) || limit === undefined) throw error;
        log.info('the list expired between two pages; beginning again');
      }
    }
    throw new Error('unreachable: the last try returns or throws');
  }

  /**
   * Whether the cluster's history is still the one that `version` is of. After etcd was restored from a backup, a watch
   * from before is taken for one of the future: it tells nothing, and no error. So one object is looked at that is known,
   * the one changed last: as long as that is as it was, so is all before it. If one was deleted after that, it has to be gone.
   */
  async function isOfThisHistory(version: string): Promise<boolean> {
    const witness = store.newest(namespace);
    const seen = await look(witness);
    if (compareResourceVersions(seen.version, version) < 0) return false;
    if (seen.found?.resourceVersion !== witness?.metadata.resourceVersion) return false;
    const isLater = (deleted: Metadata) =>
      witness === undefined || compareResourceVersions(deleted.resourceVersion, witness.metadata.resourceVersion) > 0;
    if (deletedLast === undefined || !isLater(deletedLast)) return true;
    return (await look({ metadata: deletedLast })).found?.uid !== deletedLast.uid;
  }

  /** One object as it is now; without one given, whether there is any at all. */
  async function look(
    wanted: { readonly metadata: Metadata } | undefined,
  ): Promise<{ version: string; found: Metadata | undefined }> {
    const { name, namespace: place } = wanted?.metadata ?? {};
    const fields = [
      options.fieldSelector,
      name === undefined ? undefined : `metadata.name=${name}`,
      place === undefined ? undefined : `metadata.namespace=${place}`,
    ];
    const page = await client.list<T>(resource, namespace, {
      ...selectors,
      fieldSelector: fields.filter((field) => field !== undefined).join(','),
      limit: 1,
      signal: turn,
    });
    options.onContact();
    return { version: page.resourceVersion, found: page.items[0]?.metadata };
  }

  async function watch(from: string): Promise<void> {
    const startedAt = clock.monotonic();
    let events = 0;
    const stream = client.watch<T>(resource, namespace, {
      ...selectors,
      resourceVersion: from,
      timeoutSeconds: Math.round(WATCH_SECONDS * (1 + random())),
      allowWatchBookmarks: true,
      signal: turn,
      ...(options.silenceMilliseconds === undefined ? {} : { timeoutMilliseconds: options.silenceMilliseconds }),
    });
    for await (const event of stream) {
      events++;
      failures = 0;
      options.onContact();
      switch (event.type) {
        case 'BOOKMARK':
          resourceVersion = event.resourceVersion;
          break;
        case 'DELETED':
          resourceVersion = event.object.metadata.resourceVersion;
          deletedLast = identityOf(event.object);
          options.onChanges(store.remove(options.transform(event.object)));
          break;
        case 'ADDED':
        case 'MODIFIED':
          resourceVersion = event.object.metadata.resourceVersion;
          options.onChanges(store.upsert(options.transform(event.object)));
          break;
      }
    }
    options.onContact();
    if (events === 0 && clock.monotonic() - startedAt < SHORTEST_WATCH_MILLISECONDS) {
      throw new KubeError({
        status: 0,
        reason: 'ConnectionFailed',
        message: 'the watch ended at once',
        kind: resource.kind,
      });
    }
  }

  let told: string | undefined;

  /** What goes on being wrong is told once, for there are as many of these as kinds; of a refusal the client tells. */
  function reportInterrupted(error: unknown): void {
    const text = isNotFound(error)
      ? `the cluster serves no ${resource.kind} (${apiVersionOf(resource)}): install the CustomResourceDefinitions`
      : error instanceof KubeError
        ? `list and watch interrupted: ${error.message}. ${error.advice}`
        : `list and watch interrupted: ${messageOf(error)}`;
    const level = text === told || isForbidden(error) ? 'debug' : 'warn';
    log[level](error instanceof KubeError ? { code: error.code } : { err: error }, text);
    told = text;
  }

  while (!signal.aborted) {
    turn = relisting.turn();
    try {
      if (relisting.isAsked()) resourceVersion = undefined;
      if (resourceVersion === undefined) {
        relisting.begin();
        resourceVersion = await relist();
        options.onListed();
        told = undefined;
        if (relisting.isAsked()) continue;
      } else if (!(await isOfThisHistory(resourceVersion))) {
        log.info('the cluster is not as it was when the watch ended; listing again');
        resourceVersion = undefined;
        continue;
      }
      await watch(resourceVersion);
    } catch (error) {
      if (signal.aborted) return;
      if (turn.aborted) continue;
      if (isSilence(error)) {
        // Nothing changes in a quiet cluster, and then not even bookmarks come: no news is no trouble.
        log.debug('the watch was silent; beginning another');
        continue;
      }
      if (isGone(error) && resourceVersion !== undefined) {
        log.info('the watch is too far behind; listing again');
        resourceVersion = undefined;
      } else {
        reportInterrupted(error);
        // Who may not watch sees what changes by listing: another watch from here would be refused like this one.
        if (isForbidden(error)) resourceVersion = undefined;
      }
      const asked = askedMilliseconds(error) ?? 0;
      await clock
        .sleep(
          Math.max(
            asked,
            jittered(backoffDelay(BASE_BACKOFF_MILLISECONDS, failures++, MAX_BACKOFF_MILLISECONDS), random),
          ),
          turn,
        )
        .catch(() => undefined);
    }
  }
}

/** A watch on which nothing came for so long that the connection may be dead. */
function isSilence(error: unknown): boolean {
  const causes = [error, error instanceof Error ? error.cause : undefined];
  return causes.some((cause) => cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_BODY_TIMEOUT');
}
