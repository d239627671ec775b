import type { Page } from './page.ts';

/** A list taken page by page. */
export interface FetchedList<T> {
  readonly items: ReadonlyMap<string, T>;
  /** Whether the pages fitted together and were all there is. */
  readonly complete: boolean;
}

/** How often a list whose pages do not fit together is taken. */
const takes = 3;

/**
 * Takes a whole list. Pages are no snapshot: what is deleted meanwhile shifts the rest, and an item would be missed. So
 * each page begins with the last item of the one before; where another is found there, the list is taken again. What is
 * created meanwhile comes at the end and does no harm.
 */
export async function fetchList<T>(options: {
  readonly fetchPage: (from: number) => Promise<Page<T>>;
  readonly idOf: (item: T) => string;
  /** The service gives all it has in one answer. */
  readonly unpaged: boolean;
}): Promise<FetchedList<T>> {
  for (let take = 1; ; take++) {
    const { items, outcome } = await takeOnce(options);
    if (outcome !== 'shifted' || take === takes) return { items, complete: outcome === 'complete' };
  }
}

type Outcome = 'complete' | 'shifted' | 'cut short';

async function takeOnce<T>(
  options: Parameters<typeof fetchList<T>>[0],
): Promise<{ items: Map<string, T>; outcome: Outcome }> {
  const { fetchPage, idOf, unpaged } = options;
  const items = new Map<string, T>();
  let position = 0;
  let total = 0;
  let last: string | undefined;
  for (;;) {
    const page = await fetchPage(last === undefined ? position : position - 1);
    const [first] = page.items;
    if (last !== undefined && (first === undefined || idOf(first) !== last)) return { items, outcome: 'shifted' };
    const added = last === undefined ? page.items : page.items.slice(1);
    for (const item of added) items.set(idOf(item), item);
    position += added.length;
    if (items.size !== position) return { items, outcome: 'shifted' };
    if (position >= page.total) return { items, outcome: 'complete' };
    // Nothing new though there should be: with the same Total it is all the service shows.
    if (added.length === 0) return { items, outcome: page.total === total ? 'cut short' : 'shifted' };
    if (unpaged) return { items, outcome: 'cut short' };
    total = page.total;
    // With pages of one item an overlap would leave no room for another.
    const final = page.items.at(-1);
    last = page.items.length > 1 && final !== undefined ? idOf(final) : undefined;
  }
}
