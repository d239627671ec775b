import { KubeError } from './errors.ts';
import { parseJson } from './json.ts';
import { type Call, createRequester, type KubeClientOptions, type RequestOptions } from './requests.ts';
import { apiVersionOf, pathOf, type Resource } from './resource.ts';
import { readWatch, type WatchEvent } from './watch-stream.ts';
import { connectionError, type HttpMethod } from './wire.ts';

export interface WriteOptions extends RequestOptions {
  subresource?: 'status';
  fieldManager?: string;
  /** Have it checked and admitted, but not stored. */
  dryRun?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  /** Delete only this incarnation. */
  uid?: string;
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

export interface ListOptions extends RequestOptions {
  /** Objects to a page; absent: all at once. */
  limit?: number;
  continue?: string | undefined;
  resourceVersion?: string;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  /** Ask for metadata alone: the rest of the object never leaves the apiserver. */
  metadataOnly?: boolean | undefined;
}

export interface WatchOptions extends RequestOptions {
  resourceVersion: string;
  /** When the apiserver is to end the watch. Seconds. */
  timeoutSeconds?: number;
  allowWatchBookmarks?: boolean;
  labelSelector?: string | undefined;
  fieldSelector?: string | undefined;
  metadataOnly?: boolean | undefined;
}

export interface ObjectList<T> {
  items: T[];
  resourceVersion: string;
  /** Present when there are more pages. */
  continue?: string;
}

/**
 * The Kubernetes API. Every method throws `KubeError`, or the signal's reason when aborted. Reads are tried again on
 * 429, 5xx and cut connections; writes on 429 (refused before anything happened), on a connection that was never made,
 * and, where saying it twice is harmless (patch, delete), on a cut one.
 */
export interface KubeClient {
  get<T>(resource: Resource, namespace: string | undefined, name: string, options?: RequestOptions): Promise<T>;
  list<T>(resource: Resource, namespace: string | undefined, options?: ListOptions): Promise<ObjectList<T>>;
  create<T>(resource: Resource, namespace: string | undefined, object: object, options?: WriteOptions): Promise<T>;
  /** Replaces the whole object; a `resourceVersion` in it makes the write conditional. */
  update<T>(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    object: object,
    options?: WriteOptions,
  ): Promise<T>;
  /** RFC 7396. `metadata.resourceVersion` in the patch makes it conditional. */
  mergePatch<T>(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    patch: object,
    options?: WriteOptions,
  ): Promise<T>;
  /** Server-side apply; `force` takes fields over from other managers. */
  applyServerSide<T>(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    object: object,
    options?: WriteOptions & { force?: boolean },
  ): Promise<T>;
  delete(resource: Resource, namespace: string | undefined, name: string, options?: DeleteOptions): Promise<void>;
  /** Ends when the apiserver ends the watch; throws `KubeError` on 410, on silence and on a cut. `timeoutMilliseconds` is the silence allowed. */
  watch<T>(resource: Resource, namespace: string | undefined, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** Any path, such as `/version` or `/readyz`: the parsed JSON, or the text; with bounds always the text. */
  raw(method: HttpMethod, path: string, body?: object, options?: RequestOptions): Promise<unknown>;
  close(): Promise<void>;
}

/** Bookmarks come about each minute; two missed mean that nobody is there. */
const SILENCE_MILLISECONDS = 120_000;

/** A client of one apiserver, on connections it keeps open. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  const requester = createRequester(options);
  // The shapes are the caller's knowledge; see parseJson.
  async function json<T>(call: Call): Promise<T> {
    const { text } = await requester.text(call);
    try {
      return parseJson<T>(text);
    } catch (error) {
      throw new KubeError({
        status: 0,
        reason: 'UnexpectedAnswer',
        message: 'the answer is not JSON',
        ...(call.resource === undefined ? {} : { kind: call.resource.kind }),
        ...(call.objectName === undefined ? {} : { objectName: call.objectName }),
        cause: error,
      });
    }
  }

  function write<T>(
    call: Omit<Call, 'options' | 'path'> & { resource: Resource },
    namespace: string | undefined,
    name: string | undefined,
    o: WriteOptions,
  ): Promise<T> {
    return json<T>({
      ...call,
      path: pathOf(call.resource, namespace, name, o.subresource),
      query: {
        fieldManager: o.fieldManager ?? options.fieldManager,
        dryRun: o.dryRun ? 'All' : undefined,
        ...call.query,
      },
      ...(name === undefined ? {} : { objectName: qualified(namespace, name) }),
      options: o,
    });
  }

  return {
    get: (resource, namespace, name, o = {}) =>
      json({
        verb: 'get',
        method: 'GET',
        path: pathOf(resource, namespace, name),
        resource,
        objectName: qualified(namespace, name),
        options: o,
      }),

    async list<T>(resource: Resource, namespace: string | undefined, o: ListOptions = {}): Promise<ObjectList<T>> {
      const page = await json<{ metadata: { resourceVersion: string; continue?: string }; items: T[] | null }>({
        verb: 'list',
        method: 'GET',
        path: pathOf(resource, namespace),
        query: {
          limit: o.limit,
          continue: o.continue,
          resourceVersion: o.resourceVersion,
          labelSelector: o.labelSelector,
          fieldSelector: o.fieldSelector,
        },
        resource,
        ...(o.metadataOnly ? { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' } : {}),
        options: o,
      });
      const items = page.items ?? [];
      for (const item of items) complete(item, resource);
      return {
        items,
        resourceVersion: page.metadata.resourceVersion,
        ...(page.metadata.continue ? { continue: page.metadata.continue } : {}),
      };
    },

    create: (resource, namespace, object, o = {}) =>
      write({ verb: 'create', method: 'POST', resource, body: typed(object, resource) }, namespace, undefined, o),

    update: (resource, namespace, name, object, o = {}) =>
      write({ verb: 'update', method: 'PUT', resource, body: typed(object, resource) }, namespace, name, o),

    mergePatch: (resource, namespace, name, patch, o = {}) =>
      write(
        { verb: 'patch', method: 'PATCH', resource, body: patch, contentType: 'application/merge-patch+json' },
        namespace,
        name,
        o,
      ),

    applyServerSide: (resource, namespace, name, object, o = {}) =>
      write(
        {
          verb: 'apply',
          method: 'PATCH',
          resource,
          body: typed(object, resource),
          contentType: 'application/apply-patch+yaml',
          query: { force: o.force },
        },
        namespace,
        name,
        o,
      ),

    async delete(resource, namespace, name, o = {}) {
      await json({
        verb: 'delete',
        method: 'DELETE',
        path: pathOf(resource, namespace, name),
        resource,
        objectName: qualified(namespace, name),
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          ...(o.propagationPolicy ? { propagationPolicy: o.propagationPolicy } : {}),
          ...(o.uid ? { preconditions: { uid: o.uid } } : {}),
        },
        options: o,
      });
    },

    async *watch<T>(resource: Resource, namespace: string | undefined, o: WatchOptions) {
      const call: Call = {
        verb: 'watch',
        method: 'GET',
        path: pathOf(resource, namespace),
        query: {
          watch: true,
          resourceVersion: o.resourceVersion,
          timeoutSeconds: o.timeoutSeconds,
          allowWatchBookmarks: o.allowWatchBookmarks,
          labelSelector: o.labelSelector,
          fieldSelector: o.fieldSelector,
        },
        resource,
        ...(o.metadataOnly ? { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' } : {}),
        options: { ...o, timeoutMilliseconds: o.timeoutMilliseconds ?? SILENCE_MILLISECONDS },
        streaming: true,
      };
      const answer = await requester.attempt(call);
      try {
        for await (const event of readWatch<T>(answer.body, resource.kind)) {
          if (event.type !== 'BOOKMARK') complete(event.object, resource);
          yield event;
        }
      } catch (error) {
        throw connectionError(error, o.signal);
      }
    },

    async raw(method, path, body, o = {}) {
      const answer = await requester.text({
        verb: 'raw',
        method,
        path,
        ...(body === undefined ? {} : { body }),
        accept: '*/*',
        options: o,
      });
      // What anybody may answer may say that it is JSON, and be none.
      const isJson = answer.contentType.startsWith('application/json') && !o.bounds;
      return isJson ? parseJson<unknown>(answer.text) : answer.text;
    },

    close: () => requester.close(),
  };
}

/** Custom resources must be sent with their kind, which the caller named already. */
function typed(object: object, resource: Resource): object {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

function qualified(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Items of a list of built-in kinds come without their kind, and metadata alone comes under a kind of its own. */
function complete(item: unknown, resource: Resource): void {
  if (typeof item === 'object' && item !== null) {
    Object.assign(item, { apiVersion: apiVersionOf(resource), kind: resource.kind });
  }
}
