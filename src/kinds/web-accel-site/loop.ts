import type { ObservedSite } from './facts.ts';
import { namesOf, toASCII } from './names.ts';
import type { SiteSpec } from './schema.ts';

/** The ports that go without saying. */
const USUAL_PORT = /:(80|443)$/;

/**
 * What is odd about an origin that is the site itself. It is not refused: as long as the domain still leads to the web server,
 * as before a move, it works. Pure.
 */
export function loopWarnings({ origin }: SiteSpec, site: ObservedSite): string[] {
  const named = [
    ['origin.webServer.host', origin?.webServer?.host, ', and this domain in hostHeader'],
    ['origin.objectStorage.endpoint', origin?.objectStorage?.endpoint, ''],
  ] as const;
  return named.flatMap(([field, host, more]) => {
    if (host === undefined || !namesOf(site).includes(toASCII(host.replace(USUAL_PORT, '')))) return [];
    return [
      `${field} ${host} is the site's own domain: where that leads to the service, each request comes back to it without end. Name what the content comes from, such as origin.example.jp${more}.`,
    ];
  });
}
