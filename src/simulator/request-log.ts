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
  /** The body was too long for the log: so many bytes of JSON. */
  readonly bodyLeftOut?: number;
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

interface Kept {
  readonly record: RequestRecord;
  readonly bytes: number;
}

const LARGEST_SHARE = 1 / 16;

/** Keeps the newest requests: so many, and so many bytes of JSON, each asked for anew at every request. */
export function createRequestLog(limits: {
  readonly requests: () => number;
  readonly bytes: () => number;
}): RequestLog {
  let kept: Kept[] = [];
  /** What is kept begins here: moving a long list for every request would cost more than serving it. */
  let first = 0;
  let bytes = 0;
  let seq = 0;
  const byRoute = new Map<string, number>();
  const byStatus = new Map<string, number>();

  function dropOldest(): void {
    bytes -= kept[first]?.bytes ?? 0;
    first++;
    if (first < 1_000 || first < kept.length / 2) return;
    kept = kept.slice(first);
    first = 0;
  }

  return {
    add(record) {
      seq++;
      byRoute.set(record.route, (byRoute.get(record.route) ?? 0) + 1);
      byStatus.set(String(record.status), (byStatus.get(String(record.status)) ?? 0) + 1);
      const entry = entryOf({ seq, ...record }, limits.bytes() * LARGEST_SHARE);
      kept.push(entry);
      bytes += entry.bytes;
      while (kept.length > first && (kept.length - first > limits.requests() || bytes > limits.bytes())) dropOldest();
    },
    since(after) {
      const firstSeq = kept[first]?.record.seq ?? seq + 1;
      const from = first + Math.max(0, after - firstSeq + 1);
      return { requests: kept.slice(from).map(({ record }) => record), next: seq };
    },
    counts() {
      const sorted = (map: ReadonlyMap<string, number>) =>
        Object.fromEntries([...map].sort(([one], [other]) => (one < other ? -1 : 1)));
      let total = 0;
      for (const count of byRoute.values()) total += count;
      return { total, byRoute: sorted(byRoute), byStatus: sorted(byStatus) };
    },
    clear() {
      kept = [];
      first = 0;
      bytes = 0;
      byRoute.clear();
      byStatus.clear();
    },
  };
}

/** A record with what it weighs; without its body where that alone would fill much of the log. */
function entryOf(record: RequestRecord, largestBody: number): Kept {
  const { body, ...rest } = record;
  const restBytes = 300 + rest.path.length + (rest.query?.length ?? 0);
  if (body === undefined) return { record, bytes: restBytes };
  const bodyBytes = JSON.stringify(body).length;
  if (bodyBytes <= largestBody) return { record, bytes: restBytes + bodyBytes };
  return { record: { ...rest, bodyLeftOut: bodyBytes }, bytes: restBytes };
}
