import type { Families, MetricFamily } from './family.ts';
import { accountFamilies, resourceFamilies } from './fleet.ts';
import { askedFamilies as operatorAsked, toldFamilies } from './operator.ts';

/** What is asked for at each scrape. */
export const askedFamilies = { ...operatorAsked, ...accountFamilies, ...resourceFamilies };

const named = (table: Families): MetricFamily[] =>
  Object.entries(table).map(([name, { type, help, labels }]) => ({ name, type, help, labels }));

/** All metrics but those of the process itself: the reference, the alerts and the dashboards are checked against it. */
export const families: readonly MetricFamily[] = [...named(toldFamilies), ...named(askedFamilies)];
/** Of them, those that only `--resource-metrics` has. */
export const onRequest: ReadonlySet<string> = new Set(Object.keys(resourceFamilies));
