import { isCountedList, isList, type ListMistake } from './lists.ts';

/** A refusal in the service's own form. */
export interface Refusal {
  readonly status: number;
  readonly errorCode: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** The complaint quotes what was sent. */
  readonly repeats?: true;
}

/** What a fault does, and to which operations. */
type Effect =
  | { readonly kind: 'silent'; readonly when: 'before' | 'after'; readonly how: 'cut' | 'stall' }
  | { readonly kind: 'refused'; readonly when: 'before' | 'after'; readonly refusal: Refusal }
  | { readonly kind: 'unauthorized' }
  /** An answer of success whose body says that it is none. */
  | { readonly kind: 'denied' }
  /** Something between the client and the service answers in its stead. */
  | { readonly kind: 'proxy'; readonly when: 'before' | 'after'; readonly status: number; readonly isJSON?: true }
  | { readonly kind: 'disfigured'; readonly how: 'garbage' | 'truncated' | 'html' | 'empty' | 'not ok' }
  | { readonly kind: 'mistaken'; readonly mistake: ListMistake }
  | { readonly kind: 'stale' }
  | { readonly kind: 'late' };

const refused = (when: 'before' | 'after', status: number, errorCode: string, retryAfter?: number) =>
  ({
    kind: 'refused',
    when,
    refusal: { status, errorCode, ...(retryAfter !== undefined && { retryAfter }) },
  }) as const satisfies Effect;

const effects = {
  // Nothing is carried out.
  'too many requests': refused('before', 429, 'too_many_request'),
  'too many requests, retry later': refused('before', 429, 'too_many_request', 30),
  conflict: refused('before', 409, 'conflict'),
  'conflict that repeats what was sent': {
    kind: 'refused',
    when: 'before',
    refusal: { status: 409, errorCode: 'conflict', repeats: true },
  },
  'still creating': refused('before', 409, 'still_creating'),
  locked: refused('before', 423, 'locked'),
  'internal error': refused('before', 500, 'internal_server_error'),
  unavailable: refused('before', 503, 'service_temporarily_unavailable'),
  'throttled by 503': refused('before', 503, 'too_many_request'),
  unauthorized: { kind: 'unauthorized' },
  forbidden: refused('before', 403, 'forbidden'),
  'not ok, and not done': { kind: 'denied' },
  'bad gateway': { kind: 'proxy', when: 'before', status: 502 },
  'not found by a proxy': { kind: 'proxy', when: 'before', status: 404 },
  'not found by a proxy, in JSON': { kind: 'proxy', when: 'before', status: 404, isJSON: true },
  'cut before': { kind: 'silent', when: 'before', how: 'cut' },
  'stall before': { kind: 'silent', when: 'before', how: 'stall' },
  // It is carried out.
  'internal error after': refused('after', 500, 'internal_server_error'),
  'timeout after': refused('after', 503, 'operation_timeout'),
  'gateway timeout after': { kind: 'proxy', when: 'after', status: 504 },
  'cut after': { kind: 'silent', when: 'after', how: 'cut' },
  'stall after': { kind: 'silent', when: 'after', how: 'stall' },
  garbage: { kind: 'disfigured', how: 'garbage' },
  truncated: { kind: 'disfigured', how: 'truncated' },
  html: { kind: 'disfigured', how: 'html' },
  empty: { kind: 'disfigured', how: 'empty' },
  'not ok': { kind: 'disfigured', how: 'not ok' },
  // Lists.
  'list misses a member': { kind: 'mistaken', mistake: 'misses a member' },
  'list misses half': { kind: 'mistaken', mistake: 'misses half' },
  'list without its array': { kind: 'mistaken', mistake: 'no array' },
  'list doubles a member': { kind: 'mistaken', mistake: 'doubles a member' },
  'list total too high': { kind: 'mistaken', mistake: 'total too high' },
  'list total too low': { kind: 'mistaken', mistake: 'total too low' },
  'list is stale': { kind: 'stale' },
  // A new object is in no list and answers 404 for a while.
  'shown late': { kind: 'late' },
} as const satisfies Record<string, Effect>;

/** What can go wrong with a request, by name. */
export type Fault = keyof typeof effects;

const isFault = (name: string): name is Fault => Object.hasOwn(effects, name);

/** What only stories tell of: it takes more than the next answer until all is well again, or more than one member. */
const special: ReadonlySet<Fault> = new Set(['forbidden', 'not ok, and not done', 'list misses half']);

/** All faults that any life may have. */
export const faults: readonly Fault[] = Object.keys(effects)
  .filter(isFault)
  .filter((fault) => !special.has(fault));

const shownLate: ReadonlySet<string> = new Set(['POST /commonserviceitem', 'POST /appliance']);

export function effectOf(fault: Fault): Effect {
  return effects[fault];
}

function makesSense(fault: Fault, route: string): boolean {
  const effect = effectOf(fault);
  switch (effect.kind) {
    case 'silent':
    case 'refused':
    case 'proxy':
      // Of a read that is not answered nobody can tell whether it was done.
      return effect.when === 'before' || !route.startsWith('GET ');
    case 'unauthorized':
    case 'disfigured':
      return true;
    case 'denied':
      return !route.startsWith('GET ');
    case 'mistaken':
      return effect.mistake.startsWith('total') ? isCountedList(route) : isList(route);
    case 'stale':
      return isList(route);
    case 'late':
      return shownLate.has(route);
  }
}

/** The faults that make sense for an operation: the cells of the coverage table. */
export function faultsOf(route: string): readonly Fault[] {
  return faults.filter((fault) => makesSense(fault, route));
}

/** What stands for faults that make no sense for a read, and for a write. */
const substitutes: { readonly [K in Effect['kind']]: { readonly read: Fault; readonly write: Fault } } = {
  silent: { read: 'stall before', write: 'stall after' },
  refused: { read: 'internal error', write: 'internal error after' },
  proxy: { read: 'bad gateway', write: 'gateway timeout after' },
  unauthorized: { read: 'unauthorized', write: 'unauthorized' },
  denied: { read: 'not ok', write: 'not ok, and not done' },
  disfigured: { read: 'garbage', write: 'garbage' },
  mistaken: { read: 'truncated', write: 'truncated' },
  stale: { read: 'unavailable', write: 'cut after' },
  late: { read: 'cut before', write: 'still creating' },
};

/** The fault itself, or one like it that makes sense for the operation. */
export function sensible(fault: Fault, route: string): Fault {
  if (makesSense(fault, route)) return fault;
  return substitutes[effectOf(fault).kind][route.startsWith('GET ') ? 'read' : 'write'];
}
