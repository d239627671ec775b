import { deleteObject } from './deletions.ts';
import type { Members } from './json.ts';
import { namespaces } from './kinds/built-in.ts';
import type { Kind } from './kinds/kind.ts';
import { listPage, revisionOf } from './lists.ts';
import { type Route, routeOf } from './routes.ts';
import { nameIn, selectionOf } from './selectors.ts';
import { forbidden, notFound, StatusError } from './status.ts';
import { keyOf, type Storage } from './storage.ts';
import type { Watch, Watches } from './watches.ts';
import { parseBody, type Writes, type Writing, type Written } from './writes.ts';

export interface ApiserverRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly contentType?: string | undefined;
  readonly accept?: string | undefined;
  readonly body?: string | undefined;
  /** Who asks, for permissions. */
  readonly user: string;
}

export type ApiserverAnswer =
  | { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
  | { readonly status: 200; readonly headers: Record<string, string>; readonly watch: Watch };

/** What permissions are asked about, in the words of RBAC. */
export interface Attributes {
  readonly user: string;
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  readonly resource: string;
  readonly subresource: string | undefined;
  /** Undefined: all, or none. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** True: refused. */
export type Denial = (attributes: Attributes) => boolean;

/** What answers requests. */
export interface Handler {
  handle(request: ApiserverRequest): ApiserverAnswer;
  setDenial(denies: Denial | undefined): void;
  /** JSON by path, without query; to be called when other kinds are served, too. */
  setDocuments(documents: ReadonlyMap<string, string>): void;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const METHOD_VERBS = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** Answers from a storage. */
export function createHandler(parts: {
  readonly storage: Storage;
  readonly watches: Watches;
  readonly writes: Writes;
  /** By `routeKey`. */
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly now: () => number;
}): Handler {
  const { storage, watches, writes, kinds, now } = parts;
  let denies: Denial | undefined;
  let documents: ReadonlyMap<string, string> = new Map();
  /** The same few paths are asked for all the time. */
  const routes = new Map<string, Route>();

  function findRoute(path: string): Route | undefined {
    const route = routes.get(path) ?? routeOf(kinds, path);
    if (route && routes.size < MOST_ROUTES) routes.set(path, route);
    return route;
  }

  function authorize(
    request: ApiserverRequest,
    { kind, namespace, name, subresource }: Route,
    query: URLSearchParams,
  ): void {
    if (!denies) return;
    const isCollection = name === undefined && request.method === 'GET';
    const verb = isCollection ? (query.get('watch') === 'true' ? 'watch' : 'list') : METHOD_VERBS[request.method];
    // A list of one name is asked about as if it were of that name, so that permission for it is enough.
    const only = isCollection ? nameIn(query.get('fieldSelector')) : name;
    // A namespace counts as being in itself.
    const place = kind === namespaces ? (name ?? '') : namespace;
    const attributes = { user: request.user, verb, resource: kind.plural, subresource, name: only } as const;
    if (!denies({ ...attributes, namespace: place === '' ? undefined : place })) return;
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
    throw forbidden(
      kind,
      only ?? '',
      `User "${request.user}" cannot ${verb} resource "${resource}" in API group "${kind.group}" ${place === '' ? 'at the cluster scope' : `in the namespace "${place}"`}`,
    );
  }

  function read(request: ApiserverRequest, route: Route, query: URLSearchParams): ApiserverAnswer {
    const { kind, namespace, name } = route;
    const metadataOnly = request.accept?.includes('as=PartialObjectMetadata') ?? false;
    if (name !== undefined) {
      const version = storage.table(kind).get(keyOf(kind, namespace, name));
      if (!version) throw notFound(kind, name);
      return { status: 200, headers: JSON_TYPE, body: metadataOnly ? version.metadataText : version.text };
    }
    const selection = selectionOf(kind, query);
    if (query.get('watch') !== 'true') {
      return {
        status: 200,
        headers: JSON_TYPE,
        body: listPage(storage, kind, { namespace, selection, query, metadataOnly }),
      };
    }
    const revision = revisionOf(query);
    const seconds = query.get('timeoutSeconds');
    const watch = watches.begin(kind, {
      namespace,
      selection,
      metadataOnly,
      revision: revision === 0 ? undefined : revision,
      bookmarks: query.get('allowWatchBookmarks') === 'true',
      user: request.user,
      timeoutSeconds: seconds === null ? undefined : Number(seconds),
    });
    return { status: 200, headers: JSON_TYPE, watch };
  }

  function write(request: ApiserverRequest, route: Route, query: URLSearchParams): ApiserverAnswer {
    const { kind, namespace, name } = route;
    const { method, contentType = 'application/json', user } = request;
    const subresource = subresourceOf(route);
    const writing: Writing = { kind, namespace, user, dryRun: query.get('dryRun') === 'All' };
    if (method === 'DELETE') {
      if (name === undefined || subresource) throw notAllowed();
      return remove(writing, name, request.body ? parseBody(request.body) : queryOptions(query));
    }
    if ((name === undefined) !== (method === 'POST')) throw notAllowed();
    if (name === undefined) return answerOf(writes.create(writing, parseBody(request.body)));
    const body = parseBody(request.body);
    if (method === 'PUT') return answerOf(writes.update(writing, name, subresource, body));
    if (!contentType.startsWith('application/merge-patch+json')) {
      const message = `the body of the request was in an unknown format - accepted media types include: application/merge-patch+json`;
      throw new StatusError(415, 'UnsupportedMediaType', message);
    }
    return answerOf(writes.patch(writing, name, subresource, body));
  }

  function remove(writing: Writing, name: string, options: Members): ApiserverAnswer {
    const { kind } = writing;
    const { version, isGone } = deleteObject(storage, writing, name, options, now());
    if (!isGone) return { status: 200, headers: JSON_TYPE, body: version.text };
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name,
        ...(kind.group === '' ? {} : { group: kind.group }),
        kind: kind.plural,
        uid: version.object.metadata.uid,
      },
    };
    return { status: 200, headers: JSON_TYPE, body: JSON.stringify(status) };
  }

  function answer(request: ApiserverRequest): ApiserverAnswer {
    const at = request.path.indexOf('?');
    const path = at === -1 ? request.path : request.path.slice(0, at);
    const query = at === -1 ? NOTHING : new URLSearchParams(request.path.slice(at + 1));
    if (request.method === 'GET') {
      const document = documents.get(path) ?? FIXED.get(path);
      // The index of OpenAPI is called plain text by the real one, too.
      const type = path === '/openapi/v3' ? 'text/plain; charset=utf-8' : 'application/json';
      if (document !== undefined) return { status: 200, headers: { 'content-type': type }, body: document };
    }
    const route = findRoute(path);
    if (!route) return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' };
    authorize(request, route, query);
    return request.method === 'GET' ? read(request, route, query) : write(request, route, query);
  }

  return {
    handle(request) {
      try {
        return answer(request);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return { status: error.code, headers: JSON_TYPE, body: JSON.stringify(error.body()) };
      }
    },
    setDenial(denial) {
      denies = denial;
    },
    setDocuments(made) {
      documents = made;
      routes.clear();
    },
  };
}

const MOST_ROUTES = 10_000;
const NOTHING = new URLSearchParams();

const FIXED: ReadonlyMap<string, string> = new Map([
  ['/version', JSON.stringify({ major: '1', minor: '34', gitVersion: 'v1.34.4' })],
  ['/readyz', 'ok'],
  ['/livez', 'ok'],
]);

function answerOf({ status, version }: Written): ApiserverAnswer {
  return { status, headers: JSON_TYPE, body: version.text };
}

/** Only the status is one that is written here. Throws 404 for others. */
function subresourceOf({ kind, subresource, name = '' }: Route): 'status' | undefined {
  if (subresource === undefined) return undefined;
  if (subresource !== 'status' || !kind.hasStatus) throw notFound(kind, name);
  return 'status';
}

function queryOptions(query: URLSearchParams): Members {
  const policy = query.get('propagationPolicy');
  return policy === null ? {} : { propagationPolicy: policy };
}

function notAllowed(): StatusError {
  return new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
}
