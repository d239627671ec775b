import type { Kind } from './kinds/kind.ts';
import type { Selection } from './selectors.ts';
import { badRequest, type Cause, expired, invalid, StatusError } from './status.ts';
import { keyOf, type Storage } from './storage.ts';
import type { Version } from './versions.ts';

/** What is asked of a list. */
export interface ListRequest {
  /** Empty: all. */
  readonly namespace: string;
  readonly selection: Selection;
  readonly query: URLSearchParams;
  readonly metadataOnly: boolean;
}

/** Where a list goes on: a token is this as JSON in base64. */
interface Place {
  /** -1: as it is now. */
  readonly rv: number;
  /** Before the first key of what is left, be it made later: right after the last one that was given. */
  readonly start: string;
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** The JSON of one page. Throws 410 for a token or a revision that is forgotten, and 504 for one of the future. */
export function listPage(storage: Storage, kind: Kind, request: ListRequest): string {
  const { namespace, selection, query } = request;
  const token = query.get('continue') ?? '';
  const limit = Number(query.get('limit') ?? 0);
  const place = token === '' ? undefined : placeOf(token);
  const asked = revisionOf(query);
  validate(query);
  if (place && asked > 0) throw badRequest('specifying resource version is not allowed when using continue');
  if (place && place.rv >= 0 && place.rv < storage.oldest) throw expired(TOO_OLD, tokenOf({ ...place, rv: -1 }));
  if (asked > storage.revision) throw tooNew(asked, storage.revision);
  const isExact = query.get('resourceVersionMatch') === 'Exact';
  if (isExact && asked < storage.oldest) throw expired('The resourceVersion for the provided list is too old.');
  const revision = place && place.rv >= 0 ? place.rv : isExact ? asked : storage.revision;

  const table = storage.table(kind);
  const prefix = kind.namespaced && namespace !== '' ? `${namespace}/` : '';
  const only = onlyKey(kind, namespace, selection.name, place);
  const all =
    only === undefined
      ? table.rowsAt(revision, prefix, place?.start)
      : table.rowsAt(revision, only).filter(({ key }) => key === only);

  // Of what comes from the cache of the watches, which `resourceVersion=0` asks for, there is one page.
  const most = limit > 0 && query.get('resourceVersion') !== '0' ? limit : Number.POSITIVE_INFINITY;
  const found: Version[] = [];
  let last: Version | undefined;
  for (const [index, version] of all.entries()) {
    if (selection.matches && !selection.matches(version.object)) continue;
    found.push(version);
    if (found.length < most) continue;
    if (index + 1 < all.length) last = version;
    break;
  }
  const metadata = {
    resourceVersion: String(revision),
    ...(last && {
      continue: tokenOf({ rv: revision, start: `${last.key}\0` }),
      ...(selection.matches ? {} : { remainingItemCount: all.length - found.length }),
    }),
  };
  return pageText(kind, request.metadataOnly, found, JSON.stringify(metadata));
}

function pageText(kind: Kind, metadataOnly: boolean, found: readonly Version[], metadata: string): string {
  if (metadataOnly) {
    const items = found.map((version) => version.metadataText).join(',');
    // So empty is such a list that it has none.
    return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":${metadata},"items":${found.length === 0 ? 'null' : `[${items}]`}}`;
  }
  // Objects begin with their kind, which items of built-in kinds do without.
  const typed = `{"apiVersion":"${kind.apiVersion}","kind":"${kind.kind}",`.length;
  const items = found.map(({ text }) => (kind.hasTypedItems ? text : `{${text.slice(typed)}`)).join(',');
  return `{"kind":"${kind.kind}List","apiVersion":"${kind.apiVersion}","metadata":${metadata},"items":[${items}]}`;
}

/** Where a list is about one name in one place, it is a look at one object, which has no pages. */
function onlyKey(
  kind: Kind,
  namespace: string,
  name: string | undefined,
  place: Place | undefined,
): string | undefined {
  if (name === undefined || place || (kind.namespaced && namespace === '')) return undefined;
  return keyOf(kind, namespace, name);
}

/** `resourceVersion` as a number; 0 where there is none. Throws 400. */
export function revisionOf(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text === '') return 0;
  if (!/^\d+$/.test(text))
    throw badRequest(
      `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  return Number(text);
}

/** How lists may be asked for what was. Throws 422. */
function validate(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? '';
  if (match === '') return;
  const version = query.get('resourceVersion') ?? '';
  const causes: Cause[] = [];
  const forbid = (why: string) =>
    causes.push({ reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field: 'resourceVersionMatch' });
  if (version === '') forbid('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (query.get('continue')) forbid('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
      field: 'resourceVersionMatch',
    });
  }
  if (match === 'Exact' && version === '0') forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causes);
}

function tooNew(asked: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

function tokenOf(place: Place): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...place })).toString('base64url');
}

function placeOf(token: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof place === 'object' && place !== null && 'rv' in place && 'start' in place) {
      return { rv: Number(place.rv), start: String(place.start) };
    }
  } catch {
    // Said below.
  }
  throw badRequest('continue key is not valid');
}
