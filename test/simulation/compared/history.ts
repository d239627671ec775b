import * as z from 'zod';
import { NAMESPACES, pathOf, type Resource } from '../../../src/kubernetes/resource.ts';
import { eventually } from '../../support/kubernetes.ts';
import { ADMIN } from './parts.ts';
import type { Answer, Side } from './sides.ts';
import { MERGE_PATCH } from './writes.ts';

/** What each side can be told besides: the real one's etcd, and its bookmarks, which come by themselves. */
export interface Kept extends Side {
  compact(): Promise<void>;
  bookmark(): void;
}

/** What a test has of one kind: how it is made, and what of it is changed. */
export interface Changing {
  readonly resource: Resource;
  body(name: string, value: string): object;
  /** What {@link body} was given. */
  valueIn(object: unknown): string;
}

const list = z.object({
  metadata: z.object({
    resourceVersion: z.string(),
    continue: z.string().optional(),
    remainingItemCount: z.number().optional(),
  }),
  items: z.array(z.looseObject({ metadata: z.object({ name: z.string() }) })).nullable(),
});

const status = z.object({
  reason: z.string().optional(),
  message: z.string(),
  metadata: z.object({ continue: z.string().optional() }).optional(),
  details: z.looseObject({}).optional(),
});

/** Whether an object or a list is newer than one before it, is all that its version says. */
const versionOf = ({ body }: Answer): string =>
  z.object({ metadata: z.object({ resourceVersion: z.string() }) }).parse(body).metadata.resourceVersion;

/**
 * What one side answers about what was and what is: lists of a version, pages of one that changes meanwhile, watches from a version,
 * bookmarks, and what is forgotten. By what was asked, in words that both sides would use.
 */
export async function historyOf(
  { ask, watch, bookmark }: Kept,
  { resource, body, valueIn }: Changing,
  namespace: string,
): Promise<Record<string, unknown>> {
  const { shown, path, get, show, write, create, change, remove, events } = asking(
    { ask, watch },
    { resource, body, valueIn },
    namespace,
  );

  await write('POST', pathOf(NAMESPACES), { metadata: { name: namespace } });
  for (const name of ['b', 'a', 'c', 'd']) await create(name, 'one');
  const first = versionOf(await get({}));
  await change('a', 'two');
  await remove('d');
  const second = versionOf(await get({}));
  await create('e', 'one');
  const now = versionOf(await get({}));

  show('a list of now', await get({}));
  show('of whatever version is there', await get({ resourceVersion: '0' }));
  show('of whatever version, in pages', await get({ resourceVersion: '0', limit: '2' }));
  show('not older than the first', await get({ resourceVersion: first, resourceVersionMatch: 'NotOlderThan' }));
  show('not older than now', await get({ resourceVersion: now, resourceVersionMatch: 'NotOlderThan' }));
  show('not older than the first, as it was once asked for', await get({ resourceVersion: first }));
  show('exactly the first', await get({ resourceVersion: first, resourceVersionMatch: 'Exact' }));
  show('exactly the second', await get({ resourceVersion: second, resourceVersionMatch: 'Exact' }));
  const page = list.parse(
    show(
      'a page of exactly the first',
      await get({ resourceVersion: first, resourceVersionMatch: 'Exact', limit: '2' }),
    ).body,
  );
  show('the page after it', await get({ limit: '2', continue: page.metadata.continue ?? '' }));

  const many = String(Number(now) + 1_000_000);
  show('one that is yet to come', await get({ resourceVersion: many }));
  show('exactly one that is yet to come', await get({ resourceVersion: many, resourceVersionMatch: 'Exact' }));
  show('no number', await get({ resourceVersion: 'now' }));
  show('an unknown match', await get({ resourceVersion: now, resourceVersionMatch: 'Newest' }));
  show('a match of nothing', await get({ resourceVersionMatch: 'Exact' }));
  show('exactly any', await get({ resourceVersion: '0', resourceVersionMatch: 'Exact' }));
  show('a token of nobody', await get({ limit: '2', continue: 'bm90aGluZw' }));
  const begun = list.parse(show('a first page', await get({ limit: '2' })).body);
  const token = begun.metadata.continue ?? '';
  show('a token with a version', await get({ limit: '2', continue: token, resourceVersion: now }));
  show('a token with a match', await get({ limit: '2', continue: token, resourceVersionMatch: 'Exact' }));

  await change('c', 'two');
  await create('bb', 'one');
  await remove('e');
  show('the next page, after changes', await get({ limit: '2', continue: token }));

  shown['events since the first'] = await events({ resourceVersion: first }, 6);
  shown['events since now'] = await events({ resourceVersion: now }, 3);
  shown['events of one since the first'] = await events(
    { resourceVersion: first, fieldSelector: 'metadata.name=a' },
    1,
  );

  // The real one sends it two seconds before a watch is to end.
  const seen = await watch({
    method: 'GET',
    path: `${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${now}&timeoutSeconds=5`,
    user: ADMIN,
  });
  const isMarked = () => seen.events.map((event) => eventShown(event, valueIn)).includes('BOOKMARK');
  await eventually(() => {
    if (seen.events.length < 3) throw new Error('not yet');
  });
  // None comes for a version that a watch was told of.
  const elsewhere = `${namespace}-beside`;
  await write('POST', pathOf(NAMESPACES), { metadata: { name: elsewhere } });
  await write('POST', pathOf(resource, elsewhere), body('a', 'one'));
  bookmark();
  await eventually(() => {
    if (!isMarked()) throw new Error('no bookmark yet');
  });
  seen.stop();
  shown['with a bookmark'] = seen.events.map((event) => eventShown(event, valueIn));
  const marks = seen.events.map((event) =>
    z
      .object({
        type: z.string(),
        object: z.object({
          kind: z.string(),
          apiVersion: z.string(),
          metadata: z.object({ resourceVersion: z.string() }),
        }),
      })
      .parse(event),
  );
  const mark = marks.find(({ type }) => type === 'BOOKMARK')?.object;
  shown['what a bookmark is of'] = { kind: mark?.kind, apiVersion: mark?.apiVersion };
  const marked = mark?.metadata.resourceVersion ?? '';
  shown['a bookmark is not older than what came'] = marks.every(
    ({ object }) => Number(object.metadata.resourceVersion) <= Number(marked),
  );
  await change('a', 'three');
  shown['events since the bookmark'] = await events({ resourceVersion: marked }, 1);

  return shown;
}

