import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import { createInformer, type Informer, type InformerOptions, identityOnly } from '../../../src/kubernetes/informer.ts';
import type { Change } from '../../../src/kubernetes/store.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import {
  type FakeApiserver,
  impatientClock,
  startFakeApiserver,
  until,
  WIDGETS,
  type Widget,
} from './fake-apiserver.ts';

let apiserver: FakeApiserver;
let clock: ReturnType<typeof impatientClock>;
let client: KubeClient;
let informers: Informer<Widget>[];
let logged: string[];

beforeEach(async () => {
  apiserver = await startFakeApiserver();
  clock = impatientClock();
  logged = [];
  informers = [];
  client = createKubeClient({
    transport: createTransport(apiserver.connection),
    userAgent: 'test',
    fieldManager: 'test',
    clock,
    random: () => 0,
  });
});

afterEach(async () => {
  for (const informer of informers) await informer.stop();
  await client.close();
  await apiserver.close();
});

function follow(options: Partial<InformerOptions<Widget>> = {}) {
  const informer = createInformer<Widget>({
    client,
    resource: WIDGETS,
    clock,
    random: () => 0,
    log: createLogger({ level: 'info', format: 'json', destination: { write: (line) => void logged.push(line) } }),
    ...options,
  });
  const changes: string[] = [];
  informer.onChange((change) => changes.push(describeChange(change)));
  informers.push(informer);
  return { informer, changes };
}

async function synced(options: Partial<InformerOptions<Widget>> = {}) {
  const followed = follow(options);
  followed.informer.start();
  await followed.informer.synced();
  await until(() => apiserver.watching === (options.namespaces?.length ?? 1), 'the watches');
  return followed;
}

function describeChange({ old, new: now }: Change<Widget>): string {
  const size = (widget: Widget | undefined) => widget?.spec?.size ?? 'none';
  return `${(now ?? old)?.metadata.name}: ${size(old)} → ${size(now)}`;
}

/** Lists of all there is; a look at one object is none. */
const lists = () => apiserver.requests.filter(({ query }) => query.watch === undefined && query.limit !== '1');
const watchRequests = () => apiserver.requests.filter(({ query }) => query.watch === 'true');
const isList = ({ query }: { query: Record<string, string> }) => query.watch === undefined && query.limit !== '1';
const isWatch = ({ query }: { query: Record<string, string> }) => query.watch === 'true';

