import { isObject } from '../../simulator/plain-object.ts';

/** The member of the answer that holds the elements, by list; and whether a `Total` beside it counts them. */
const lists: Readonly<Record<string, { readonly member: string; readonly isCounted: boolean }>> = {
  'GET /commonserviceitem': { member: 'CommonServiceItems', isCounted: true },
  'GET /appliance': { member: 'Appliances', isCounted: true },
  'GET /appliance/:id/mobilegateway/sims': { member: 'sim', isCounted: true },
  'GET /appliance/:id/mobilegateway/simroutes': { member: 'sim_routes', isCounted: false },
  'GET webaccel/site': { member: 'Sites', isCounted: true },
  'GET webaccel/monthlyusage': { member: 'MonthlyUsages', isCounted: false },
};

export function isList(route: string): boolean {
  return Object.hasOwn(lists, route);
}

export function isCountedList(route: string): boolean {
  return lists[route]?.isCounted ?? false;
}

type Body = Readonly<Record<string, unknown>>;

/** What goes wrong with a list. */
export type ListMistake =
  | 'no array'
  | 'misses a member'
  | 'misses half'
  | 'doubles a member'
  | 'total too high'
  | 'total too low';

/** The body of a list with a mistake in it; undefined when the list is too short for that one. */
export function mistaken(route: string, mistake: ListMistake, body: Body, random: () => number): Body | undefined {
  const list = lists[route];
  const elements: unknown = list && body[list.member];
  if (!list || !Array.isArray(elements)) return undefined;
  const total = typeof body['Total'] === 'number' ? body['Total'] : undefined;
  const counted = (by: number): Body => (total === undefined ? {} : { Total: total + by });
  switch (mistake) {
    case 'no array': {
      const { [list.member]: _, ...others } = body;
      return others;
    }
    case 'total too high':
      return total === undefined ? undefined : { ...body, ...counted(1) };
    case 'total too low':
      return total === undefined || total === 0 ? undefined : { ...body, ...counted(-1) };
    case 'misses a member': {
      if (elements.length === 0) return undefined;
      return { ...body, ...counted(-1), ...listed(elements.toSpliced(chosen(elements, random), 1)) };
    }
    case 'misses half': {
      if (elements.length < 2) return undefined;
      const missing = Math.ceil(elements.length / 2);
      return { ...body, ...counted(-missing), ...listed(elements.slice(missing)) };
    }
    case 'doubles a member': {
      if (elements.length === 0) return undefined;
      const index = chosen(elements, random);
      return { ...body, ...counted(1), ...listed(elements.toSpliced(index, 0, elements[index])) };
    }
  }

  /** As many and in such an order as the answer would say if that were all there is. */
  function listed(members: readonly unknown[]): Body {
    const from = typeof body['From'] === 'number' ? body['From'] : 0;
    const numbered = members.map((one, index) =>
      isObject(one) && 'Index' in one ? { ...one, Index: from + index } : one,
    );
    return { ...('Count' in body && { Count: members.length }), [list?.member ?? '']: numbered };
  }
}

function chosen(elements: readonly unknown[], random: () => number): number {
  return Math.floor(random() * elements.length);
}
