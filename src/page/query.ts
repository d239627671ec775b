import { type KindName, kinds } from '../cli/kinds.ts';
import type { State } from '../cli/standing.ts';

/** States that can be asked for. */
export const states: readonly State[] = [
  'NotReady',
  'Deleting',
  'NotSeen',
  'Outdated',
  'Changing',
  'NotSynced',
  'Ready',
];

/** What is asked for: everything that is not known is left out. */
export interface Query {
  /** `overview` unless anything narrower is asked for. */
  readonly view: 'overview' | 'resources' | 'certificates' | 'object';
  readonly kind: KindName | undefined;
  /** `attention`: all that is not Ready or has a warning. */
  readonly state: State | 'attention' | undefined;
  readonly namespace: string | undefined;
  /** Words that all have to be there. */
  readonly search: string;
  /** From 1. */
  readonly page: number;
  /** Of `object`: undefined namespace for what is in none. */
  readonly object:
    | { readonly kind: KindName; readonly namespace: string | undefined; readonly name: string }
    | undefined;
}

const LONGEST_SEARCH = 200;
const LONGEST_NAME = 253;
const MOST_PAGES = 100_000;

/** Reads what follows the `?`. Pure. */
export function parseQuery(parameters: URLSearchParams): Query {
  const text = (name: string) => (parameters.get(name) ?? '').trim();
  const object = objectOf(text('object'));
  const kind = kindNamed(text('kind'));
  const stateText = text('state');
  const state = stateText === 'attention' ? 'attention' : states.find((one) => one === stateText);
  const namespace = text('namespace').slice(0, LONGEST_NAME) || undefined;
  const search = text('q').slice(0, LONGEST_SEARCH);
  const asked = text('view');
  const isNarrow = kind !== undefined || state !== undefined || namespace !== undefined || search !== '';
  return {
    view: object
      ? 'object'
      : asked === 'certificates'
        ? 'certificates'
        : asked === 'resources' || isNarrow
          ? 'resources'
          : 'overview',
    kind,
    state,
    namespace,
    search,
    page: pageOf(text('page')),
    object,
  };
}

/** `sim/NAMESPACE/NAME`; `clustercloudaccount//NAME`. */
function objectOf(text: string): Query['object'] {
  const [word = '', namespace = '', name = '', ...rest] = text.split('/');
  const kind = kindNamed(word);
  if (!kind || name === '' || rest.length > 0) return undefined;
  return { kind, namespace: namespace || undefined, name };
}

function kindNamed(word: string): KindName | undefined {
  return kinds.find(({ singular }) => singular === word)?.kind;
}

function pageOf(text: string): number {
  const page = Number(text);
  return Number.isInteger(page) && page >= 1 ? Math.min(page, MOST_PAGES) : 1;
}

/** What follows the `?` of a link; empty: the overview. Pure. */
export function queryString(parts: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  return `?${parameters.toString()}`;
}
