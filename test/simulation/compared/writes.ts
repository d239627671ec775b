import { type KindDefinition, specSchemaOf } from '../../../src/kubernetes/crd.ts';
import { apiVersionOf } from '../../../src/kubernetes/resource.ts';
import { contentOf } from './contents.ts';
import type { Known } from './known.ts';
import { type Make, type Parts, pathTo, versionOf } from './parts.ts';
import type { Chances } from './random.ts';
import { changed, specOf, statusOf } from './values.ts';

export const MERGE_PATCH = 'application/merge-patch+json';

/** A new object; wrong now and then, unless it has to be right. */
export function creation(parts: Parts, how: 'right' | 'any' = 'any'): Make {
  const { resource, name, random, place } = parts;
  const isOdd = how === 'any' && random.oneIn(4);
  const rarely = (part: object) => (isOdd && random.oneIn(6) ? part : {});
  const body = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...rarely({ apiVersion: undefined, kind: undefined }),
    metadata: {
      name,
      ...(random.oneIn(2) ? { finalizers: ['edgeline.dev/create'] } : {}),
      ...(random.oneIn(3) ? { labels: { color: random.pick(['red', 'blue']) } } : {}),
      ...(random.oneIn(4) ? { namespace: place.namespace } : {}),
      ...rarely({ name: undefined }),
      ...rarely({ name: 'Not A Name' }),
      ...rarely({ labels: { 'a b': 'c d' } }),
      ...rarely({ finalizers: ['a b'] }),
      ...rarely({ finalizers: ['own'] }),
      ...rarely({ resourceVersion: '5' }),
      ...rarely({ uid: 'mine', generation: 7, creationTimestamp: '2020-01-01T00:00:00Z' }),
      ...rarely({ namespace: 'elsewhere' }),
    },
    ...contentOf(parts, how === 'right' ? 'right' : 'new'),
  };
  const query = how === 'any' && random.oneIn(15) ? '?dryRun=All' : '';
  return () => ({ method: 'POST', path: pathTo(parts) + query, body: JSON.stringify(body) });
}

/** A new object with this spec. */
export function newSpec(parts: Parts, spec: unknown, how: 'stored' | 'dry' = 'dry'): Make {
  const { resource, name } = parts;
  const body = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name }, spec };
  const query = how === 'dry' ? '?dryRun=All' : '';
  return () => ({ method: 'POST', path: pathTo(parts) + query, body: JSON.stringify(body) });
}

/** A patch of the status. */
export function otherStatus(parts: Parts, status: unknown): Make {
  const path = pathTo(parts, parts.name, 'status');
  return () => ({ method: 'PATCH', path, contentType: MERGE_PATCH, body: JSON.stringify({ status }) });
}

/** The object as it was last answered, with this spec instead, not stored. */
export function otherSpec(parts: Parts, spec: unknown): Make {
  const { resource, name } = parts;
  return (known) => {
    const body = { ...versionOf(known, resource.plural, name, 0), spec };
    return { method: 'PUT', path: `${pathTo(parts, name)}?dryRun=All`, body: JSON.stringify(body) };
  };
}

/**
 * Something new. Whoever asks for something that a write leaves as it is owns it by then, according to `managedFields`; so
 * the real apiserver stores what is otherwise as it was. There are none in the one in memory: such a write changes something
 * else, too.
 */
function salt(random: Chances): number {
  return 100 + random.below(1_000_000);
}

/**
 * Which version a write is about is chosen as the how manieth last. One that is about an earlier version changes something
 * besides: the real apiserver tries a write first with what its watch cache has, which may be that earlier version still, and
 * takes a write that leaves it as it is if what is stored now has the same bytes. On a busy machine it answers 200 there.
 */
const EARLIER = 1;

/** The object as it was last answered, changed; now and then as it was earlier, or without having been read. */
export function update(parts: Parts): Make {
  const { name, random, definition, resource } = parts;
  const age = random.pick([0, 0, 0, 0, EARLIER]);
  const version = random.pick<VersionChoice>(['kept', 'kept', 'kept', 'kept', 'none', 'other']);
  const uid = random.pick<VersionChoice>(['kept', 'kept', 'kept', 'none', 'other']);
  const fresh = contentOf(parts);
  const replaced = random.oneIn(3) ? contentOf(parts) : undefined;
  const salted = random.below(1000);
  const finalizers = random.pick([
    undefined,
    undefined,
    [],
    ['edgeline.dev/create'],
    ['edgeline.dev/adopt', 'edgeline.dev/create'],
  ]);
  const renamed = random.oneIn(30);
  const query = random.oneIn(20) ? '?dryRun=All' : '';
  const spec = definition && random.oneIn(2) ? specOf(definition, random) : undefined;
  return (known) => {
    const last = versionOf(known, resource.plural, name, age);
    const { managedFields: _, ...metadata } = last?.metadata ?? { name };
    const body = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      ...(last ?? fresh),
      ...replaced,
      ...(spec === undefined ? {} : { spec }),
      metadata: {
        ...chosen('resourceVersion', version, chosen('uid', uid, metadata)),
        ...(salted % 3 === 0 || age === EARLIER ? { annotations: { salt: String(salted) } } : {}),
        ...(finalizers && { finalizers }),
        ...(renamed ? { name: 'renamed' } : {}),
      },
    };
    return { method: 'PUT', path: pathTo(parts, name) + query, body: JSON.stringify(body) };
  };
}

type VersionChoice = 'kept' | 'none' | 'other';

