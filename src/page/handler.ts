import { kinds } from '../cli/kinds.ts';
import { messageOf } from '../errors.ts';
import type { PageSource, Role } from '../operator/page-source.ts';
import { type HttpAnswer, type HttpHandler, isLoopback } from '../telemetry/http.ts';
import { isMeantForLoopback } from './access/loopback.ts';
import { createReviews, type Place, type Reviews, type User } from './access/reviews.ts';
import { type Sight, wholeSight } from './access/sight.ts';
import { createSlots } from './access/slots.ts';
import { PAGE_HEADERS } from './headers.ts';
import { type Content, type Html, html } from './html.ts';
import { createRowIndex, type RowIndex } from './model/index-rows.ts';
import { matching, pageOf } from './model/listing.ts';
import { objectView } from './model/object.ts';
import { certificatesOf, overviewOf } from './model/overview.ts';
import { parseQuery, type Query } from './query.ts';
import { noticeDocument, pageDocument } from './render/document.ts';
import { certificatesPage, resourcesPage } from './render/listing.ts';
import { objectPage } from './render/object.ts';
import { overviewPage } from './render/overview.ts';

/** What those who look may take of the process: answers that are made at a time, and requests that wait for one. */
const SLOTS = { atATime: 2, waiting: 32 };
/** The same where it is known who they are: none of them keeps out the others. */
const USER_SLOTS = { ...SLOTS, waiting: 64, waitingOfOne: 8 };
/** Connections, and the time in which an answer has to be taken. */
export const PAGE_LIMITS = { connections: 64, answerMilliseconds: 30_000 };
const MOST_NAMESPACES = 200;

/** The page, by path. Whether it may be seen is decided anew for each request. */
export function statusPage(source: PageSource): Record<string, HttpHandler> {
  const { clock, log, version } = source;
  const isOpen = isLoopback(source.listen);
  const reviews = isOpen ? undefined : createReviews(() => source.reviewer(), clock);
  const rowIndex = createRowIndex(source, clock);
  const slots = createSlots(isOpen ? SLOTS : USER_SLOTS);
  const notice = (status: number, title: string, lines: readonly Content[], headers: Record<string, string> = {}) =>
    answerOf(status, noticeDocument(title, lines, version), headers);

  async function answer(query: Query, user: User | undefined): Promise<HttpAnswer> {
    const role = source.role();
    if (role.state !== 'Leading') return notice(503, ...standbyNotice(role, source), { 'retry-after': '5' });
    const index = await rowIndex();
    const sight = reviews ? await sightOf(reviews, user, placesOf(index, query)) : wholeSight;
    return answerOf(200, await leading(query, index, sight, role.since));
  }

  async function leading(query: Query, index: RowIndex, sight: Sight, leadsSince: number): Promise<Html> {
    const rows = sight.isWhole
      ? index.rows
      : index.rows.filter(({ standing }) => sight.sees(standing.kind, standing.namespace));
    // Each part is a few milliseconds of a large fleet: others get their turn in between.
    await clock.sleep(0);
    const now = clock.now();
    const namespaces = new Set<string>();
    for (const { standing } of rows) {
      if (standing.namespace !== undefined) namespaces.add(standing.namespace);
      if (namespaces.size >= MOST_NAMESPACES) break;
    }
    const frame = {
      version,
      instance: source.instance,
      now,
      at: index.at,
      leadsSince,
      watchedAt: source.watchedAt(),
      user: sight.user,
      isPartial: sight.isPartial,
      namespaces: sight.isWhole ? source.namespaces : undefined,
      seenNamespaces: [...namespaces].sort(),
    };
    return pageDocument(frame, query, bodyOf(query, rows, sight, source, now));
  }

  return {
    async '/'(parameters, _rest, headers) {
      if (isOpen && !isMeantForLoopback(headers.host)) {
        return notice(403, 'Another host is meant', [
          'This address answers as localhost, 127.0.0.1 and [::1] alone, so that no page of somebody else can read it.',
        ]);
      }
      try {
        // Before anybody takes a place: strangers must not keep out those who may look.
        const token = bearerOf(headers.authorization);
        const user = token === undefined ? undefined : await reviews?.userOf(token);
        if (reviews && !user)
          return notice(401, 'Who are you?', UNKNOWN, { 'www-authenticate': 'Bearer realm="edgeline"' });
        const answered = slots.run(() => answer(parseQuery(parameters), user), user?.party);
        if (!answered) return notice(503, 'Too many look at once', ['Try again in a moment.'], { 'retry-after': '5' });
        return await answered;
      } catch (error) {
        log.warn({ err: error }, `the status page could not be made: ${messageOf(error)}`);
        const why = 'Who you are, or what there is, could not be found out; the log of the operator says why.';
        return notice(503, 'The page could not be made', [why], { 'retry-after': '5' });
      }
    },
  };
}

