import { edgelineAPI } from '../../kinds/common/schema.ts';
import { kindDefinitions } from '../../kinds/index.ts';
import { toCustomResourceDefinition } from '../../kubernetes/crd.ts';
import {
  type Apiserver,
  createApiserver,
  type StoredObject,
  type UnknownField,
} from '../../shadow/apiserver/apiserver.ts';
import type { Random } from '../../shadow/world/random.ts';
import { meantOf } from '../../text.ts';
import {
  isMembers,
  keyOf,
  memberAt,
  type ObjectJson,
  parseKey,
  plannedKindOf,
  plannedKinds,
  textAt,
} from '../objects.ts';
import type { Applying } from './applying.ts';
import { applyPatch, serverSideManagerOf } from './merge.ts';

/** A document of a file. */
export interface Manifest {
  /** The file, and which of its documents if it has several. */
  readonly source: string;
  readonly object: ObjectJson;
}

/** A manifest that the apiserver would not take, or that is there twice. */
export interface Refusal {
  readonly source: string;
  /** `Sim fleet/truck-17`. */
  readonly what: string;
  /** In the words of the apiserver, but for what is there twice. */
  readonly message: string;
}

/** What applying manifests would make of a cluster. */
export interface Rehearsal {
  readonly refused: readonly Refusal[];
  /** The objects that the manifests name, by `keyOf`, whether or not they change. */
  readonly named: ReadonlySet<string>;
  /** Those that are made, changed or deleted. */
  readonly changed: ReadonlySet<string>;
  readonly created: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** What was applied on the side of the server, and is not here: the objects, each with the manager. */
  readonly appliedOtherwise: ReadonlyMap<string, string>;
  /** What no plan is made for, by kind: how many manifests there are. */
  readonly others: ReadonlyMap<string, number>;
}

const USER = 'whoever applies';

export const definitions = kindDefinitions.map(toCustomResourceDefinition);

/** An apiserver with the objects of a cluster; their UIDs, times and versions stay. */
export function clusterOf(
  objects: readonly ObjectJson[],
  surroundings: { readonly now: () => number; readonly random: Random },
): Apiserver {
  const apiserver = createApiserver({ now: surroundings.now, uid: uids(surroundings.random), definitions });
  restore(apiserver, objects);
  return apiserver;
}

function restore(apiserver: Apiserver, objects: readonly ObjectJson[]): void {
  const { revision, objects: there } = apiserver.backup();
  const byPlural = new Map([...there].map(([plural, stored]) => [plural, [...stored]]));
  let last = revision;
  for (const object of objects) {
    const plural = pluralOf(object);
    if (plural === undefined) continue;
    const metadata = memberAt(object, 'metadata');
    if (!isMembers(metadata)) continue;
    const { managedFields: _, ...kept } = metadata;
    last++;
    // Versions say nothing of what they are of, but for the order, which is that of the list.
    const stored: StoredObject = JSON.parse(
      JSON.stringify({
        ...object,
        metadata: { uid: `uid-${last}`, ...kept, resourceVersion: String(last) },
      }),
    );
    const same = byPlural.get(plural) ?? [];
    const place = same.findIndex(
      (one) => one.metadata.name === stored.metadata.name && one.metadata.namespace === stored.metadata.namespace,
    );
    if (place < 0) same.push(stored);
    else same[place] = stored;
    byPlural.set(plural, same);
  }
  apiserver.restore({ revision: last, objects: byPlural });
}

/** The plural of an object whose kind plans know; undefined for others. */
export function pluralOf(object: ObjectJson): string | undefined {
  const { kind, apiVersion } = object;
  return plannedKinds.find((one) => one.kind === kind && one.apiVersion === apiVersion)?.plural;
}

