import { type DialectName, dialectOf } from '../../../cloud/dialect.ts';
import type { Api } from '../../../cloud/limiter/lanes.ts';
import { zones } from '../../../cloud/zones.ts';
import { UsageError } from '../../errors.ts';
import { harmless } from '../../text/harmless.ts';

/** What of the service is meant: never a host, and never anything outside of the two interfaces whose limits are kept. */
export interface ApiPath {
  readonly api: Api;
  readonly zone: string;
  /** Below the interface, in the normal form: `appliance`, never `applience`. */
  readonly segments: readonly string[];
  /** An object is encoded as JSON, as lists take it; a text is sent as it is. */
  readonly query: object | string | undefined;
}

const AREAS: Readonly<Record<string, Api>> = { 'cloud/1.1': 'cloud', 'webaccel/1.0': 'webaccel' };
const WHOLE = /^cloud\/zone\/([^/]*)\/api\/([^/]*\/[^/]*)\/(.*)$/;
/** With what the paths of web acceleration begin (`api.md`, Web acceleration operations, and what Extended has beside). */
const WEB_ACCELERATION = ['site', 'monthlyusage', 'deletecache', 'deleteallcache'];
/** Web acceleration has no other zone (`api.md`, Conventions), and what all zones share is here, too. */
const SHARED_ZONE = 'is1a';
/**
 * What is not among these is refused, and not encoded: of an encoded slash, of dots, of a backslash, of a second slash or of
 * `;` a service may make another path than this program counts and compares.
 */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;
/** What a query may have (RFC 3986), in which no line ends and no fragment begins. */
const QUERY = /^[A-Za-z0-9\-._~%!$&'()*+,;=:@/?]*$/;

/**
 * Reads PATH: whole as `/cloud/zone/ZONE/api/cloud/1.1/…` or `…/webaccel/1.0/…`, or what `api.md` has below that. Pure.
 * @throws UsageError where it is anything else
 */
export function parseApiPath(text: string, zone: string | undefined): ApiPath {
  const mark = text.indexOf('?');
  const path = (mark < 0 ? text : text.slice(0, mark)).replace(/^\//, '');
  const { below, ...place } = placeOf(path, text, zone);
  const [first = '', ...rest] = below.split('/');
  // The dialect of the account says how it is spelled.
  const segments = [first === 'applience' ? 'appliance' : first, ...rest];
  if (!segments.every((segment) => SEGMENT.test(segment))) throw noPath(text);
  return { ...place, segments, query: mark < 0 ? undefined : queryOf(text.slice(mark + 1)) };
}

/** As it is sent below the account's base URL, without the query. */
export function textOf({ api, zone, segments }: ApiPath, method: string, dialect: DialectName): string {
  const [area] = Object.entries(AREAS).find(([, one]) => one === api) ?? [];
  return `/cloud/zone/${zone}/api/${area}${dialectOf(dialect).path(method, `/${segments.join('/')}`)}`;
}

function placeOf(path: string, text: string, zone: string | undefined) {
  if (!path.startsWith('cloud/')) {
    const api: Api = WEB_ACCELERATION.includes(path.split('/', 1)[0] ?? '') ? 'webaccel' : 'cloud';
    return { api, zone: zoneOf(api, zone ?? SHARED_ZONE), below: path };
  }
  const [, named = '', area = '', below = ''] = WHOLE.exec(path) ?? [];
  const api = Object.hasOwn(AREAS, area) ? AREAS[area] : undefined;
  if (!api) throw noPath(text);
  if (zone !== undefined && zone !== named)
    throw new UsageError(`the path names the zone ${harmless(named)}, and --zone another`, 'Leave out --zone.');
  return { api, zone: zoneOf(api, named), below };
}

function zoneOf(api: Api, zone: string): string {
  if (api === 'webaccel' && zone !== SHARED_ZONE)
    throw new UsageError('web acceleration is in no zone but is1a', 'Leave out --zone, or write is1a.');
  if (!/^[a-z0-9]{2,16}$/.test(zone))
    throw new UsageError(`"${harmless(zone)}" is no zone`, `Write one such as ${zones.join(', ')}.`);
  return zone;
}

function queryOf(text: string): object | string {
  if (text.startsWith('{')) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      throw new UsageError('what follows the ? is no JSON', 'Write it as in \'/commonserviceitem?{"Count":10}\'.');
    }
  }
  if (QUERY.test(text)) return text;
  throw new UsageError(
    'what follows the ? has characters that must be encoded',
    "Write it as in '/monthlyusage?target=202610', or as JSON: '/commonserviceitem?{\"Count\":10}'.",
  );
}

function noPath(text: string): UsageError {
  return new UsageError(
    `"${harmless(text)}" is no path of the service`,
    'Write it without a host, plain and not encoded: /commonserviceitem/113300000017/sim/status, or whole, as /cloud/zone/is1a/api/webaccel/1.0/site.',
  );
}
