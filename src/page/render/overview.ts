import { kindOf } from '../../cli/kinds.ts';
import { type Html, html } from '../html.ts';
import type { KindCount, Overview } from '../model/overview.ts';
import { queryString, states } from '../query.ts';
import { accountCard } from './account.ts';
import { changeTable } from './changes.ts';
import { type Column, stateWords, table } from './parts.ts';
import { certificateTable, rowTable } from './rows.ts';

/** The page as it opens. */
export function overviewPage(overview: Overview, now: number): Html {
  const { accounts, moreAccounts, counts, attention, certificates, changes, queue } = overview;
  const all = counts.reduce((sum, { total }) => sum + total, 0);
  return html`<h2 id="attention">Needs attention</h2>
${
  attention.length === 0
    ? html`<p>${all === 0 ? 'There is nothing to be seen here.' : `All ${all} objects are Ready.`}</p>`
    : rowTable('What is not Ready or has a warning, what needs a person first', attention, now)
}
${more(overview.moreAttention, queryString({ state: 'attention' }), 'All that is not Ready or has a warning')}
<h2 id="accounts">Accounts</h2>
${accounts.length === 0 ? html`<p>No account is to be seen.</p>` : html`<div class="cards">${accounts.map((account) => accountCard(account, now))}</div>`}
${more(moreAccounts, queryString({ kind: 'cloudaccount' }), 'All accounts')}
<h2 id="resources">Resources</h2>
${countTable(counts)}
<h2 id="certificates">Certificates by expiry</h2>
${certificates.length === 0 ? html`<p>No SiteCertificate is to be seen.</p>` : certificateTable('Those that expire first', certificates, now)}
${more(overview.moreCertificates, queryString({ view: 'certificates' }), 'All certificates')}
<h2 id="changes">Last changes</h2>
${
  changes.length === 0
    ? html`<p>This process has written nothing at the service.</p>`
    : changeTable('What this process wrote at the service, newest first', changes, now)
}
${queue && html`<h2 id="queue">Queue</h2><p>${queue.waiting} wait for a worker, ${queue.active} are worked on.</p>`}`;
}

function countTable(counts: readonly KindCount[]): Html {
  const shown = states.filter((state) => counts.some(({ byState }) => (byState.get(state) ?? 0) > 0));
  const columns: Column<KindCount>[] = [
    {
      title: 'Kind',
      cell: ({ kind }) => html`<a href="${queryString({ kind: kindOf(kind).singular })}">${kind}</a>`,
    },
    { title: 'All', isNumber: true, cell: ({ total }) => total },
    ...shown.map((state) => ({
      title: stateWords[state],
      isNumber: true,
      cell({ kind, byState }: KindCount) {
        const count = byState.get(state) ?? 0;
        const label = `${count} ${kind}, ${stateWords[state]}`;
        const to = queryString({ kind: kindOf(kind).singular, state });
        return count === 0 ? '0' : html`<a href="${to}" aria-label="${label}">${count}</a>`;
      },
    })),
  ];
  return table('How many of each kind, and how they are', columns, counts);
}

function more(count: number, to: string, text: string): Html | undefined {
  return count > 0 ? html`<p><a href="${to}">${text}</a> (${count} more)</p>` : undefined;
}
