import type { PolledList } from '../../kinds/cloud-account/lists.ts';
import { accountKey } from '../../kinds/cloud-account/resolver.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import { type FigureKind, type FigureOf, figureRows } from '../../telemetry/families/fleet.ts';
import type { MetricSource } from '../../telemetry/metrics.ts';
import type { Holders } from '../holders.ts';
import type { Wiring } from '../wiring.ts';
import { isFresh } from './polls.ts';

/** The figures of one resource; undefined: not known now. */
export type FiguresOf<K extends FigureKind> = Readonly<Record<FigureOf<K>, number | undefined>>;

/** What a list has of the counterpart of a resource. */
type ItemOf<L extends PolledList['list']> = Extract<PolledList, { list: L }>['informer'] extends {
  snapshot(): { readonly items: ReadonlyMap<string, infer I> } | undefined;
}
  ? I
  : never;

/** How the figures of a kind are made. */
export interface FleetOptions<K extends FigureKind, T extends ManagedObject, L extends PolledList['list']> {
  readonly list: L;
  readonly holders: Holders<T>;
  /** Undefined: what the list has under the ID is not what belongs to the resource. */
  figuresOf(object: T, item: ItemOf<L>, session: AccountSession): FiguresOf<K> | undefined;
  /** More of one resource, where series of each are asked for. */
  more?(show: Parameters<MetricSource>[0], object: T, account: string): void;
}

/** What the fresh lists of one kind show of an account. */
interface View<I> {
  readonly items: ReadonlyMap<string, I>;
  /** All lists of the kind are fresh. */
  readonly whole: boolean;
}

const COUNTS: Readonly<Record<FigureKind, CountName>> = {
  sim: 'edgeline_account_sims',
  gateway: 'edgeline_account_gateways',
  site: 'edgeline_account_sites',
};
type CountName = `edgeline_account_${FigureKind}s`;

/** Puts together the figures of an account's resources. */
function createTotals() {
  const values = new Map<string, number>();
  const unknown = new Set<string>();
  return {
    count: 0,
    add(figure: string, by: 'sum' | 'max', value: number | undefined): void {
      const known = values.get(figure) ?? 0;
      if (value !== undefined) values.set(figure, by === 'sum' ? known + value : Math.max(known, value));
      // A sum without one of its parts is none; who has no such figure has not the largest one.
      else if (by === 'sum') unknown.add(figure);
    },
    of(figure: string, by: 'sum' | 'max'): number | undefined {
      if (unknown.has(figure)) return undefined;
      return values.get(figure) ?? (by === 'sum' ? 0 : undefined);
    },
  };
}

/**
 * What the last lists show of the resources of a kind: together for each account, and of each where that is asked for. A
 * resource counts while its account may be used, the list that shows it is fresh, and it has what is on that list; there are no
 * totals of an account while one of its lists of the kind is not. What does not count is not there, for an old value looks
 * like the truth.
 */
export function fleetSource<K extends FigureKind, T extends ManagedObject, L extends PolledList['list']>(
  wiring: Pick<Wiring, 'registry' | 'engine' | 'clock' | 'resourceMetrics'>,
  kind: K,
  informer: Pick<Informer<T>, 'list'>,
  { list, holders, figuresOf, more }: FleetOptions<K, T, L>,
): MetricSource {
  const { registry, engine, clock, resourceMetrics } = wiring;
  const rows = figureRows[kind];
  const count: CountName = COUNTS[kind];

  function view(polled: readonly PolledList[]): View<ItemOf<L>> | undefined {
    const now = clock.monotonic();
    const items = new Map<string, ItemOf<L>>();
    const ofKind = polled.filter((one) => one.list === list);
    let whole = ofKind.length > 0;
    for (const { informer: polls, intervalSeconds } of ofKind) {
      const snapshot = polls.snapshot();
      const seconds = polls.lastSeconds() ?? 0;
      if (!snapshot || !isFresh({ startedAt: snapshot.startedAt, seconds }, intervalSeconds, now)) whole = false;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the list's name says what it has
      else for (const [id, item] of snapshot.items) items.set(id, item as ItemOf<L>);
    }
    return { items, whole };
  }

  return (show) => {
    const views = new Map<string, View<ItemOf<L>>>();
    const totals = new Map<string, ReturnType<typeof createTotals>>();
    for (const { account, session, polled } of registry.sessions()) {
      const seen = session.verified ? view(polled) : undefined;
      if (!seen) continue;
      views.set(account, seen);
      if (seen.whole) totals.set(account, createTotals());
    }
    for (const object of informer.list()) {
      const { metadata, spec, status } = object;
      const { namespace = '', name } = metadata;
      if (status?.id === undefined) continue;
      const found = engine.accounts.resolve(namespace, spec, status.accountRef);
      // Nobody is shown the figures of another because of what a status names.
      if ('hold' in found || !holders.has(object, found.session)) continue;
      const account = accountKey(found.accountRef, namespace);
      const item = views.get(account)?.items.get(status.id);
      const values: Readonly<Record<string, number | undefined>> | undefined =
        item && figuresOf(object, item, found.session);
      if (!values) continue;
      const ofAccount = totals.get(account);
      if (ofAccount) ofAccount.count++;
      for (const { figure, name: metric, total } of rows) {
        const value = values[figure];
        if (total) ofAccount?.add(figure, total.by, value);
        if (resourceMetrics !== 'none' && value !== undefined) show(metric, { namespace, name }, value);
      }
      if (resourceMetrics !== 'none') more?.(show, object, account);
    }
    for (const [account, ofAccount] of totals) {
      show(count, { account }, ofAccount.count);
      for (const { figure, total } of rows) {
        const value = total && ofAccount.of(figure, total.by);
        if (total && value !== undefined) show(total.name, { account }, value);
      }
    }
  };
}
