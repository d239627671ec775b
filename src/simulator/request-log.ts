/** One request, as `GET /requests` of the control port shows it. */
export interface RequestRecord {
  /** Counts up from 1 in the order requests ended. */
  readonly seq: number;
  /** Simulated time of the request's end, ISO 8601. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  /** `METHOD /template`, or `METHOD (unknown)`. */
  readonly route: string;
  /** HTTP status; 0 when the connection ended without an answer. */
  readonly status: number;
  readonly account: string | null;
  /** The body, secrets shown as the start of their SHA-256. */
  readonly body?: unknown;
  readonly durationMs: number;
}

export interface RequestLog {
  add(record: Omit<RequestRecord, 'seq'>): void;
  /** Records after `seq`, and the number to ask with next. */
  since(seq: number): { requests: readonly RequestRecord[]; next: number };
  /** All requests since the start or the last `clear`, by route; those no longer in the log too. */
  counts(): { total: number; byRoute: Record<string, number>; byStatus: Record<string, number> };
  clear(): void;
}

export function createRequestLog(limit: () => number): RequestLog {
  let records: RequestRecord[] = [];
  let seq = 0;
  const byRoute = new Map<string, number>();
  const byStatus = new Map<string, number>();
  return {
    add(record) {
      seq++;
      byRoute.set(record.route, (byRoute.get(record.route) ?? 0) + 1);
      byStatus.set(String(record.status), (byStatus.get(String(record.status)) ?? 0) + 1);
      records.push({ seq, ...record });
      // Cut rarely and by much: moving a long list for every request would cost more than serving it.
      if (records.length > limit() * 1.25 + 100) records = limit() === 0 ? [] : records.slice(-limit());
    },
    since(after) {
      const first = records[0]?.seq ?? seq + 1;
      return { requests: records.slice(Math.max(0, after - first + 1)), next: seq };
    },
    counts() {
      const sorted = (map: ReadonlyMap<string, number>) =>
        Object.fromEntries([...map].sort(([one], [other]) => (one < other ? -1 : 1)));
      let total = 0;
      for (const count of byRoute.values()) total += count;
      return { total, byRoute: sorted(byRoute), byStatus: sorted(byStatus) };
    },
    clear() {
      records = [];
      byRoute.clear();
      byStatus.clear();
    },
  };
}
