import { describe, expect, it } from 'vitest';
import { toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import { parseJson } from '../../../src/kubernetes/json.ts';
import {
  type Apiserver,
  type ApiserverRequest,
  createApiserver,
  type StoredChange,
} from '../../../src/shadow/apiserver/apiserver.ts';
import { allDefinitions } from '../../support/definitions.ts';

const definitions = allDefinitions.map(toCustomResourceDefinition);
const SIMS = '/apis/edgeline.dev/v1alpha1/namespaces/default/sims';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const MERGE = 'application/merge-patch+json';

function cluster(): Apiserver {
  let uids = 0;
  return createApiserver({ now: () => Date.UTC(2026, 0, 1), uid: () => `uid-${++uids}`, definitions });
}

/** What is looked at of answers: objects, lists and refusals alike. */
interface Answered {
  readonly code?: number;
  readonly reason?: string;
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly spec: object;
  readonly status: unknown;
  readonly items: readonly Answered[];
}

const namesOf = ({ items }: Answered) => items.map(({ metadata }) => metadata.name);

function ask(
  server: Apiserver,
  method: ApiserverRequest['method'],
  path: string,
  body?: object,
  contentType?: string,
): Answered {
  const answer = server.handle({
    method,
    path,
    user: 'someone',
    ...(body && { body: JSON.stringify(body) }),
    ...(contentType && { contentType }),
  });
  if ('watch' in answer) throw new Error('a watch was begun');
  return parseJson<Answered>(answer.body);
}

const simNamed = (name: string, spec: object = {}) => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name },
  spec: { iccid: '8981040000000000017', ...spec },
});

function withoutRules<T>(value: T): T {
  return parseJson<T>(
    JSON.stringify(value, (name, member: unknown) => (name === 'x-kubernetes-validations' ? undefined : member)),
  );
}

function linesOf(server: Apiserver, path: string): string[] {
  const answer = server.handle({ method: 'GET', path, user: 'someone' });
  if (!('watch' in answer)) throw new Error(answer.body);
  const lines: string[] = [];
  answer.watch.subscribe({ line: (text) => void lines.push(text), end: () => void lines.push('end') });
  return lines;
}

const typesOf = (lines: string[]) => lines.map((line) => (line === 'end' ? line : JSON.parse(line).type));

