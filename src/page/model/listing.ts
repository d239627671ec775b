import { isSimplyReady } from '../../cli/standing.ts';
import type { Query } from '../query.ts';
import type { Row } from './row.ts';

/** One page of a list. */
export interface Listing {
  readonly rows: readonly Row[];
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

export const ROWS_A_PAGE = 50;

/** The rows that are asked for. Pure. */
export function matching(rows: readonly Row[], query: Query): readonly Row[] {
  const { kind, state, namespace } = query;
  const words = query.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(
    ({ standing, haystack }) =>
      (kind === undefined || standing.kind === kind) &&
      (namespace === undefined || standing.namespace === namespace) &&
      (state === undefined || (state === 'attention' ? !isSimplyReady(standing) : standing.state === state)) &&
      words.every((word) => haystack.includes(word)),
  );
}

/** The page of them; the last one where there are not so many. Pure. */
export function pageOf(rows: readonly Row[], page: number): Listing {
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const shown = Math.min(page, pages);
  return {
    rows: rows.slice((shown - 1) * ROWS_A_PAGE, shown * ROWS_A_PAGE),
    total: rows.length,
    page: shown,
    pages,
  };
}
