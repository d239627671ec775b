import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { Gateway } from '../../cloud/gateway/types.ts';
import { createKnownList } from '../../cloud/http/known-items.ts';
import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import type { Limiter } from '../../cloud/limiter/limiter.ts';
import { createListInformer } from '../../cloud/list/informer.ts';
import type { ListMemory } from '../../cloud/list/memory.ts';
import type { Page } from '../../cloud/list/page.ts';
import type { ListChange, ListInformer, ObservedList } from '../../cloud/list/snapshot.ts';
import { sameSim } from '../../cloud/sim/same.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import { sameSite } from '../../cloud/site/same.ts';
import type { Site } from '../../cloud/site/types.ts';
import { createGatewayLists } from './gateway-lists.ts';

/** Objects asked for in one page; the service may give fewer. */
const PAGE_SIZE = 1000;
/** Between two lists that resources wait for: a stream of creations shares them. Milliseconds. */
const LIST_GAP_MILLISECONDS = 500;
/** The same for sites, whose lists are taken out of a budget of a few hundred requests an hour. Milliseconds. */
const SITE_LIST_GAP_MILLISECONDS = 2000;
/** Whoever looks for a site that is new gets a list within so long, however few requests an hour there are. Milliseconds. */
const LONGEST_SITE_LOOK_MILLISECONDS = 600_000;
/** While less than half of the hour is used, lists for what is new may be so much more often. */
const IN_A_QUIET_HOUR = 2.5;

const HOUR_SECONDS = 3600;

/** The cloud informers of one account. */
export interface CloudLists {
  readonly sims: ListInformer<SimItem>;
  /** Made, and polled from then on, when first asked for; of a zone that nobody knows, once there was a list. */
  gateways(zone: string): ObservedList<Gateway>;
  /** Whether a zone is known to exist. */
  isZone(zone: string): boolean;
  /** Made, and polled from then on, when first asked for. */
  sites(): ListInformer<Site>;
  /** Those that are polled. */
  polled(): readonly PolledList[];
  stop(): void;
}

/** A list that is polled; `zone` of gateways only. */
export type PolledList = { readonly intervalSeconds: number } & (
  | { readonly list: 'sims'; readonly zone?: undefined; readonly informer: ListInformer<SimItem> }
  | { readonly list: 'gateways'; readonly zone: string; readonly informer: ListInformer<Gateway> }
  | { readonly list: 'sites'; readonly zone?: undefined; readonly informer: ListInformer<Site> }
);

export interface CloudListsOptions {
  /** The client to use now; it changes with the account's Secret. */
  readonly client: () => CloudClient;
  readonly clock: Clock;
  readonly random: () => number;
  readonly memory: ListMemory;
  /** Whose memory its lists take: it may have other accounts. */
  readonly party: () => string;
  /** Whether this process deleted what has this ID. */
  readonly wasDeleted: (id: string) => boolean;
  readonly pollSeconds: number;
  /** Requests a second for SIMs and gateways that may go now. */
  readonly requestsPerSecond: () => number;
  /** Between two polls of the list of sites. */
  readonly sitePollSeconds: number;
  /** The hour of web acceleration, out of which the lists of sites are taken. */
  readonly hour: Pick<Limiter, 'budget' | 'had'>;
  /** A SIM or gateway differs from what the last list had, was not there, or is gone. */
  readonly onSim: (iccid: string) => void;
  readonly onGateway: (id: string) => void;
  readonly onSite: (change: ListChange<Site>) => void;
  /** What each list has, by ID, whether or not it differs from the one before. */
  readonly onList: {
    readonly sims: (items: ReadonlyMap<string, SimItem>) => void;
    readonly gateways: (items: ReadonlyMap<string, Gateway>) => void;
    readonly sites: (items: ReadonlyMap<string, Site>) => void;
  };
  /** Lists began to fail (false) or to succeed (true). */
  readonly onHealth: (healthy: boolean) => void;
}

