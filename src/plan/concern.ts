import type { StoredObject } from '../shadow/apiserver/apiserver.ts';
import { isMembers, keyOf, managedPlurals, memberAt, parseKey, textAt } from './objects.ts';

/** A cluster by plural. */
export type Cluster = (plural: string) => readonly StoredObject[];

/** Which resources a plan is about. */
export interface Concern {
  /** They may write; by `keyOf`. */
  readonly concerned: ReadonlySet<string>;
  /** They stay as they are, and bear on those that are concerned. */
  readonly neighbours: ReadonlySet<string>;
}

/**
 * A resource is concerned if it changes, or a Secret that it names does, be it in the manifests or not; if a manifest names it
 * and its account changes, or the operator is still at it. So is what bears on those, whether or not a manifest names it: what names one that is made or goes, and
 * what waits near one, as it was or as it will be. All others would go on as they do. `before` is the cluster without the
 * manifests. Pure.
 */
export function concernOf(
  cluster: Cluster,
  before: Cluster,
  {
    named,
    changed,
    created,
    deleted,
  }: {
    readonly named: ReadonlySet<string>;
    readonly changed: ReadonlySet<string>;
    readonly created: ReadonlySet<string>;
    readonly deleted: ReadonlySet<string>;
  },
): Concern {
  const all = resourcesIn(cluster);
  const accounts = changedAccounts(cluster, changed);
  const concerned = new Set(
    all
      .filter(
        (one) =>
          changed.has(one.key) ||
          sentSecrets(one).some((name) => changed.has(keyOf('secrets', one.namespace, name))) ||
          (named.has(one.key) &&
            (isUnderWay(one.object) || accounts.some((account) => account === '' || account === one.namespace))),
      )
      .map(({ key }) => key),
  );
  const comeAndGone = new Set([...created, ...deleted]);
  const ofConcerned = all.filter((one) => concerned.has(one.key));
  // What changes, or is gone at once, may leave to others what it had.
  const moving = [...ofConcerned, ...resourcesIn(before).filter(({ key }) => changed.has(key))];
  const near = new Set(moving.flatMap(({ marks }) => marks));
  // What is named may wait for who names it to go, as a gateway that is being deleted does for its last SIM.
  const awaited = new Set(moving.flatMap(({ names }) => names));
  for (const one of all) {
    // A gateway has routes to SIMs, wherever they are.
    const isRouter = one.key.startsWith('mobilegateways/') && one.names.some((key) => changed.has(key));
    const waits =
      !isInSync(one.object) &&
      (awaited.has(one.key) || one.names.some((key) => concerned.has(key)) || one.marks.some((mark) => near.has(mark)));
    if (isRouter || waits || one.names.some((key) => comeAndGone.has(key))) concerned.add(one.key);
  }
  const joined = all.filter((one) => concerned.has(one.key));
  const namers = joined.flatMap(({ names }) => names);
  const marks = new Set(joined.flatMap(({ marks }) => marks));
  const isNear = (one: Resource) =>
    namers.includes(one.key) ||
    one.key.startsWith('mobilegateways/') ||
    one.marks.some((mark) => marks.has(mark)) ||
    one.names.some((key) => concerned.has(key));
  const neighbours = new Set(all.filter((one) => !concerned.has(one.key) && isNear(one)).map(({ key }) => key));
  return { concerned, neighbours };
}

function resourcesIn(cluster: Cluster): Resource[] {
  const sites = new Map(
    cluster('webaccelsites').map((site) => [
      keyOf('webaccelsites', site.metadata.namespace ?? '', site.metadata.name),
      textAt(site, 'status', 'id'),
    ]),
  );
  return managedPlurals.flatMap((plural) => cluster(plural).map((object) => resourceOf(plural, object, sites)));
}

interface Resource {
  readonly key: string;
  readonly namespace: string;
  readonly object: StoredObject;
  /** The resources that it names. */
  readonly names: readonly string[];
  /** The Secrets that it names. */
  readonly secrets: readonly string[];
  /** What two resources must not have both, or may take from each other. */
  readonly marks: readonly string[];
}

