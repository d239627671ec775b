import { type KindName, kinds } from '../../cli/kinds.ts';
import type { Clock } from '../../clock.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import type { PageSource } from '../../operator/page-source.ts';
import { type Row, rowOf } from './row.ts';

/** All objects at one moment. */
export interface RowIndex {
  /** Epoch milliseconds. */
  readonly at: number;
  /** In their order. */
  readonly rows: readonly Row[];
}

/** So many objects are looked at before others get their turn: a millisecond or two. */
const SLICE = 200;
/** However many ask, the fleet is looked through this often. Milliseconds. */
const FRESH_MILLISECONDS = 2000;
/** After so long without a request nothing is kept in memory. Milliseconds. */
const IDLE_MILLISECONDS = 60_000;

/**
 * The rows of all objects, made when they are asked for, in slices that keep nobody waiting. What has not changed since
 * the time before is not looked at again.
 */
export function createRowIndex(source: Pick<PageSource, 'list'>, clock: Clock): () => Promise<RowIndex> {
  let known = new WeakMap<KubernetesObject, Row>();
  let last: { readonly index: RowIndex; readonly takenAt: number } | undefined;
  let under: Promise<RowIndex> | undefined;
  let cancelIdle: (() => void) | undefined;

  async function take(): Promise<RowIndex> {
    const takenAt = clock.monotonic();
    const at = clock.now();
    const rows: Row[] = [];
    let made = 0;
    for (const { kind } of kinds) {
      for (const object of source.list(kind)) {
        let row = known.get(object);
        if (!row) {
          row = rowOf(kind satisfies KindName, object);
          known.set(object, row);
          if (++made % SLICE === 0) await clock.sleep(0);
        }
        rows.push(row);
      }
    }
    const index = { at, rows: await inOrder(rows, last?.index.rows, clock) };
    last = { index, takenAt };
    return index;
  }

  return () => {
    cancelIdle?.();
    cancelIdle = clock.after(IDLE_MILLISECONDS, () => {
      known = new WeakMap();
      last = undefined;
    });
    if (last && clock.monotonic() - last.takenAt < FRESH_MILLISECONDS) return Promise.resolve(last.index);
    under ??= take().finally(() => {
      under = undefined;
    });
    return under;
  };
}

/** Sorted; what was sorted before and is still there is merged with what is new, so that little is to be compared. */
async function inOrder(rows: readonly Row[], before: readonly Row[] | undefined, clock: Clock): Promise<Row[]> {
  const present = new Set(rows);
  const kept = before?.filter((row) => present.delete(row)) ?? [];
  let runs = [kept, ...chunks([...present]).map((chunk) => chunk.sort(compare))].filter((run) => run.length > 0);
  while (runs.length > 1) {
    const merged: Row[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(mergedOf(runs[index] ?? [], runs[index + 1] ?? []));
      await clock.sleep(0);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

const compare = (a: Row, b: Row) => (a.order < b.order ? -1 : Number(a.order > b.order));

function chunks(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / (SLICE * 5)) }, (_, index) =>
    rows.slice(index * SLICE * 5, (index + 1) * SLICE * 5),
  );
}

function mergedOf(one: readonly Row[], other: readonly Row[]): Row[] {
  const merged: Row[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [one[i], other[j]];
    if (!a) return b ? [...merged, ...other.slice(j)] : merged;
    if (!b) return [...merged, ...one.slice(i)];
    if (compare(a, b) <= 0) {
      merged.push(a);
      i++;
    } else {
      merged.push(b);
      j++;
    }
  }
}
