import { kinds } from '../../cli/kinds.ts';
import type { RecentChange } from '../../operator/recent-changes.ts';
import { changeCauses } from '../../reconcile/change.ts';
import { type Content, type Html, html, shortened } from '../html.ts';
import { badge, type Column, moment, objectLink, table } from './parts.ts';

const VALUE = 120;
const MOST_FIELDS = 16;

/** What was written at the service, newest first. */
export function changeTable(caption: Content, changes: readonly RecentChange[], now: number): Html {
  const columns: Column<RecentChange>[] = [
    { title: 'Object', cell: objectOf },
    { title: 'When', cell: ({ at }) => moment(at, now) },
    {
      title: 'What',
      cell: ({ line }) => html`${line.step ?? 'a request of an earlier process'}${fieldsOf(line.fields)}`,
    },
    { title: 'Why', cell: ({ line }) => changeCauses[line.cause].because },
    { title: 'Outcome', cell: outcomeOf },
  ];
  return table(caption, columns, changes);
}

function objectOf({ line }: RecentChange): Content {
  const kind = kinds.find((one) => one.kind === line.kind)?.kind;
  if (!kind) return line.name;
  return html`${objectLink({ kind, namespace: line.namespace, name: line.name })} <span class="dim">${line.namespace}</span>`;
}

function outcomeOf({ line }: RecentChange): Content {
  const detail = line.code ?? line.status;
  const told = detail === null ? line.outcome : `${line.outcome} (${detail})`;
  return line.outcome === 'done' ? told : badge(told, line.outcome === 'refused' ? 'bad' : 'warn');
}

/** Fields with what they were and what they became. */
export function fieldsOf(
  fields: readonly { readonly field: string; readonly before: string; readonly after: string }[],
): Content {
  if (fields.length === 0) return undefined;
  const more = fields.length - MOST_FIELDS;
  return html`<ul class="small">${fields
    .slice(0, MOST_FIELDS)
    .map(
      ({ field, before, after }) =>
        html`<li>${shortened(field, VALUE)}: from ${shortened(before, VALUE)} to ${shortened(after, VALUE)}</li>`,
    )}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
}
