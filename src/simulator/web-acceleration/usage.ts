import { badRequest } from '../api-error.ts';
import { monthSpan, yearAndMonth } from '../dates.ts';
import { queryParameter } from '../list-query.ts';
import type { Site } from '../model.ts';
import type { Routes } from '../router.ts';
import { steadyFraction, steadyHash } from '../steady-random.ts';

/** Monthly usage of all sites: the same for a site and month every time, growing through the current one (`api.md`). */
export const usageRoutes: Routes = {
  'GET /monthlyusage'({ query, now, world }) {
    const target = queryParameter(query, 'target');
    const { year, month } = target === undefined ? yearAndMonth(now) : parsedTarget(target);
    const { start, end } = monthSpan(year, month);
    const usages = [...world.sites.values()].map((site) => usage(site, { year, month, start, end, now }));
    return { body: { Year: year, Month: month, MonthlyUsages: usages, Success: true } };
  },
};

function parsedTarget(target: string): { year: number; month: number } {
  const [, year = '', month = ''] = /^(\d{4})(0[1-9]|1[0-2])$/.exec(target) ?? [];
  if (year === '') throw badRequest('target: write year and month as six digits, such as 202601');
  return { year: Number(year), month: Number(month) };
}

function usage(
  site: Site,
  span: { year: number; month: number; start: number; end: number; now: number },
): Record<string, unknown> {
  const seed = `${site.id} ${span.year}-${span.month}`;
  const part = Math.min(1, Math.max(0, (span.now - span.start) / (span.end - span.start)));
  const accessCount = Math.floor((steadyHash(seed) % 5_000_000) * part);
  const bytesSent = accessCount * (2_000 + (steadyHash(`${seed} size`) % 30_000));
  const missRatio = 0.02 + 0.3 * steadyFraction(`${seed} misses`);
  const byteMissRatio = 0.02 + 0.3 * steadyFraction(`${seed} missed bytes`);
  const percent = (ratio: number) => Math.round(ratio * 10_000) / 100;
  return {
    SiteID: site.id,
    Domain: site.domain,
    ASCIIDomain: site.asciiDomain,
    Subdomain: site.subdomain,
    AccessCount: accessCount,
    BytesSent: bytesSent,
    CacheMissBytesSent: Math.floor(bytesSent * byteMissRatio),
    CacheHitRatio: accessCount === 0 ? 0 : percent(1 - missRatio),
    BytesCacheHitRatio: accessCount === 0 ? 0 : percent(1 - byteMissRatio),
    Price: Math.floor(bytesSent / 1024 ** 3) * 5,
  };
}
