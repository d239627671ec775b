import { kindOf } from '../../cli/kinds.ts';
import { type Html, html } from '../html.ts';
import type { Listing } from '../model/listing.ts';
import { type Query, queryString } from '../query.ts';
import { certificateTable, rowTable } from './rows.ts';

/** Resources that were asked for. */
export function resourcesPage(listing: Listing, query: Query, now: number): Html {
  return html`<h2>Resources</h2>
${listing.rows.length === 0 ? html`<p>Nothing that may be seen is like that.</p>` : rowTable(captionOf(listing), listing.rows, now)}
${pagesOf(listing, query)}`;
}

/** All certificates. */
export function certificatesPage(listing: Listing, query: Query, now: number): Html {
  return html`<h2>Certificates by expiry</h2>
${listing.rows.length === 0 ? html`<p>No SiteCertificate is to be seen.</p>` : certificateTable(captionOf(listing), listing.rows, now)}
${pagesOf(listing, query)}`;
}

function captionOf({ rows, total, page, pages }: Listing): string {
  return pages === 1 ? `${total} found` : `${rows.length} of ${total} found, page ${page} of ${pages}`;
}

function pagesOf({ page, pages }: Listing, query: Query): Html | undefined {
  if (pages === 1) return undefined;
  const to = (number: number) =>
    queryString({
      view: query.view === 'certificates' ? 'certificates' : 'resources',
      kind: query.kind && kindOf(query.kind).singular,
      state: query.state,
      namespace: query.namespace,
      q: query.search,
      page: number,
    });
  return html`<nav class="pages" aria-label="Pages">
${page > 1 && html`<a href="${to(1)}">First</a> <a href="${to(page - 1)}" rel="prev">Previous</a>`}
<span>Page ${page} of ${pages}</span>
${page < pages && html`<a href="${to(page + 1)}" rel="next">Next</a> <a href="${to(pages)}">Last</a>`}
</nav>`;
}
