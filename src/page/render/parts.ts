import { formatAge } from '../../age.ts';
import { kindOf } from '../../cli/kinds.ts';
import type { Standing, State } from '../../cli/standing.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import { type Content, type Html, html, shortened } from '../html.ts';
import { queryString } from '../query.ts';

/** Characters of a message in a list, and of one alone; `kubectl` has all of them. */
export const SHORT_TEXT = 240;
export const LONG_TEXT = 4000;

/** How a state is coloured; it is always written, too. */
const paint: Readonly<Record<State, 'good' | 'warn' | 'bad'>> = {
  Ready: 'good',
  NotSynced: 'warn',
  Changing: 'warn',
  Outdated: 'warn',
  NotSeen: 'warn',
  Deleting: 'warn',
  NotReady: 'bad',
};

/** States in words. */
export const stateWords: Readonly<Record<State, string>> = {
  Ready: 'Ready',
  NotSynced: 'Not synced',
  Changing: 'Changing',
  Outdated: 'Outdated',
  NotSeen: 'Not seen',
  Deleting: 'Deleting',
  NotReady: 'Not ready',
};

export function stateBadge(state: State): Html {
  return badge(stateWords[state], paint[state]);
}

export function badge(text: string, colour: 'good' | 'warn' | 'bad'): Html {
  return html`<span class="state ${colour}">${text}</span>`;
}

/** A moment, and how long ago that was when the page was made. Epoch milliseconds. */
export function moment(at: number, now: number): Html {
  const age = now >= at ? `${formatAge((now - at) / 1000)} ago` : `in ${formatAge((at - now) / 1000)}`;
  return html`<time datetime="${iso(at)}">${clockTime(at)}</time> (${age})`;
}

/** `2026-11-23 06:10:05 UTC`. */
export function clockTime(at: number): string {
  return iso(at).replace('T', ' ').replace('Z', ' UTC');
}

function iso(at: number): string {
  // Beyond that no date can be written.
  return timestamp(Math.min(8.64e15, Math.max(-8.64e15, at)));
}

/** How long it has been so; nothing where nothing tells. `since`: RFC 3339, as anybody may have written it. */
export function ageOf(since: string | undefined, now: number): string {
  const at = Date.parse(since ?? '');
  return Number.isNaN(at) ? '' : `for ${formatAge((now - at) / 1000)}`;
}

/** A link to all there is to say of an object. */
export function objectLink(standing: Pick<Standing, 'kind' | 'namespace' | 'name'>): Html {
  const { singular } = kindOf(standing.kind);
  const to = queryString({ object: `${singular}/${standing.namespace ?? ''}/${standing.name}` });
  return html`<a href="${to}">${singular}/${shortened(standing.name, SHORT_TEXT)}</a>`;
}

/** What stands in one column: its heading, and what its cells are. */
export interface Column<T> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (item: T) => Content;
}

/** A table; its first column names the rows. On narrow screens a row becomes a block, with its headings in it. */
export function table<T>(caption: Content, columns: readonly Column<T>[], items: readonly T[]): Html {
  const [first, ...others] = columns;
  const heading = ({ title, isNumber }: Column<T>) =>
    html`<th scope="col" role="columnheader"${isNumber && html` class="number"`}>${title}</th>`;
  const row = (item: T) => html`<tr role="row"><th scope="row" role="rowheader">${first?.cell(item)}</th>${others.map(
    ({ title, isNumber, cell }) =>
      html`<td role="cell" data-label="${title}:"${isNumber && html` class="number"`}>${cell(item)}</td>`,
  )}</tr>
`;
  // The roles say what a browser forgets of a table that is laid out otherwise.
  return html`<table class="stack" role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(heading)}</tr></thead>
<tbody role="rowgroup">${items.map(row)}</tbody></table>
`;
}

/** Names and what they are. */
export function definitions(pairs: readonly (readonly [name: string, value: Content] | undefined | false)[]): Html {
  return html`<dl>${pairs.map((pair) => pair && html`<dt>${pair[0]}</dt><dd>${pair[1]}</dd>`)}</dl>`;
}

/** Commands to copy; none of a name that could mean something to a shell. */
export function commands(lines: readonly string[]): Html | undefined {
  const harmlessLines = lines.filter((line) => /^[-A-Za-z0-9 ./=:]+$/.test(line));
  if (harmlessLines.length === 0) return undefined;
  return html`<ul class="commands">${harmlessLines.map((line) => html`<li><code class="command">${line}</code></li>`)}</ul>`;
}