/** Of nobody: nothing. */
async function sightOf(reviews: Reviews, user: User | undefined, places: readonly Place[]): Promise<Sight> {
  return user ? reviews.sightOf(user, places) : { ...wholeSight, isWhole: false, sees: () => false };
}

const UNKNOWN: readonly Content[] = [
  html`This page is shown to whoever sends a token of the cluster: <code>Authorization: Bearer TOKEN</code>. It shows what the apiserver lets them list.`,
  html`Whoever may forward ports to the pod needs none where the page listens at <code>127.0.0.1</code>.`,
];

function answerOf(status: number, document: Html, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: document.toString(),
    headers: { ...PAGE_HEADERS, ...headers },
  };
}

function bodyOf(query: Query, rows: RowIndex['rows'], sight: Sight, source: PageSource, now: number): Html {
  switch (query.view) {
    case 'overview':
      return overviewPage(overviewOf(rows, sight, source), now);
    case 'resources':
      return resourcesPage(pageOf(matching(rows, query), query.page), query, now);
    case 'certificates':
      return certificatesPage(pageOf(certificatesOf(rows), query.page), query, now);
    case 'object': {
      const view = query.object && objectView(query.object, sight, source);
      return view
        ? objectPage(view, now)
        : html`<h2>There is no such object</h2><p>It was deleted, or you may not see it.</p>`;
    }
  }
}

/** The kinds and namespaces in which there is something, of the namespace that is asked for alone where one is. */
function placesOf({ rows }: RowIndex, { namespace, object }: Query): Place[] {
  const places = new Map<string, Place>();
  const only = object?.namespace ?? namespace;
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  for (const { standing } of rows) {
    if (only !== undefined && standing.namespace !== only) continue;
    const kind = byName.get(standing.kind);
    if (kind) places.set(`${standing.kind}/${standing.namespace ?? ''}`, { kind, namespace: standing.namespace });
  }
  return [...places.values()];
}

function standbyNotice(
  role: Role,
  { instance, listen }: Pick<PageSource, 'instance' | 'listen'>,
): [title: string, lines: readonly Content[]] {
  if (role.state === 'Starting') {
    return ['This replica starts', [`${instance} is still reading what there is in the cluster.`]];
  }
  const holder = role.state === 'StandingBy' ? role.holder : undefined;
  return [
    'This replica stands by',
    [
      `${instance} does not act, and shows nothing: what is known of the service is known to the replica that leads.`,
      holder === undefined
        ? 'Which one that is, is not known: nobody holds the Lease, as far as this one has seen.'
        : html`It is ${holder}, as this one has seen last. With port forwarding: <code class="command">kubectl port-forward pod/${holder} ${listen.slice(listen.lastIndexOf(':') + 1)}</code>, in its namespace.`,
    ],
  ];
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +([-A-Za-z0-9._~+/]+=*)$/i.exec(authorization ?? '')?.[1];
}