function chosen(field: 'resourceVersion' | 'uid', choice: VersionChoice, metadata: object): object {
  if (choice === 'kept') return metadata;
  if (choice === 'other') return { ...metadata, [field]: field === 'uid' ? 'another' : '1' };
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== field));
}

export function patch(parts: Parts): Make {
  const { name, random, definition, resource } = parts;
  const metadata = {
    ...(random.oneIn(3)
      ? { finalizers: random.pick<unknown>([null, [], ['edgeline.dev/create'], ['edgeline.dev/adopt']]) }
      : {}),
    ...(random.oneIn(4)
      ? { annotations: random.pick<unknown>([{ a: '1' }, { a: null, b: '2' }, null, { 'a b': '' }]) }
      : {}),
    ...(random.oneIn(6)
      ? { labels: random.pick<unknown>([{ color: 'red' }, { color: null }, null, { color: 'a b' }]) }
      : {}),
    ...(random.oneIn(30) ? { name: 'renamed' } : {}),
    ...(random.oneIn(30) ? { namespace: 'elsewhere' } : {}),
    ...(random.oneIn(30)
      ? { deletionTimestamp: '2026-01-01T00:00:00Z', annotations: { salt: `${salt(random)}` } }
      : {}),
    ...(random.oneIn(30) ? { creationTimestamp: null, generation: 99, annotations: { salt: `${salt(random)}` } } : {}),
  };
  const spec = definition && changed(specSchemaOf(definition), specOf(definition, random), random);
  const content = definition
    ? { ...(random.oneIn(2) ? { spec } : {}), ...(random.oneIn(8) ? { status: { observedGeneration: 5 } } : {}) }
    : random.oneIn(2)
      ? contentOf(parts)
      : {};
  const conditions = preconditions(random, resource.plural, name);
  const query = random.oneIn(20) ? '?dryRun=All' : '';
  const salted = conditions.areEarlier ? { annotations: { salt: `${salt(random)}` } } : {};
  return (known) => ({
    method: 'PATCH',
    path: pathTo(parts, name) + query,
    contentType: MERGE_PATCH,
    body: JSON.stringify({ ...content, metadata: { ...metadata, ...salted, ...conditions.of(known) } }),
  });
}

/** A resource version or a UID in a patch: of now, of before, or of nothing. */
function preconditions(
  random: Chances,
  plural: string,
  name: string,
): { readonly areEarlier: boolean; of(known: Known): object } {
  const version = random.below(8);
  const uid = random.below(8);
  return {
    areEarlier: version === EARLIER,
    of(known) {
      const now = versionOf(known, plural, name, 0)?.metadata;
      const before = versionOf(known, plural, name, EARLIER)?.metadata;
      return {
        ...(version === 0 && now ? { resourceVersion: now.resourceVersion } : {}),
        ...(version === EARLIER && before ? { resourceVersion: before.resourceVersion } : {}),
        ...(uid === 0 && now ? { uid: now.uid } : {}),
        ...(uid === 1 ? { uid: before?.uid ?? 'another' } : {}),
      };
    },
  };
}

export function statusPatch(parts: Parts, definition: KindDefinition): Make {
  const { name, random } = parts;
  const status = random.oneIn(15) ? null : statusOf(definition, random);
  const conditions = preconditions(random, definition.plural, name);
  const besides = random.oneIn(4) ? { spec: { unknown: 1 } } : {};
  const isSalted = (random.oneIn(4) || conditions.areEarlier) && typeof status === 'object' && !Array.isArray(status);
  const metadata = isSalted ? { labels: { color: 'green' }, finalizers: ['edgeline.dev/status'] } : {};
  const salted = isSalted ? { ...status, observedGeneration: salt(random) } : status;
  return (known) => ({
    method: 'PATCH',
    path: pathTo(parts, name, 'status'),
    contentType: MERGE_PATCH,
    body: JSON.stringify({ ...besides, status: salted, metadata: { ...metadata, ...conditions.of(known) } }),
  });
}

export function statusUpdate(parts: Parts, definition: KindDefinition): Make {
  const { name, random, resource } = parts;
  const status = statusOf(definition, random);
  const isSalted = typeof status === 'object' && status !== null && !Array.isArray(status);
  const salted = isSalted ? { ...status, observedGeneration: salt(random) } : status;
  const age = random.pick([0, 0, 0, EARLIER]);
  return (known) => {
    const { managedFields: _, ...metadata } = versionOf(known, resource.plural, name, age)?.metadata ?? { name };
    const body = {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: isSalted ? { ...metadata, labels: { color: 'green' } } : metadata,
      status: salted,
    };
    return { method: 'PUT', path: pathTo(parts, name, 'status'), body: JSON.stringify(body) };
  };
}

export function deletion(parts: Parts): Make {
  const { name, random, resource } = parts;
  const uid = random.below(6);
  const version = random.below(6);
  const hasBody = random.oneIn(2);
  return (known) => {
    const now = versionOf(known, resource.plural, name, 0)?.metadata;
    const preconditions = {
      ...(uid === 0 && now ? { uid: now.uid } : {}),
      ...(uid === 1 ? { uid: 'another' } : {}),
      ...(version === 0 && now ? { resourceVersion: now.resourceVersion } : {}),
      ...(version === 1 ? { resourceVersion: '1' } : {}),
    };
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', preconditions };
    return { method: 'DELETE', path: pathTo(parts, name), ...(hasBody ? { body: JSON.stringify(options) } : {}) };
  };
}
