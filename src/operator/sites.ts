import { detailRates } from '../kinds/common/turns.ts';
import { claimKeys, sitesShown } from '../kinds/web-accel-site/claims.ts';
import { createSiteDetails, SITE_DETAIL_REQUESTS } from '../kinds/web-accel-site/details.ts';
import { siteDrift } from '../kinds/web-accel-site/drift-table.ts';
import { createSiteKind } from '../kinds/web-accel-site/kind.ts';
import { namesOf } from '../kinds/web-accel-site/names.ts';
import type { WebAccelSite } from '../kinds/web-accel-site/schema.ts';
import { createUsagePoll } from '../kinds/web-accel-site/usage.ts';
import { createClaims } from '../reconcile/claims.ts';
import { createIndex } from '../reconcile/indexer.ts';
import { createLooks } from '../reconcile/looks.ts';
import { createManagedReconciler } from '../reconcile/managed.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import { createDetailTurns, lookAtAll, mayBeRead } from './detail-turns.ts';
import { createHolders } from './holders.ts';
import { siteFigures } from './metrics/figures.ts';
import { fleetSource } from './metrics/fleet.ts';
import { usageNow, usagePollSource } from './metrics/polls.ts';
import { lookWhereShown, watchLists } from './watch-lists.ts';
import { watchManaged } from './watch-managed.ts';
import type { WiredKind, Wiring } from './wiring.ts';

/** The settings of so few sites are read because specs newly want what was there before: of 500 requests an hour. */
const NEW_SPAN_MILLISECONDS = 30 * 60_000;

/** Connects WebAccelSites: to the list of sites and the usage of each account, and to rivals for one site. */
export function wireSites(wiring: Wiring): WiredKind {
  const { informers, engine, registry, users, metrics, enqueue, clock } = wiring;
  const informer = informers.of.WebAccelSite;
  const byKey = createIndex(informer, claimKeys);
  const claims = createClaims<WebAccelSite>('WebAccelSite', engine.accounts, engine.time.latest, sitesShown);
  const holders = createHolders('WebAccelSite', informer, claims);
  const details = createSiteDetails(clock);
  const usage = createUsagePoll(clock);
  const looks = createLooks(clock);
  const looksAtNew = {
    ofAccount: createLooks(clock, { most: 20, milliseconds: NEW_SPAN_MILLISECONDS }),
    ofNamespace: createLooks(clock, { most: 5, milliseconds: NEW_SPAN_MILLISECONDS }),
    ofSite: createLooks(clock, { most: 1, milliseconds: NEW_SPAN_MILLISECONDS }),
  };
  const byID = createIndex(informer, ({ status }) => (status?.id === undefined ? [] : [status.id]));
  const keyOfSite = (site: WebAccelSite) => keyOf('WebAccelSite', site.metadata);
  const kind = createSiteKind({
    clock,
    claims,
    losses: wiring.losses,
    byKey,
    secrets: wiring.secrets,
    details,
    looks,
    looksAtNew,
    again: (site) => enqueue(keyOfSite(site), 'observation'),
  });
  const reconciler = createManagedReconciler(kind, informer, engine);
  const turns = createDetailTurns<WebAccelSite>(wiring, {
    holders,
    read: lookAtAll(wiring, () => reconciler),
    rate: detailRates.sites,
    requests: () => SITE_DETAIL_REQUESTS,
    least: wiring.sitePollMilliseconds,
    known: details.known,
  });

  watchManaged(wiring, {
    informer,
    reconciler,
    secretsOf: kind.secretsOf,
    rivalsOf(site) {
      const { domain = '', asciiDomain = '', subdomain = '' } = site.status ?? {};
      return [...claimKeys(site), ...namesOf({ domain, asciiDomain, subdomain })].flatMap((key) => byKey.get(key));
    },
    onGone(site) {
      claims.drop(site.metadata.uid);
      details.drop(site.metadata.uid);
      looks.drop(site.metadata.uid);
      looksAtNew.ofSite.drop(site.metadata.uid);
      turns.forget(site.metadata.uid);
    },
  });
  registry.onSite((identity, change) => {
    const names = new Set([change.old, change.new].flatMap((site) => (site ? [site.id, ...namesOf(site)] : [])));
    lookWhereShown(wiring, 'WebAccelSite', identity, new Set([...names].flatMap((name) => byKey.get(name))));
  });

  registry.onList({ sites: watchLists(wiring, 'WebAccelSite', byID, siteDrift) });

  metrics.ask(usagePollSource(registry, usage, clock));
  metrics.ask(
    fleetSource(wiring, 'site', informer, {
      list: 'sites',
      holders,
      figuresOf: (_, item, session) => siteFigures(item, usageNow(usage, session, clock)),
    }),
  );

  async function refreshUsage(account: string, sites: readonly WebAccelSite[]): Promise<void> {
    const session = registry.get(account);
    const isWanted = sites.some((site) => site.status?.id !== undefined && mayBeRead(engine.accounts, site));
    // One look serves all accounts of a token: what can't be made must not take its time.
    if (!session?.verified || !isWanted) return;
    await usage.refresh(session);
  }

  return {
    reconciler,
    informer,
    audit() {
      for (const [account, sites] of Map.groupBy(informer.list(), users.accountOf)) void refreshUsage(account, sites);
      turns.take(informer.list());
    },
  };
}
