import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import {
  isAlreadyExists,
  isConflict,
  isGone,
  isNotFound,
  isTransient,
  KubeError,
  NotLeaderError,
} from '../../../src/kubernetes/errors.ts';
import type { RequestObservation } from '../../../src/kubernetes/requests.ts';
import { LEASES, NAMESPACES, SECRETS } from '../../../src/kubernetes/resource.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { connectionTo, type FakeApiserver, impatientClock, startFakeApiserver, WIDGETS } from './fake-apiserver.ts';

let apiserver: FakeApiserver;
let clock: ReturnType<typeof impatientClock>;
let client: KubeClient;
let observed: RequestObservation[];
let fenced: number;
let fence: () => void;

beforeEach(async () => {
  apiserver = await startFakeApiserver();
  clock = impatientClock();
  observed = [];
  fenced = 0;
  fence = () => undefined;
  client = createKubeClient({
    transport: createTransport(apiserver.connection),
    userAgent: 'edgeline/1',
    fieldManager: 'edgeline',
    onRequest: (request) => observed.push(request),
    beforeWrite: () => {
      fenced++;
      fence();
    },
    clock,
    random: () => 0,
  });
});

afterEach(async () => {
  await client.close();
  await apiserver.close();
});

const any = () => true;
const ok = { status: 200, body: { metadata: { name: 'one' } } };

function status(code: number, reason: string, more: object = {}) {
  return { status: code, body: { kind: 'Status', code, reason, message: `because ${reason}`, ...more } };
}

describe('the requests of a client', () => {
  const calls: [string, (c: KubeClient) => Promise<unknown>, string, string | undefined, unknown][] = [
    ['get', (c) => c.get(WIDGETS, 'a', 'one'), 'GET /apis/example.dev/v1/namespaces/a/widgets/one', undefined, ''],
    ['get from core', (c) => c.get(SECRETS, 'a', 'one'), 'GET /api/v1/namespaces/a/secrets/one', undefined, ''],
    ['get without namespace', (c) => c.get(NAMESPACES, undefined, 'a'), 'GET /api/v1/namespaces/a', undefined, ''],
    [
      'create',
      (c) => c.create(WIDGETS, 'a', { spec: 1 }),
      'POST /apis/example.dev/v1/namespaces/a/widgets?fieldManager=edgeline',
      'application/json',
      { apiVersion: 'example.dev/v1', kind: 'Widget', spec: 1 },
    ],
    [
      'update',
      (c) => c.update(WIDGETS, 'a', 'one', { spec: 1 }),
      'PUT /apis/example.dev/v1/namespaces/a/widgets/one?fieldManager=edgeline',
      'application/json',
      { apiVersion: 'example.dev/v1', kind: 'Widget', spec: 1 },
    ],
    [
      'merge patch of status',
      (c) => c.mergePatch(WIDGETS, 'a', 'one', { status: { a: null } }, { subresource: 'status' }),
      'PATCH /apis/example.dev/v1/namespaces/a/widgets/one/status?fieldManager=edgeline',
      'application/merge-patch+json',
      { status: { a: null } },
    ],
    [
      'server-side apply, forced, dry',
      (c) => c.applyServerSide(WIDGETS, 'a', 'one', { a: 1 }, { force: true, dryRun: true, fieldManager: 'other' }),
      'PATCH /apis/example.dev/v1/namespaces/a/widgets/one?fieldManager=other&dryRun=All&force=true',
      'application/apply-patch+yaml',
      { apiVersion: 'example.dev/v1', kind: 'Widget', a: 1 },
    ],
    [
      'delete of one incarnation',
      (c) => c.delete(WIDGETS, 'a', 'one', { uid: 'u', propagationPolicy: 'Foreground' }),
      'DELETE /apis/example.dev/v1/namespaces/a/widgets/one',
      'application/json',
      {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Foreground',
        preconditions: { uid: 'u' },
      },
    ],
    ['raw', (c) => c.raw('GET', '/version'), 'GET /version', undefined, ''],
  ];

  it.each(calls)('%s', async (_, call, line, contentType, body) => {
    apiserver.script(any, ok);
    await call(client);
    const [seen] = apiserver.requests;
    const query = new URLSearchParams(seen?.query).toString();
    expect(`${seen?.method} ${seen?.path}${query === '' ? '' : `?${query}`}`).toBe(line);
    expect(seen?.headers['content-type']).toBe(contentType);
    expect(seen?.body === '' ? '' : JSON.parse(seen?.body ?? '')).toEqual(body);
    expect([seen?.headers.authorization, seen?.headers['user-agent']]).toEqual(['Bearer test', 'edgeline/1']);
  });

  it('keep the path of the server, as behind a proxy', async () => {
    const behind = createKubeClient({
      transport: createTransport(connectionTo(`${apiserver.connection.server}/k8s/clusters/c-1`)),
      userAgent: 'test',
      fieldManager: 'test',
      clock,
      random: () => 0,
    });
    apiserver.script(any, ok);
    await behind.get(NAMESPACES, undefined, 'a');
    await behind.close();
    expect(apiserver.requests[0]?.path).toBe('/k8s/clusters/c-1/api/v1/namespaces/a');
  });

  it('give the items of a list their kind', async () => {
    apiserver.script(any, { status: 200, body: { metadata: { resourceVersion: '5', continue: 'x' }, items: [{}] } });
    expect(await client.list(SECRETS, 'a', { limit: 1, labelSelector: 'a=b' })).toEqual({
      items: [{ apiVersion: 'v1', kind: 'Secret' }],
      resourceVersion: '5',
      continue: 'x',
    });
  });

  it('give a list of nothing as no items', async () => {
    apiserver.script(any, { status: 200, body: { metadata: { resourceVersion: '5' }, items: null } });
    expect(await client.list(SECRETS, undefined)).toEqual({ items: [], resourceVersion: '5' });
  });

  it('are observed one attempt at a time', async () => {
    apiserver.script(any, { status: 503 });
    apiserver.script(any, ok);
    await client.get(WIDGETS, 'a', 'one');
    expect(observed.map(({ verb, method, resource, code }) => [verb, method, resource, code])).toEqual([
      ['get', 'GET', 'widgets', '503'],
      ['get', 'GET', 'widgets', '200'],
    ]);
  });

  it('end when aborted, with the reason given', async () => {
    apiserver.script(any, 'hang');
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('stopping')), 20);
    await expect(client.get(WIDGETS, 'a', 'one', { signal: abort.signal })).rejects.toThrow('stopping');
  });

  it('end when nothing comes for too long', async () => {
    apiserver.script(any, 'hang');
    await expect(client.get(WIDGETS, 'a', 'one', { retry: false, timeoutMilliseconds: 100 })).rejects.toMatchObject({
      reason: 'ConnectionFailed',
      status: 0,
    });
  });
});