describe('an apiserver in memory', () => {
  it('gives what is created a status, a generation and a revision, and changes each as it should', () => {
    const server = cluster();
    const made = ask(server, 'POST', SIMS, simNamed('a', { unknown: 1 }));
    expect(made).toMatchObject({ status: { observedGeneration: -1 }, spec: { iccid: '8981040000000000017' } });
    expect(made.spec).not.toHaveProperty('unknown');
    const edited = ask(server, 'PATCH', `${SIMS}/a`, { spec: { activated: true }, status: { id: 'x' } }, MERGE);
    expect(edited.metadata.generation).toBe(2);
    expect(edited.status).toEqual({ observedGeneration: -1 });
    const told = ask(server, 'PATCH', `${SIMS}/a/status`, { spec: null, status: { id: 'x' } }, MERGE);
    expect(told.metadata.generation).toBe(2);
    expect(told.status).toEqual({ observedGeneration: -1, id: 'x' });
    expect(ask(server, 'PUT', `${SIMS}/a`, made).reason).toBe('Conflict');
    const again = ask(server, 'PATCH', `${SIMS}/a/status`, { status: { id: 'x' } }, MERGE);
    expect(again.metadata.resourceVersion).toBe(told.metadata.resourceVersion);
  });

  it('refuses what the schema and its rules refuse, and lets through what was wrong before', () => {
    const server = cluster();
    expect(ask(server, 'POST', SIMS, simNamed('a', { activated: 'yes' }))).toMatchObject({
      code: 422,
      details: { causes: [{ reason: 'FieldValueTypeInvalid', field: 'spec.activated' }, { field: '<nil>' }] },
    });
    expect(ask(server, 'POST', SIMS, simNamed('a', { ipAddress: '10.0.0.1' }))).toMatchObject({
      code: 422,
      details: { causes: [{ reason: 'FieldValueInvalid', field: 'spec.ipAddress' }] },
    });
    ask(server, 'POST', SIMS, simNamed('a', { resourceID: '1' }));
    expect(ask(server, 'PATCH', `${SIMS}/a`, { spec: { resourceID: '2' } }, MERGE)).toMatchObject({
      code: 422,
      details: { causes: [{ reason: 'FieldValueForbidden', field: 'spec.resourceID' }] },
    });
  });

  it('keeps what has finalizers until the last is gone', () => {
    const server = cluster();
    ask(server, 'POST', SIMS, { ...simNamed('a'), metadata: { name: 'a', finalizers: ['edgeline.dev/a'] } });
    const lines = linesOf(server, `${SIMS}?watch=true`);
    const deleted = ask(server, 'DELETE', `${SIMS}/a`);
    expect(deleted.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:00Z', generation: 2 });
    expect(
      ask(server, 'PATCH', `${SIMS}/a`, { metadata: { finalizers: ['b.c/d', 'edgeline.dev/a'] } }, MERGE).code,
    ).toBe(422);
    expect(ask(server, 'PATCH', `${SIMS}/a`, { metadata: { finalizers: null } }, MERGE).metadata.name).toBe('a');
    expect(ask(server, 'GET', `${SIMS}/a`).reason).toBe('NotFound');
    expect(typesOf(lines)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  it('lists in pages, which expire, and watches from where a list ended', () => {
    const server = cluster();
    for (const name of ['c', 'a', 'b']) ask(server, 'POST', SIMS, simNamed(name));
    const first = ask(server, 'GET', `${SIMS}?limit=2`);
    expect(namesOf(first)).toEqual(['a', 'b']);
    expect(first.metadata.remainingItemCount).toBe(1);
    ask(server, 'DELETE', `${SIMS}/c`);
    const next = `${SIMS}?limit=2&continue=${first.metadata.continue}`;
    expect(namesOf(ask(server, 'GET', next))).toEqual(['c']);
    const from = `${SIMS}?watch=true&allowWatchBookmarks=true&resourceVersion=${first.metadata.resourceVersion}`;
    const lines = linesOf(server, from);
    server.bookmark();
    server.endWatches('nobody');
    server.endWatches('someone');
    expect(typesOf(lines)).toEqual(['DELETED', 'BOOKMARK', 'end']);
    server.compact();
    const expired = ask(server, 'GET', next);
    expect(expired).toMatchObject({ code: 410, reason: 'Expired' });
    expect(ask(server, 'GET', `${SIMS}?continue=${expired.metadata.continue}`).items).toEqual([]);
    expect(typesOf(linesOf(server, from))).toEqual(['ERROR', 'end']);
  });

  it('tells of each change who made it, and refuses whom it is told to refuse', () => {
    const server = cluster();
    const changes: StoredChange[] = [];
    server.onChange((change) => void changes.push(change));
    server.setDenial(({ verb, resource }) => verb === 'update' && resource === 'leases');
    ask(server, 'POST', LEASES, { metadata: { name: 'a' }, spec: { leaseDurationSeconds: 15 } });
    expect(ask(server, 'PUT', `${LEASES}/a`, { metadata: { name: 'a' }, spec: {} }).code).toBe(403);
    expect(changes).toMatchObject([{ resource: 'leases', user: 'someone', new: { metadata: { name: 'a' } } }]);
  });

  it('empties a namespace that is deleted, and takes nothing new into it', () => {
    const server = cluster();
    ask(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
    const sims = SIMS.replace('default', 'a');
    ask(server, 'POST', sims, { ...simNamed('x'), metadata: { name: 'x', finalizers: ['edgeline.dev/a'] } });
    ask(server, 'DELETE', '/api/v1/namespaces/a');
    server.runControllers();
    expect(server.get('sims', 'a', 'x')?.metadata.deletionTimestamp).toBeDefined();
    expect(ask(server, 'POST', sims, simNamed('y'))).toMatchObject({
      code: 403,
      details: { causes: [{ reason: 'NamespaceTerminating' }] },
    });
    ask(server, 'PATCH', `${sims}/x`, { metadata: { finalizers: null } }, MERGE);
    server.runControllers();
    expect(server.get('namespaces', '', 'a')).toBeUndefined();
    expect(ask(server, 'POST', sims, simNamed('y'))).toMatchObject({ code: 404, details: { kind: 'namespaces' } });
  });

  it('lets through what was wrong before a rule came, as long as it stays as it was', () => {
    const server = cluster();
    server.setDefinitions(definitions.map(withoutRules));
    ask(server, 'POST', SIMS, simNamed('a', { ipAddress: '224.0.0.1', displayName: 'a\nb' }));
    server.setDefinitions(definitions);
    expect(ask(server, 'POST', SIMS, simNamed('b', { displayName: 'a\nb' })).code).toBe(422);
    expect(ask(server, 'PATCH', `${SIMS}/a/status`, { status: { id: '1' } }, MERGE).metadata.name).toBe('a');
    expect(ask(server, 'PATCH', `${SIMS}/a`, { spec: { displayName: 'c\nd' } }, MERGE).code).toBe(422);
    const mended = { gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.1' };
    expect(ask(server, 'PATCH', `${SIMS}/a`, { spec: mended }, MERGE).metadata.generation).toBe(2);
  });

  it('is as it was when a backup is restored', () => {
    const server = cluster();
    ask(server, 'POST', SIMS, simNamed('a'));
    const backup = server.backup();
    ask(server, 'DELETE', `${SIMS}/a`);
    const lines = linesOf(server, `${SIMS}?watch=true`);
    server.restore(backup);
    expect(typesOf(lines)).toEqual(['end']);
    expect(server.get('sims', 'default', 'a')).toBeDefined();
    expect(server.revision).toBe(backup.revision);
  });
});
