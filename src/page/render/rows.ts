import { waitsText, warningText } from '../../cli/status/words.ts';
import { type Content, type Html, html, shortened } from '../html.ts';
import type { Row } from '../model/row.ts';
import { ageOf, badge, type Column, moment, objectLink, SHORT_TEXT, stateBadge, table } from './parts.ts';

/** Objects of any kinds, with why each is not Ready. */
export function rowTable(caption: Content, rows: readonly Row[], now: number): Html {
  const columns: Column<Row>[] = [
    { title: 'Object', cell: ({ standing }) => objectLink(standing) },
    { title: 'Namespace', cell: ({ standing }) => standing.namespace ?? '' },
    {
      title: 'State',
      cell: ({ standing }) =>
        html`${stateBadge(standing.state)} <span class="small dim">${ageOf(standing.since, now)}</span>`,
    },
    { title: 'Why', cell: whyOf },
    { title: 'Details', cell: ({ details }) => html`<span class="small">${shortened(details, SHORT_TEXT)}</span>` },
  ];
  return table(caption, columns, rows);
}

function whyOf({ standing, isAsking, drifts }: Row): Content {
  const { state, reason, message, waiting } = standing;
  const warning = warningText(standing);
  const marks = [
    warning !== undefined && html` ${shortened(warning, SHORT_TEXT)}`,
    isAsking && html` ${badge('a plan waits for approval', 'warn')}`,
    drifts > 0 && html` ${badge(drifts === 1 ? '1 field differs' : `${drifts} fields differ`, 'warn')}`,
  ];
  if (state === 'Ready') return marks;
  const waits = waiting && html` <span class="dim">It ${waitsText(standing)}.</span>`;
  return html`${reason !== '' && html`<strong>${shortened(reason, REASON)}</strong>: `}${shortened(message, SHORT_TEXT)}${waits}${marks}`;
}

/** Characters: reasons are one word. */
const REASON = 64;
const WEEK_MILLISECONDS = 7 * 86_400_000;

/** Certificates, with when they expire. */
export function certificateTable(caption: Content, rows: readonly Row[], now: number): Html {
  const columns: Column<Row>[] = [
    { title: 'Certificate', cell: ({ standing }) => objectLink(standing) },
    { title: 'Namespace', cell: ({ standing }) => standing.namespace ?? '' },
    { title: 'Expires', cell: ({ expires }) => expiryText(expires, now) },
    { title: 'State', cell: ({ standing }) => stateBadge(standing.state) },
    { title: 'Details', cell: ({ details }) => html`<span class="small">${shortened(details, SHORT_TEXT)}</span>` },
  ];
  return table(caption, columns, rows);
}

function expiryText(expires: number | undefined, now: number): Content {
  if (expires === undefined) return 'no certificate yet';
  if (expires <= now) return html`${badge('expired', 'bad')} ${moment(expires, now)}`;
  if (expires - now < WEEK_MILLISECONDS) return html`${badge('soon', 'warn')} ${moment(expires, now)}`;
  return moment(expires, now);
}