describe('an error of the apiserver', () => {
  it('names the object and keeps the reason', async () => {
    apiserver.script(any, status(404, 'NotFound'));
    const error = await client.get(WIDGETS, 'a', 'one').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KubeError);
    expect(error).toMatchObject({
      message: 'Widget a/one: because NotFound',
      code: 'KubernetesNotFound',
      status: 404,
      reason: 'NotFound',
      kind: 'Widget',
      objectName: 'a/one',
    });
  });

  it.each([
    [404, 'NotFound', { found: true }],
    [409, 'Conflict', { conflict: true }],
    [409, 'AlreadyExists', { exists: true }],
    [410, 'Expired', { gone: true }],
    [422, 'Invalid', {}],
    [503, 'ServiceUnavailable', { transient: true }],
  ])('of %i %s is told apart', async (code, reason, expected) => {
    apiserver.script(any, status(code, reason));
    const error = await client.get(WIDGETS, 'a', 'one', { retry: false }).catch((thrown: unknown) => thrown);
    expect({
      found: isNotFound(error),
      conflict: isConflict(error),
      exists: isAlreadyExists(error),
      gone: isGone(error),
      transient: isTransient(error),
    }).toEqual({ found: false, conflict: false, exists: false, gone: false, transient: false, ...expected });
  });

  it('never holds the credentials', async () => {
    apiserver.script(any, 'cut');
    const error = await client.get(WIDGETS, 'a', 'one', { retry: false }).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error) + String(error)).not.toContain('Bearer');
  });
});