/** `sites`: the IDs of sites by the keys of their WebAccelSites. */
function resourceOf(plural: string, object: StoredObject, sites: ReadonlyMap<string, string | undefined>): Resource {
  const { namespace = '', name } = object.metadata;
  const spec = object['spec'];
  const gateway = textAt(spec, 'gatewayRef', 'name');
  const siteName = textAt(spec, 'siteRef', 'name');
  const site = siteName === undefined ? undefined : keyOf('webaccelsites', namespace, siteName);
  const routes = memberAt(spec, 'simRoutes');
  const sims = (Array.isArray(routes) ? routes : []).flatMap((route) => textAt(route, 'simRef', 'name') ?? []);
  const marks = {
    iccid: textAt(spec, 'iccid'),
    gateway: gateway && `${namespace}/${gateway}`,
    site,
    id:
      textAt(object, 'status', 'id') ??
      textAt(spec, 'resourceID') ??
      textAt(spec, 'siteID') ??
      (site === undefined ? undefined : sites.get(site)),
    // The gateway that a SIM is on, and the gateway itself.
    group: textAt(object, 'status', plural === 'mobilegateways' ? 'id' : 'gatewayID'),
  };
  // A site that one names by its ID, another may name by its domain, in either spelling.
  const domains = [textAt(spec, 'domain'), ...['domain', 'asciiDomain'].map((name) => textAt(object, 'status', name))];
  return {
    key: keyOf(plural, namespace, name),
    namespace,
    object,
    names: [
      ...(gateway === undefined ? [] : [keyOf('mobilegateways', namespace, gateway)]),
      ...(site === undefined ? [] : [site]),
      ...sims.map((sim) => keyOf('sims', namespace, sim)),
    ],
    secrets: secretsIn(spec),
    marks: [
      ...Object.entries(marks).flatMap(([what, value]) => (value === undefined ? [] : [`${what} ${value}`])),
      ...new Set(domains.flatMap((domain) => (domain === undefined ? [] : [`domain ${domain}`]))),
    ],
  };
}

/** The Secrets whose change leads to calls: a pass code is sent once, to make a SIM. */
function sentSecrets({ key, object, secrets }: Resource): readonly string[] {
  return key.startsWith('sims/') && isInSync(object) ? [] : secrets;
}

/** The names of the Secrets that a spec refers to, wherever it does. */
export function secretsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (!isMembers(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const secret = /secretRef$/i.test(name) ? textAt(member, 'name') : undefined;
    return secret === undefined ? secretsIn(member) : [secret];
  });
}

/** The namespaces of the accounts that change, by themselves or in their credentials; empty: an account of the cluster. */
function changedAccounts(cluster: Cluster, changed: ReadonlySet<string>): string[] {
  return ['cloudaccounts', 'clustercloudaccounts'].flatMap((plural) =>
    cluster(plural).flatMap((account) => {
      const { namespace = '', name } = account.metadata;
      const place = namespace === '' ? (textAt(account, 'spec', 'secretNamespace') ?? '') : namespace;
      const isChanged =
        changed.has(keyOf(plural, namespace, name)) ||
        secretsIn(account['spec']).some((secret) => changed.has(keyOf('secrets', place, secret)));
      return isChanged ? [namespace] : [];
    }),
  );
}

/**
 * Whether the operator has still to carry out the spec as it is. What it told of that spec, other than that it is at it, it
 * goes on saying: nothing in the manifests bears on it.
 */
function isUnderWay({ metadata, status }: StoredObject): boolean {
  const conditions = memberAt(status, 'conditions');
  const synced = (Array.isArray(conditions) ? conditions : []).find((one) => memberAt(one, 'type') === 'Synced');
  const isTold = memberAt(synced, 'observedGeneration') === metadata.generation;
  const reason = textAt(synced, 'reason') ?? '';
  return !isTold || reason === 'Applying' || reason === 'Queued' || reason === 'Deleting';
}

/** Whether the operator says that the service matches the spec. */
function isInSync({ status }: StoredObject): boolean {
  const conditions = memberAt(status, 'conditions');
  return (Array.isArray(conditions) ? conditions : []).some(
    (one) => memberAt(one, 'type') === 'Synced' && memberAt(one, 'status') === 'True',
  );
}

/** The part of a cluster that a shadow of it needs. */
export function isNeeded(key: string, { concerned, neighbours }: Concern): boolean {
  const { plural } = parseKey(key);
  return !managedPlurals.some((one) => one === plural) || concerned.has(key) || neighbours.has(key);
}
