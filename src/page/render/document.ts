import { kinds } from '../../cli/kinds.ts';
import { type Content, Html, html } from '../html.ts';
import { type Query, states } from '../query.ts';
import { REFRESH_SECONDS, SCRIPT } from '../script.ts';
import { STYLE } from '../style.ts';
import { clockTime, moment, stateWords } from './parts.ts';

/** What is true of the whole document. */
export interface Frame {
  readonly version: string;
  readonly instance: string;
  /** Epoch milliseconds: now, when the objects were looked through, since when this process leads, the oldest news of a watch. */
  readonly now: number;
  readonly at: number;
  readonly leadsSince: number;
  readonly watchedAt: number;
  /** Who looks; undefined: whoever reaches the page. */
  readonly user: string | undefined;
  /** Not all that may be seen is known yet. */
  readonly isPartial: boolean;
  readonly namespaces: readonly string[] | undefined;
  /** Names to choose from. */
  readonly seenNamespaces: readonly string[];
}

/** A watch that brought nothing for so long may have missed something. Bookmarks come each minute. Milliseconds. */
const SILENT_MILLISECONDS = 150_000;

const style = Html.trusted(`<style>${STYLE}</style>`);
const script = Html.trusted(`<script>${SCRIPT}</script>`);

/** The whole document of a replica that leads. */
export function pageDocument(frame: Frame, query: Query, body: Html): Html {
  const { now, at, leadsSince, watchedAt, user, isPartial, namespaces } = frame;
  const isSilent = now - watchedAt > SILENT_MILLISECONDS;
  return shell(
    'Edgeline status',
    searchForm(query, frame.seenNamespaces),
    html`<p class="asof">As of ${clockTime(at)}. This replica, ${frame.instance}, leads since ${clockTime(leadsSince)}; from the cluster it last heard ${moment(watchedAt, now)}.${namespaces && ` It looks after ${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${namespaces.join(', ')}.`}${user !== undefined && html` Shown is what ${user} may list.`}</p>
${isSilent && html`<p class="notice">The apiserver has been silent for longer than it should be: what is shown may be as old.</p>`}
${isPartial && html`<p class="notice">Whether you may see all namespaces is not asked yet: more follows with the next refresh, or choose a namespace.</p>`}
${body}`,
    frame.version,
  );
}

/** A document without data: it says why. */
export function noticeDocument(title: string, lines: readonly Content[], version: string): Html {
  return shell(title, undefined, html`<h2>${title}</h2>${lines.map((line) => html`<p>${line}</p>`)}`, version);
}

function shell(title: string, search: Html | undefined, main: Html, version: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="edgeline-page" content="status">
<meta name="robots" content="noindex">
<title>${title}</title>
${style}
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header>
<h1><a href="?">Edgeline</a></h1>
${search}
<div class="tools" id="tools"></div>
<p class="notice" id="stale" role="status"></p>
<noscript><p class="asof">Without scripts the page does not refresh itself; otherwise it does every ${REFRESH_SECONDS} seconds.</p></noscript>
</header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>Edgeline ${version}. This page reads and shows; it changes nothing. Times are UTC.</footer>
${script}
</body>
</html>
`;
}

function searchForm(query: Query, namespaces: readonly string[]): Html {
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}"${value === (chosen ?? '') && html` selected`}>${text}</option>`;
  const kindWord = kinds.find(({ kind }) => kind === query.kind)?.singular;
  return html`<form class="search" role="search" action="?" method="get">
<input type="hidden" name="view" value="resources">
<label class="wide">Search<input type="search" name="q" value="${query.search}" maxlength="200"></label>
<label>Kind<select name="kind">${option('', 'all', kindWord)}${kinds.map(({ kind, singular }) => option(singular, kind, kindWord))}</select></label>
<label>State<select name="state">${option('', 'any', query.state)}${option('attention', 'needs attention', query.state)}${states.map((state) => option(state, stateWords[state], query.state))}</select></label>
<label>Namespace<input name="namespace" value="${query.namespace}" list="namespaces" maxlength="253" autocomplete="off"></label>
<datalist id="namespaces">${namespaces.map((name) => html`<option value="${name}">`)}</datalist>
<button type="submit">Show</button>
</form>`;
}