/** Applies manifests, and deletes what is pruned, in an apiserver that is changed by it. */
export function rehearse(
  apiserver: Apiserver,
  manifests: readonly Manifest[],
  options: {
    /** Of manifests that name none. */
    readonly namespace: string;
    /** What is deleted unless a manifest names it, by `keyOf`. */
    readonly prune: ReadonlySet<string>;
    /** The cluster as it came: who applied what is not kept by the apiserver. */
    readonly cluster: readonly ObjectJson[];
    /** Default: on the side of the client. */
    readonly applying?: Applying | undefined;
  },
): Rehearsal {
  const { applying = { by: 'client' } } = options;
  const refused: Refusal[] = [];
  const appliedOtherwise = new Map<string, string>();
  /** Where each stands, by `keyOf`. */
  const sources = new Map<string, string>();
  const changed = new Set<string>();
  const created = new Set<string>();
  const deleted = new Set<string>();
  const others = new Map<string, number>();
  const managers = managersOf(options.cluster);
  const known = manifests.flatMap((manifest) => {
    const plural = pluralOf(manifest.object);
    if (plural !== undefined) return [{ ...manifest, plural }];
    const { kind, apiVersion } = typeOf(manifest.object);
    if (apiVersion.startsWith(`${edgelineAPI.group}/`)) refused.push(unknownKind(manifest));
    else others.set(kind, (others.get(kind) ?? 0) + 1);
    return [];
  });
  for (const { plural } of plannedKinds) {
    for (const manifest of known) if (manifest.plural === plural) apply(manifest, plural);
  }
  for (const key of options.prune) if (!sources.has(key)) remove(key);
  return { refused, named: new Set(sources.keys()), changed, created, deleted, others, appliedOtherwise };

  function apply({ source, object }: Manifest, plural: string): void {
    const { kind, namespaced } = plannedKindOf(plural);
    const name = textAt(object, 'metadata', 'name');
    const namespace = namespaced ? (textAt(object, 'metadata', 'namespace') ?? options.namespace) : '';
    const place = namespaced ? `${namespace}/${name ?? ''}` : (name ?? '');
    const refuse = (message: string) => void refused.push({ source, what: `${kind} ${place}`, message });
    if (name === undefined) return refuse('metadata.name: Required value: name is required');
    const key = keyOf(plural, namespace, name);
    const first = sources.get(key);
    if (first !== undefined) return refuse(`it is in ${first}, too: keep one of them`);
    sources.set(key, source);
    // Of what it creates or patches on the side of the client, kubectl takes away what is null.
    const unknown = apiserver.unknownFields(plural, applying.by === 'client' ? withoutNulls(object) : object);
    if (unknown.length > 0) return refuse(strictly(object, unknown));
    const live = apiserver.get(plural, namespace, name);
    const metadata = memberAt(object, 'metadata');
    const answer = live
      ? patch(live, object, plural, namespace, name)
      : send('POST', collection(plural, namespace), {
          ...withoutStatus(object),
          metadata: { ...(isMembers(metadata) ? metadata : {}), ...(namespaced && { namespace }) },
        });
    if (answer !== undefined && 'message' in answer) return refuse(answer.message);
    const now = apiserver.get(plural, namespace, name);
    if (!live) created.add(key);
    if (live?.metadata.resourceVersion !== now?.metadata.resourceVersion) changed.add(key);
  }

  function patch(live: StoredObject, object: ObjectJson, plural: string, namespace: string, name: string) {
    const managedFields = managers.get(keyOf(plural, namespace, name));
    const applied = { ...live, metadata: { ...live.metadata, ...(managedFields !== undefined && { managedFields }) } };
    const made = applyPatch(applied, plural === 'secrets' ? withData(object) : object, applying);
    if ('refusal' in made) return { message: made.refusal };
    const manager = applying.by === 'client' ? serverSideManagerOf(applied) : undefined;
    if (manager !== undefined) appliedOtherwise.set(`${plannedKindOf(plural).kind} ${namespace}/${name}`, manager);
    const { patch: body } = made;
    return body && send('PATCH', `${collection(plural, namespace)}/${encodeURIComponent(name)}`, body);
  }

  function remove(key: string): void {
    const { plural, namespace, name } = parseKey(key);
    if (!apiserver.get(plural, namespace, name)) return;
    send('DELETE', `${collection(plural, namespace)}/${encodeURIComponent(name)}`);
    deleted.add(key);
    changed.add(key);
  }

  function send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): { message: string } | undefined {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = apiserver.handle({
      method,
      path,
      user: USER,
      contentType,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status < 400 || !('body' in answer)) return undefined;
    return { message: textAt(JSON.parse(answer.body), 'message') ?? `status ${answer.status}` };
  }
}

/** As the apiserver says it to kubectl, which asks it to be strict, with what is likely meant. */
function strictly(object: ObjectJson, unknown: readonly UnknownField[]): string {
  const { kind, apiVersion } = typeOf(object);
  const fields = unknown.map(({ path, name, known }) => {
    const meant = meantOf(name, known);
    const guess = meant === undefined ? '' : ` (did you mean ${path.slice(0, -name.length)}${meant}?)`;
    return `unknown field ${JSON.stringify(path)}${guess}`;
  });
  const version = apiVersion.split('/').at(-1);
  return `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${fields.join(', ')}`;
}

/** As the apiserver says it, with what there is. */
function unknownKind({ source, object }: Manifest): Refusal {
  const { kind, apiVersion } = typeOf(object);
  const known = plannedKinds.filter((one) => one.apiVersion.startsWith(`${edgelineAPI.group}/`));
  return {
    source,
    what: `${kind} ${textAt(object, 'metadata', 'name') ?? ''}`,
    message: `no matches for kind "${kind}" in version "${apiVersion}": there are ${known.map((one) => one.kind).join(', ')} in ${known[0]?.apiVersion}`,
  };
}

function typeOf(object: ObjectJson): { readonly kind: string; readonly apiVersion: string } {
  return { kind: textAt(object, 'kind') ?? '', apiVersion: textAt(object, 'apiVersion') ?? '' };
}

/** Who applied what, by object. */
function managersOf(cluster: readonly ObjectJson[]): ReadonlyMap<string, unknown> {
  return new Map(
    cluster.map((object) => [
      keyOf(pluralOf(object) ?? '', textAt(object, 'metadata', 'namespace'), textAt(object, 'metadata', 'name') ?? ''),
      memberAt(object, 'metadata', 'managedFields'),
    ]),
  );
}

function withoutStatus(object: ObjectJson): ObjectJson {
  const { status: _, ...rest } = object;
  return rest;
}

function withoutNulls(object: ObjectJson): ObjectJson {
  return JSON.parse(JSON.stringify(object, (_, value: unknown) => (value === null ? undefined : value)));
}

/** A Secret as it is stored: `stringData` is written only. */
function withData({ stringData, data, ...secret }: ObjectJson): ObjectJson {
  const texts = isMembers(stringData) ? Object.entries(stringData) : [];
  const encoded = texts.map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  const all = { ...(isMembers(data) ? data : {}), ...Object.fromEntries(encoded) };
  return Object.keys(all).length === 0 ? secret : { ...secret, data: all };
}

export function collection(plural: string, namespace: string): string {
  const { apiVersion, namespaced } = plannedKindOf(plural);
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return namespaced ? `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}` : `${root}/${plural}`;
}

/** UIDs as the apiserver gives them. */
function uids(random: Random): () => string {
  const hex = (digits: number) => Array.from({ length: digits }, () => random.int(16).toString(16)).join('');
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
