import { UnexpectedResponseError } from '../errors.ts';
import type { Page } from './page.ts';

/** A list taken page by page. */
export interface FetchedList<T> {
  readonly items: ReadonlyMap<string, T>;
  /** Whether the pages fitted together and were all there is. */
  readonly complete: boolean;
}

/** How often a list whose pages do not fit together is taken. */
const MOST_TAKES = 3;

/** Whatever the service says that there is, no more is asked for: a Total that grows with every page has no end. */
const MOST_ITEMS = 100_000;
const MOST_PAGES = 1000;

interface FetchOptions<T> {
  readonly fetchPage: (from: number) => Promise<Page<T>>;
  readonly idOf: (item: T) => string;
  /** The service gives all it has in one answer. */
  readonly unpaged?: boolean;
}

/**
 * Takes a whole list. Pages are no snapshot: what is deleted meanwhile shifts the rest, and an item would be missed. So
 * each page begins with the last item of the one before; where another is found there, the list is taken again. What is
 * created meanwhile comes at the end and does no harm. It is complete only when the service says how many there are, or,
 * where it does not, when asking on shows nothing more.
 * @throws UnexpectedResponseError when it has no end
 */
export async function fetchList<T>(options: FetchOptions<T>): Promise<FetchedList<T>> {
  for (let take = 1; ; take++) {
    const { items, outcome } = await takeOnce(options);
    if (outcome !== 'shifted' || take === MOST_TAKES) return { items, complete: outcome === 'complete' };
  }
}

/**
 * The items of a list that is of use only as a whole.
 * @throws UnexpectedResponseError when it is not
 */
export async function fetchWhole<T>(options: FetchOptions<T> & { readonly route: string }): Promise<T[]> {
  const { items, complete } = await fetchList(options);
  if (complete) return [...items.values()];
  throw new UnexpectedResponseError(
    `${options.route}: the pages of the list do not add up to as many as it says there are`,
    'Nothing to do if it passes: it is tried again.',
    { route: options.route, path: 'Total' },
  );
}

type Outcome = 'complete' | 'shifted' | 'cut short';

async function takeOnce<T>(options: FetchOptions<T>): Promise<{ items: Map<string, T>; outcome: Outcome }> {
  const { fetchPage, idOf, unpaged } = options;
  const items = new Map<string, T>();
  let position = 0;
  let total: number | undefined;
  let last: string | undefined;
  let isShort = false;
  for (let pages = 1; ; pages++) {
    const page = await fetchPage(last === undefined ? position : position - 1);
    const [first] = page.items;
    if (last !== undefined && (first === undefined || idOf(first) !== last)) return { items, outcome: 'shifted' };
    const added = last === undefined ? page.items : page.items.slice(1);
    for (const item of added) items.set(idOf(item), item);
    position += added.length;
    isShort ||= page.isShort ?? false;
    if (items.size !== position) return { items, outcome: 'shifted' };
    if (page.total === undefined) {
      if (unpaged) return { items, outcome: 'cut short' };
      // Twice the same end: there is nothing behind it.
      if (added.length === 0 && pages > 1) return { items, outcome: isShort ? 'cut short' : 'complete' };
    } else {
      // More than there are: they are not of one list.
      if (position > page.total) return { items, outcome: 'shifted' };
      if (position === page.total) return { items, outcome: isShort ? 'cut short' : 'complete' };
      // Nothing new though there should be: with the same Total it is all the service shows.
      if (added.length === 0) return { items, outcome: page.total === total ? 'cut short' : 'shifted' };
      if (unpaged) return { items, outcome: 'cut short' };
    }
    if (position > MOST_ITEMS || pages >= MOST_PAGES) throw endless(position, pages);
    total = page.total;
    // With pages of one item an overlap would leave no room for another.
    const final = page.items.at(-1);
    last = page.items.length > 1 && final !== undefined ? idOf(final) : undefined;
  }
}

function endless(items: number, pages: number): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `the service lists ${items} items on ${pages} pages and says that there are more; no more are asked for`,
    'Check baseURL, and what stands between this process and the service.',
    { route: 'lists', path: 'Total' },
  );
}