describe('another try', () => {
  const get = (c: KubeClient) => c.get(WIDGETS, 'a', 'one');
  const patch = (c: KubeClient) => c.mergePatch(WIDGETS, 'a', 'one', {});
  const create = (c: KubeClient) => c.create(WIDGETS, 'a', {});
  const update = (c: KubeClient) => c.update(WIDGETS, 'a', 'one', {});
  type Case = [string, typeof get, Parameters<FakeApiserver['script']>[1], boolean];
  const cases: Case[] = [
    ['get after 500', get, { status: 500 }, true],
    ['get after 429', get, { status: 429 }, true],
    ['get after a cut', get, 'cut', true],
    ['get after 404', get, { status: 404 }, false],
    ['patch after 429', patch, { status: 429 }, true],
    ['patch after a cut', patch, 'cut', true],
    ['patch after 500', patch, { status: 500 }, false],
    ['patch after 409', patch, status(409, 'Conflict'), false],
    ['create after 429', create, { status: 429 }, true],
    ['create after a cut', create, 'cut', false],
    ['create after 500', create, { status: 500 }, false],
    ['update after a cut', update, 'cut', false],
  ];
  it.each(cases)('%s', async (_, call, answer, again) => {
    apiserver.script(any, answer);
    apiserver.script(any, ok);
    const outcome = await call(client).then(
      () => 'succeeded',
      () => 'failed',
    );
    expect([outcome, apiserver.requests.length]).toEqual(again ? ['succeeded', 2] : ['failed', 1]);
  });

  it('waits as long as the apiserver asks, and longer each time when it asks nothing', async () => {
    apiserver.script(any, { status: 429, headers: { 'retry-after': '3' } });
    for (let count = 0; count < 3; count++) apiserver.script(any, { status: 503 });
    apiserver.script(any, ok);
    await client.get(WIDGETS, 'a', 'one');
    expect(clock.slept).toEqual([3000, 100, 200, 400]);
  });

  it('tells the time of every answer, refusals too, and when it was asked', async () => {
    const heard: unknown[][] = [];
    const told = createKubeClient({
      transport: createTransport(apiserver.connection),
      userAgent: 'edgeline/1',
      fieldManager: 'edgeline',
      time: { heard: (...said) => void heard.push(said) },
      clock,
      random: () => 0,
    });
    const date = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toUTCString();
    const begun = { monotonic: expect.any(Number), wall: expect.any(Number) };
    apiserver.script(any, { status: 503, headers: { date: date(1) } });
    apiserver.script(any, { ...ok, headers: { date: date(2) } });
    await told.get(WIDGETS, 'a', 'one');
    expect(heard).toEqual([
      [date(1), begun],
      [date(2), begun],
    ]);
    await told.close();
  });

  it('ends after five attempts', async () => {
    for (let count = 0; count < 5; count++) apiserver.script(any, { status: 503 });
    await expect(client.get(WIDGETS, 'a', 'one')).rejects.toMatchObject({ status: 503 });
    expect(apiserver.requests).toHaveLength(5);
  });

  it('is made even of a create when no connection could be made', async () => {
    const nowhere = createKubeClient({
      transport: createTransport(connectionTo('http://127.0.0.1:1')),
      userAgent: 'test',
      fieldManager: 'test',
      clock,
      random: () => 0,
    });
    await expect(nowhere.create(WIDGETS, 'a', {})).rejects.toMatchObject({ notSent: true, reason: 'ConnectionFailed' });
    await nowhere.close();
    expect(clock.slept).toHaveLength(4);
  });

  it('is made once with new credentials after 401', async () => {
    apiserver.script(any, { status: 401 });
    apiserver.script(any, ok);
    await client.get(WIDGETS, 'a', 'one');
    expect(apiserver.connection.refreshed).toBe(1);
    apiserver.script(any, { status: 401 });
    apiserver.script(any, { status: 401 });
    await expect(client.get(WIDGETS, 'a', 'one')).rejects.toMatchObject({ reason: 'Unauthorized' });
    expect(apiserver.requests).toHaveLength(4);
  });
});

describe('the fence', () => {
  it('is asked before each attempt of a write, and of no read', async () => {
    apiserver.script(any, ok);
    await client.get(WIDGETS, 'a', 'one');
    expect(fenced).toBe(0);
    apiserver.script(any, { status: 429 });
    apiserver.script(any, ok);
    await client.mergePatch(WIDGETS, 'a', 'one', {});
    expect(fenced).toBe(2);
  });

  it('lets nothing through that it stops', async () => {
    fence = () => {
      throw new NotLeaderError('ns/edgeline');
    };
    await expect(client.create(WIDGETS, 'a', {})).rejects.toThrow(NotLeaderError);
    await expect(client.update(WIDGETS, 'a', 'one', {})).rejects.toThrow(NotLeaderError);
    await expect(client.mergePatch(WIDGETS, 'a', 'one', {})).rejects.toThrow(NotLeaderError);
    await expect(client.delete(WIDGETS, 'a', 'one')).rejects.toThrow(NotLeaderError);
    await expect(client.raw('POST', '/apis')).rejects.toThrow(NotLeaderError);
    expect(apiserver.requests).toEqual([]);
  });

  it('is asked when the request is written, not before a connection is opened or credentials are fetched', async () => {
    let leads = true;
    fence = () => {
      if (!leads) throw new NotLeaderError('a/lease');
    };
    const writing = client.create(WIDGETS, 'a', { metadata: { name: 'one' } });
    leads = false;
    await expect(writing).rejects.toThrow(NotLeaderError);
    expect(apiserver.requests).toEqual([]);
    leads = true;
    apiserver.script(any, ok);
    await client.create(WIDGETS, 'a', { metadata: { name: 'one' } });
    expect(apiserver.requests).toHaveLength(1);
  });

  it('stops Leases, too: those of namespaces are the leader’s to write, and the election has a client without a fence', async () => {
    fence = () => {
      throw new NotLeaderError('ns/edgeline');
    };
    await expect(client.update(LEASES, 'ns', 'edgeline', {})).rejects.toThrow(NotLeaderError);
    expect(apiserver.requests).toHaveLength(0);
  });
});