describe('an informer', () => {
  it('lists what is there, and is told of what comes after', async () => {
    apiserver.put('a', 'one', 1);
    const { informer, changes } = await synced();
    apiserver.put('b', 'two', 2);
    apiserver.put('a', 'one', 3);
    apiserver.remove('a', 'one');
    await until(() => changes.length === 4);
    expect(changes).toEqual(['one: none → 1', 'two: none → 2', 'one: 1 → 3', 'one: 3 → none']);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['two']);
    expect(informer.get('b', 'two')?.spec).toEqual({ size: 2 });
    expect(informer.byNamespace('a')).toEqual([]);
  });

  it('lists in pages and watches from the version of the list, with bookmarks and an end', async () => {
    for (let index = 0; index < 240; index++) apiserver.put('a', `w-${index}`, index);
    const { informer } = await synced();
    expect(informer.size).toBe(240);
    expect(lists().map(({ query }) => query)).toEqual([
      { limit: '100' },
      { limit: '100', continue: '100:340' },
      { limit: '100', continue: '200:340' },
    ]);
    expect(watchRequests().map(({ query }) => query)).toEqual([
      { watch: 'true', resourceVersion: '340', timeoutSeconds: '300', allowWatchBookmarks: 'true' },
    ]);
  });

  it('resumes a cut watch where it was, without listing', async () => {
    const { changes } = await synced();
    const { metadata } = apiserver.put('a', 'one', 1);
    await until(() => changes.length === 1);
    apiserver.cutWatches();
    await until(() => watchRequests().length === 2);
    apiserver.put('a', 'one', 2);
    await until(() => changes.length === 2);
    expect(lists()).toHaveLength(1);
    expect(watchRequests()[1]?.query.resourceVersion).toBe(metadata.resourceVersion);
  });

  it('resumes from a bookmark', async () => {
    await synced();
    const version = apiserver.bookmark();
    await until(() => apiserver.watching === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    apiserver.endWatches();
    await until(() => watchRequests().length === 2);
    expect(watchRequests()[1]?.query.resourceVersion).toBe(version);
  });

  it('misses nothing that happened while it was cut off', async () => {
    const { changes } = await synced();
    apiserver.put('a', 'one', 1);
    await until(() => changes.length === 1);
    apiserver.script(isWatch, { status: 503 });
    apiserver.cutWatches();
    await until(() => watchRequests().length === 2);
    apiserver.put('a', 'one', 2);
    apiserver.put('a', 'two', 1);
    await until(() => changes.length === 3);
    expect(changes.slice(1)).toEqual(['one: 1 → 2', 'two: none → 1']);
  });

  it('takes a silent watch for dead and opens another', async () => {
    const { changes } = await synced({ silenceMilliseconds: 300 });
    apiserver.deafen();
    apiserver.put('a', 'one', 1);
    await until(() => changes.length === 1, 'what the dead watch never told');
    await until(() => watchRequests().length >= 2, 'another watch');
    expect(changes).toEqual(['one: none → 1']);
  });

  it('is refreshed by a list that began after it was asked for, whatever its silent watch brings', async () => {
    apiserver.put('a', 'one', 1);
    const { informer, changes } = await synced();
    apiserver.deafen();
    apiserver.put('a', 'one', 2);
    await informer.refresh(AbortSignal.timeout(10_000));
    expect(informer.get('a', 'one')?.spec?.size).toBe(2);
    await informer.refresh(AbortSignal.timeout(10_000));
    await until(() => apiserver.watching === 1, 'the watch');
    apiserver.put('a', 'one', 3);
    await until(() => changes.length === 3);
    expect(changes).toEqual(['one: none → 1', 'one: 1 → 2', 'one: 2 → 3']);
  });

  it('is not refreshed by a list that was under way when it was asked for', async () => {
    for (let index = 0; index < 240; index++) apiserver.put('a', `w-${index}`, index);
    const { informer } = follow();
    const refreshed = Promise.withResolvers<number | undefined>();
    let isAsked = false;
    // The first page is here, and the list goes on.
    informer.onChange(() => {
      if (isAsked) return;
      isAsked = true;
      apiserver.put('a', 'w-0', 1000);
      const refresh = informer.refresh(AbortSignal.timeout(10_000));
      refreshed.resolve(refresh.then(() => informer.get('a', 'w-0')?.spec?.size));
    });
    informer.start();
    expect([await refreshed.promise, lists().length]).toEqual([1000, 6]);
  });

  it('is refreshed where nothing has changed, though the first list fails', async () => {
    apiserver.put('a', 'one', 1);
    const { informer } = await synced();
    apiserver.script(isList, { status: 400 });
    await informer.refresh(AbortSignal.timeout(10_000));
    expect(lists()).toHaveLength(3);
  });

  it('stops waiting for a refresh when told', async () => {
    const { informer } = await synced();
    apiserver.script(isList, 'hang');
    const over = new AbortController();
    const refreshed = informer.refresh(over.signal);
    over.abort(new Error('enough'));
    await expect(refreshed).rejects.toThrow('enough');
  });

  it.each([
    ['while it was cut off', 0],
    ['and has gone beyond what was seen, before it is back', 20],
  ])('shows what an etcd restored from a backup has, %s', async (_, writes) => {
    apiserver.put('a', 'kept', 1);
    apiserver.put('a', 'deleted', 1);
    const backup = apiserver.backUp();
    const { informer, changes } = await synced();
    for (let size = 2; size < 10; size++) apiserver.put('a', 'kept', size);
    apiserver.remove('a', 'deleted');
    apiserver.put('a', 'later', 1);
    await until(() => informer.get('a', 'later') !== undefined);
    changes.length = 0;
    apiserver.script(isWatch, 'cut');
    backup.restore();
    for (let size = 0; size < writes; size++) apiserver.put('a', 'other', size);
    await until(() => informer.get('a', 'later') === undefined && apiserver.watching === 1);
    apiserver.put('a', 'kept', 100);
    await until(() => informer.get('a', 'kept')?.spec?.size === 100);
    expect(changes.filter((change) => !change.startsWith('other')).toSorted()).toEqual([
      'deleted: none → 1',
      'kept: 1 → 100',
      'kept: 9 → 1',
      'later: 1 → none',
    ]);
  });

  it('is told nothing by a relist without change', async () => {
    for (const name of ['one', 'two', 'three']) apiserver.put('a', name, 1);
    const { changes } = await synced();
    changes.length = 0;
    apiserver.bookmark();
    apiserver.put('a', 'other', 1);
    await until(() => changes.length === 1);
    apiserver.script(isWatch, {
      status: 410,
      body: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' },
    });
    apiserver.cutWatches();
    await until(() => lists().length === 2 && apiserver.watching === 1);
    expect(changes).toEqual(['other: none → 1']);
  });

  it('lists again when a stream says 410, and tells the difference', async () => {
    for (const name of ['same', 'changed', 'removed', 'replaced']) apiserver.put('a', name, 1);
    const { changes } = await synced();
    changes.length = 0;
    apiserver.deafen();
    apiserver.put('a', 'changed', 2);
    apiserver.remove('a', 'removed');
    apiserver.remove('a', 'replaced');
    apiserver.put('a', 'replaced', 3);
    apiserver.put('a', 'added', 1);
    apiserver.compact();
    apiserver.cutWatches();
    await until(() => lists().length === 2 && apiserver.watching === 1, 'the relist');
    expect(changes).toEqual([
      'changed: 1 → 2',
      'replaced: 1 → none',
      'replaced: none → 3',
      'added: none → 1',
      'removed: 1 → none',
    ]);
  });

  const failures: [string, Parameters<FakeApiserver['script']>[1], number[]][] = [
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }, [7000]],
    ['429 that asks for a day', { status: 429, headers: { 'retry-after': '86400' } }, [30_000]],
    ['500', { status: 500 }, [50]],
    ['503 with a page of HTML', { status: 503, body: '<html>' }, [50]],
    ['403', { status: 403 }, [400]],
    ['a cut connection', 'cut', [50]],
    ['an answer that is not JSON', { status: 200, body: 'oops' }, [400]],
  ];
  it.each(failures)('lists again after %s', async (_, answer, waits) => {
    apiserver.put('a', 'one', 1);
    apiserver.script(isList, answer);
    const { changes } = await synced();
    expect(changes).toEqual(['one: none → 1']);
    expect(clock.slept).toEqual(waits);
  });

  const passing = failures.filter(([name]) => name !== '403' && name !== 'a cut connection');
  it.each(passing)('watches again after %s', async (_, answer) => {
    apiserver.script(isWatch, answer);
    const { changes } = await synced();
    apiserver.put('a', 'one', 1);
    await until(() => changes.length === 1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(400);
    expect(clock.slept[0]).toBeLessThanOrEqual(30_000);
    expect(lists()).toHaveLength(1);
  });

  it('sees what changes by listing while it may not watch', async () => {
    apiserver.put('a', 'first', 1);
    for (let count = 0; count < 10_000; count++) apiserver.script(isWatch, { status: 403 });
    const { informer, changes } = follow();
    informer.start();
    await informer.synced();
    apiserver.put('a', 'second', 1);
    await until(() => changes.length === 2);
    expect([changes, apiserver.watching]).toEqual([['first: none → 1', 'second: none → 1'], 0]);
  });

  it('watches again with new credentials after 401', async () => {
    apiserver.script(isWatch, { status: 401 });
    await synced();
    expect([apiserver.connection.refreshed, lists().length]).toEqual([1, 1]);
  });

  it('waits longer from failure to failure, and starts over once something came', async () => {
    for (let count = 0; count < 8; count++) apiserver.script(isWatch, { status: 500 });
    await synced();
    expect(clock.slept).toEqual([400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
    apiserver.bookmark();
    await new Promise((resolve) => setTimeout(resolve, 20));
    apiserver.cutWatches();
    await until(() => clock.slept.length === 9);
    expect(clock.slept[8]).toBe(400);
  });

  it('says once what is wrong, and what to install for a kind the cluster does not serve', async () => {
    for (let count = 0; count < 3; count++) apiserver.script(isList, { status: 404 });
    for (let count = 0; count < 2; count++) apiserver.script(isList, { status: 400 });
    await synced();
    expect(logged.map((line) => JSON.parse(line).message)).toEqual([
      'the cluster serves no Widget (example.dev/v1): install the CustomResourceDefinitions',
      expect.stringMatching(/^list and watch interrupted: Widget: answered 400\. Nothing, if it passes on its own/),
    ]);
  });

  it('begins a list anew when its continue token expired, and at last asks for all at once', async () => {
    for (let index = 0; index < 120; index++) apiserver.put('a', `w-${index}`, index);
    const expired = { status: 410, body: { kind: 'Status', code: 410, reason: 'Expired', message: 'token expired' } };
    apiserver.script(({ query }) => query.continue !== undefined, expired);
    apiserver.script(({ query }) => query.continue !== undefined, expired);
    const { informer, changes } = await synced();
    expect(lists().map(({ query }) => query)).toEqual([
      { limit: '100' },
      { limit: '100', continue: '100:220' },
      { limit: '100' },
      { limit: '100', continue: '100:220' },
      {},
    ]);
    expect([informer.size, changes.length]).toEqual([120, 120]);
  });

  it('survives handlers that throw', async () => {
    const { informer, changes } = follow();
    informer.onChange(() => {
      throw new Error('handler broken');
    });
    informer.start();
    await informer.synced();
    apiserver.put('a', 'one', 1);
    apiserver.put('a', 'two', 1);
    await until(() => changes.length === 2);
    expect(logged.filter((line) => line.includes('handler broken'))).toHaveLength(2);
  });

  it('survives a line of the watch that is not JSON', async () => {
    const { changes } = await synced();
    apiserver.write('{"type":"ADDED",\n');
    await until(() => watchRequests().length === 2);
    apiserver.put('a', 'one', 1);
    await until(() => changes.length === 1);
    expect(lists()).toHaveLength(1);
  });

  it('keeps one list and watch to a namespace', async () => {
    for (const namespace of ['a', 'b', 'c']) apiserver.put(namespace, 'one', 1);
    const { informer, changes } = await synced({ namespaces: ['a', 'b'] });
    apiserver.put('b', 'one', 2);
    apiserver.put('c', 'one', 2);
    await until(() => changes.length === 3);
    expect(informer.list().map(({ metadata }) => metadata.namespace)).toEqual(['a', 'b']);
    expect(apiserver.requests.map(({ path }) => path).toSorted()).toEqual([
      '/apis/example.dev/v1/namespaces/a/widgets',
      '/apis/example.dev/v1/namespaces/a/widgets',
      '/apis/example.dev/v1/namespaces/b/widgets',
      '/apis/example.dev/v1/namespaces/b/widgets',
    ]);
  });

  it('asks for metadata alone when that is all it is to keep', async () => {
    await synced({ metadataOnly: true });
    expect(apiserver.requests.map(({ headers }) => headers.accept)).toEqual([
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    ]);
  });

  it('drops managedFields and the last-applied annotation, and what it is told to', async () => {
    const noise = {
      managedFields: [{ manager: 'kubectl' }],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'yes' },
    };
    apiserver.put('a', 'one', 1, noise);
    const { informer } = await synced({
      transform: ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }),
    });
    expect(informer.get('a', 'one')).toEqual({
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: { name: 'one', namespace: 'a', uid: 'uid-1', resourceVersion: '101', annotations: { kept: 'yes' } },
    });
  });

  it('keeps no more of annotations than is read, whoever writes how many', async () => {
    const many = Array.from({ length: 200 }, (_, index) => [`example.com/${index}`, 'x'.repeat(1000)] as const);
    const own = { 'edgeline.dev/paused': 'true', 'edgeline.dev/reconcile-at': 'y'.repeat(100_000) };
    apiserver.put('a', 'one', 1, { annotations: { ...Object.fromEntries(many), ...own } });
    const { informer } = await synced();
    const { annotations } = informer.get('a', 'one')?.metadata ?? {};
    const others = many.slice(0, 62).map(([key]) => [key, 'x'.repeat(64)] as const);
    expect(annotations).toEqual({
      'edgeline.dev/paused': 'true',
      'edgeline.dev/reconcile-at': 'y'.repeat(1024),
      ...Object.fromEntries(others),
    });
  });

  it('keeps nothing but which object it is, and in which version, where nothing else is asked', async () => {
    apiserver.put('a', 'one', 1, { annotations: { 'edgeline.dev/paused': 'true' }, labels: { app: 'x' } });
    const { informer } = await synced({ transform: (widget) => ({ ...widget, ...identityOnly(widget) }) });
    expect(informer.get('a', 'one')?.metadata).toEqual({
      name: 'one',
      namespace: 'a',
      uid: 'uid-1',
      resourceVersion: '101',
    });
  });

  it('tells a handler that comes late of what is there', async () => {
    apiserver.put('a', 'one', 1);
    const { informer } = await synced();
    const late: string[] = [];
    informer.onChange((change) => late.push(describeChange(change)));
    expect(late).toEqual(['one: none → 1']);
  });

  it('knows when it last heard from the apiserver', async () => {
    const { informer } = await synced();
    const before = informer.lastContact();
    await new Promise((resolve) => setTimeout(resolve, 10));
    apiserver.bookmark();
    await until(() => informer.lastContact() > before);
    expect(informer.lastContact()).toBeLessThanOrEqual(clock.monotonic());
  });

  it('is synced only once everything is listed, and stops waiting when told', async () => {
    apiserver.script(isList, 'hang');
    const { informer } = follow();
    informer.start();
    await expect(informer.synced(AbortSignal.timeout(30))).rejects.toThrow('timeout');
    expect(informer.hasSynced()).toBe(false);
    await informer.stop();
  });
});

describe('the answer of a write of our own', () => {
  it('shows at once, and is told once, when the watch brings it', async () => {
    apiserver.put('a', 'one', 1);
    const { informer, changes } = await synced();
    apiserver.deafen();
    const mine = apiserver.put('a', 'one', 2);
    informer.put(mine);
    expect(informer.get('a', 'one')?.spec).toEqual({ size: 2 });
    expect(changes).toEqual(['one: none → 1']);
    apiserver.cutWatches();
    await until(() => changes.length === 2);
    apiserver.put('a', 'one', 3);
    await until(() => changes.length === 3);
    expect(changes).toEqual(['one: none → 1', 'one: 1 → 2', 'one: 2 → 3']);
  });
});
