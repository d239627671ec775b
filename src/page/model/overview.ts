import { type KindName, kinds } from '../../cli/kinds.ts';
import { isSimplyReady, type State } from '../../cli/standing.ts';
import type { AccountNow, PageSource } from '../../operator/page-source.ts';
import type { RecentChange } from '../../operator/recent-changes.ts';
import { keyOf } from '../../reconcile/reconciler.ts';
import type { Sight } from '../access/sight.ts';
import { states } from '../query.ts';
import type { Row } from './row.ts';

/** An account, as it is and as it says it is. */
export interface AccountView {
  readonly row: Row;
  /** Undefined: it is not open. */
  readonly now: AccountNow | undefined;
}

/** How many of a kind are how. */
export interface KindCount {
  readonly kind: KindName;
  readonly total: number;
  readonly byState: ReadonlyMap<State, number>;
}

/** What is shown first. */
export interface Overview {
  readonly accounts: readonly AccountView[];
  readonly moreAccounts: number;
  readonly counts: readonly KindCount[];
  readonly attention: readonly Row[];
  readonly moreAttention: number;
  readonly certificates: readonly Row[];
  readonly moreCertificates: number;
  readonly changes: readonly RecentChange[];
  /** Undefined: it is about more than may be seen. */
  readonly queue: ReturnType<PageSource['queue']> | undefined;
}

const MOST_ACCOUNTS = 20;
const MOST_ATTENTION = 25;
const MOST_CERTIFICATES = 10;
const MOST_OVERVIEW_CHANGES = 8;
/** Of one object. */
export const MOST_CHANGES = 20;

const accountKinds: ReadonlySet<KindName> = new Set(['CloudAccount', 'ClusterCloudAccount']);

/** Of what may be seen. */
export function overviewOf(rows: readonly Row[], sight: Sight, source: PageSource): Overview {
  const accounts = rows.filter(({ standing }) => accountKinds.has(standing.kind));
  const attention = rows.filter(({ standing }) => !isSimplyReady(standing));
  const certificates = certificatesOf(rows);
  return {
    accounts: accounts.slice(0, MOST_ACCOUNTS).map((row) => ({
      row,
      now: source.account(keyOf(row.standing.kind, row.standing)),
    })),
    moreAccounts: Math.max(0, accounts.length - MOST_ACCOUNTS),
    counts: countsOf(rows),
    attention: attention.slice(0, MOST_ATTENTION),
    moreAttention: Math.max(0, attention.length - MOST_ATTENTION),
    certificates: certificates.slice(0, MOST_CERTIFICATES),
    moreCertificates: Math.max(0, certificates.length - MOST_CERTIFICATES),
    changes: changesSeen(source.changes(), sight).slice(0, MOST_OVERVIEW_CHANGES),
    queue: sight.isWhole ? source.queue() : undefined,
  };
}

/** The SiteCertificates, the one that expires first before the others; those without any at the end. Pure. */
export function certificatesOf(rows: readonly Row[]): Row[] {
  return rows
    .filter(({ standing }) => standing.kind === 'SiteCertificate')
    .sort((a, b) => (a.expires ?? Number.POSITIVE_INFINITY) - (b.expires ?? Number.POSITIVE_INFINITY) || 0);
}

/** Pure. */
export function changesSeen(changes: readonly RecentChange[], sight: Sight): RecentChange[] {
  return changes.filter(({ line }) => {
    const kind = kinds.find((one) => one.kind === line.kind)?.kind;
    return kind !== undefined && sight.sees(kind, line.namespace);
  });
}

function countsOf(rows: readonly Row[]): KindCount[] {
  const counts = new Map<KindName, Map<State, number>>();
  for (const { standing } of rows) {
    const byState = counts.get(standing.kind) ?? new Map<State, number>();
    counts.set(standing.kind, byState);
    byState.set(standing.state, (byState.get(standing.state) ?? 0) + 1);
  }
  return kinds.flatMap(({ kind }) => {
    const byState = counts.get(kind);
    if (!byState) return [];
    const total = states.reduce((sum, state) => sum + (byState.get(state) ?? 0), 0);
    return [{ kind, total, byState }];
  });
}