export function createCloudLists(options: CloudListsOptions): CloudLists {
  const { client, clock, random, wasDeleted, onHealth } = options;
  const memory = { open: () => options.memory.open(options.party()), lend: options.memory.lend };
  let sites: ListInformer<Site> | undefined;
  let healthy = true;

  function report(now: boolean): void {
    if (healthy !== now) onHealth(now);
    healthy = now;
  }

  function list<T extends { readonly id: string }>(
    fetch: (page: { from: number; count: number }, call: CallOptions) => Promise<Page<T>>,
    equal: (a: T, b: T) => boolean,
    onEnd: (error: unknown) => boolean = () => true,
  ): ListInformer<T> {
    return createListInformer<T>({
      fetchPage: (from, count, call) => fetch({ from, count }, call),
      // Not by page: a list may fail as a whole though each of its pages came.
      onEnd(error) {
        if (onEnd(error)) report(error === undefined);
      },
      idOf: (item) => item.id,
      equal,
      clock,
      random,
      memory,
      explained: wasDeleted,
      intervalSeconds: options.pollSeconds,
      pageSize: PAGE_SIZE,
      minimumGapMilliseconds: LIST_GAP_MILLISECONDS,
      requestsPerSecond: options.requestsPerSecond,
    });
  }

  /** What the last list of SIMs was read from: of one that failed nothing is kept. */
  const known = createKnownList<SimItem | undefined>(memory);
  const sims = list<SimItem>(
    (page, call) => client().sims.list({ ...page, known }, call),
    sameSim,
    (error) => {
      if (error !== undefined) known.forget();
      return true;
    },
  );
  sims.onChange(({ old, new: current }) => {
    for (const iccid of new Set([old?.iccid, current?.iccid])) if (iccid) options.onSim(iccid);
  });
  sims.onList(({ items }) => {
    known.done();
    options.onList.sims(items);
  });

  const gateways = createGatewayLists({
    clock,
    refusedMilliseconds: options.pollSeconds * 1000,
    make(zone, first) {
      const fetch = (page: { from: number; count: number }, call: CallOptions) =>
        client().gateways.list(zone, page, { ...call, party: first?.party() });
      const made = list<Gateway>(fetch, isDeepStrictEqual, first?.onEnd);
      made.onChange(({ id }) => options.onGateway(id));
      made.onList(({ items }) => options.onList.gateways(items));
      return made;
    },
  });

  /** Of an hour of few requests polls leave half of what reads may have to those that somebody waits for. */
  const leastSitePollSeconds = () => (2 * HOUR_SECONDS) / options.hour.budget().reads;

  /** Its trouble is told by who waits for it: the account works without it. */
  function makeSites(): ListInformer<Site> {
    const made = createListInformer<Site>({
      fetchPage: (_from, _count, call) => client().sites.list(call),
      idOf: (site) => site.id,
      equal: sameSite,
      clock,
      random,
      memory,
      explained: wasDeleted,
      intervalSeconds: options.sitePollSeconds,
      leastSeconds: leastSitePollSeconds,
      pageSize: PAGE_SIZE,
      minimumGapMilliseconds: SITE_LIST_GAP_MILLISECONDS,
      longestMilliseconds: LONGEST_SITE_LOOK_MILLISECONDS,
      requestsPerSecond() {
        const { used, limit } = options.hour.budget();
        return (limit / HOUR_SECONDS) * (used * 2 < limit ? IN_A_QUIET_HOUR : 1);
      },
      had: options.hour.had,
      unpaged: true,
    });
    made.onChange(options.onSite);
    made.onList(({ items }) => options.onList.sites(items));
    // Whoever made it waits for a list right away: that one is the first, and polling goes on from there.
    queueMicrotask(() => made.start());
    return made;
  }

  return {
    sims,
    gateways: gateways.of,
    isZone: gateways.isKnown,
    sites() {
      sites ??= makeSites();
      return sites;
    },
    polled() {
      const { pollSeconds, sitePollSeconds } = options;
      const siteInterval = Math.max(sitePollSeconds, leastSitePollSeconds());
      return [
        { list: 'sims', informer: sims, intervalSeconds: pollSeconds },
        ...[...gateways.polled()].map(
          ([zone, informer]) => ({ list: 'gateways', zone, informer, intervalSeconds: pollSeconds }) as const,
        ),
        ...(sites ? [{ list: 'sites', informer: sites, intervalSeconds: siteInterval } as const] : []),
      ];
    },
    stop() {
      sims.stop();
      known.forget();
      sites?.stop();
      gateways.stop();
    },
  };
}