/** The same of what is forgotten: what was compacted, for a kind whose history is nowhere but in etcd. */
export async function forgottenOf(side: Kept, changing: Changing, namespace: string): Promise<Record<string, unknown>> {
  const { shown, get, show, write, create, change, events } = asking(side, changing, namespace);
  await write('POST', pathOf(NAMESPACES), { metadata: { name: namespace } });
  for (const name of ['b', 'a', 'c']) await create(name, 'one');
  const first = versionOf(await get({}));
  const token = list.parse(show('a first page', await get({ limit: '2' })).body).metadata.continue ?? '';
  await change('c', 'two');
  await create('bb', 'one');
  await side.compact();
  const refused = show('the next page', await get({ limit: '2', continue: token }));
  const another = status.parse(refused.body).metadata?.continue ?? '';
  show('the next page, as it is now', await get({ limit: '2', continue: another }));
  show('exactly the first', await get({ resourceVersion: first, resourceVersionMatch: 'Exact' }));
  show('a list of now', await get({}));
  shown['events since the first'] = await events({ resourceVersion: first }, 1);
  return shown;
}

/** What one side is asked of one kind in a namespace, and how its answers are shown. */
function asking({ ask, watch }: Side, { resource, body, valueIn }: Changing, namespace: string) {
  const path = pathOf(resource, namespace);
  const shown: Record<string, unknown> = {};
  const get = (query: Readonly<Record<string, string>>, accept?: string) =>
    ask({ method: 'GET', path: `${path}?${new URLSearchParams(query).toString()}`, user: ADMIN, accept });
  const write = async (method: 'POST' | 'PATCH' | 'DELETE', to: string, content?: object) => {
    const contentType = method === 'PATCH' ? MERGE_PATCH : 'application/json';
    const answer = await ask({
      method,
      path: to,
      user: ADMIN,
      contentType,
      ...(content && { body: JSON.stringify(content) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${to}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const create = (name: string, value: string) => write('POST', path, body(name, value));
  const change = (name: string, value: string) => write('PATCH', `${path}/${name}`, body(name, value));
  const remove = (name: string) => write('DELETE', `${path}/${name}`);

  /** Of a list its items and whether there is more; of a refusal what it says, without what each side counts on its own. */
  function show(what: string, answer: Answer): Answer {
    shown[what] =
      answer.status === 200 ? listShown(answer.body) : { status: answer.status, ...refusalShown(answer.body) };
    return answer;
  }
  function listShown(answered: unknown): object {
    const { metadata, items } = list.parse(answered);
    const names = (items ?? []).map((item) => `${item.metadata.name}=${valueIn(item)}`);
    return { names, hasMore: Boolean(metadata.continue), left: metadata.remainingItemCount ?? 'unsaid' };
  }
  function refusalShown(answered: unknown): object {
    const { reason, message, metadata, details } = status.parse(answered);
    const words = message.replaceAll(/\d{2,}/g, 'N');
    // How decoders word what they can't read says more about Go than about the request.
    return { reason, message: reason === 'BadRequest' ? '' : words, goesOn: Boolean(metadata?.continue), details };
  }
  async function events(query: Readonly<Record<string, string>>, count: number): Promise<string[]> {
    const found = await watch({
      method: 'GET',
      path: `${path}?${new URLSearchParams({ watch: 'true', ...query }).toString()}`,
      user: ADMIN,
    });
    await eventually(() => {
      if (found.events.length < count) throw new Error(`${found.events.length} of ${count} events`);
    });
    found.stop();
    return found.events.map((event) => eventShown(event, valueIn));
  }
  return { shown, path, get, show, write, create, change, remove, events };
}

function eventShown(event: unknown, valueIn: Changing['valueIn']): string {
  const { type, object } = z.object({ type: z.string(), object: z.looseObject({}) }).parse(event);
  if (type === 'ERROR') {
    const { reason, code } = z.object({ reason: z.string(), code: z.number() }).parse(object);
    return `ERROR ${code} ${reason}`;
  }
  const { name = '' } = z.object({ name: z.string().optional() }).parse(object['metadata']);
  return type === 'BOOKMARK' ? type : `${type} ${name}=${valueIn(object)}`;
}
