import { type Account, cloudAccountResource, clusterCloudAccountResource } from '../kinds/cloud-account/schema.ts';
import { type ManagedObjects, managedDefinitions } from '../kinds/index.ts';
import { resourceOf } from '../kubernetes/crd.ts';
import { apiVersionOf, NAMESPACES, type Resource, SECRETS } from '../kubernetes/resource.ts';
import { type ManagedKindName, managedKindNames, manifestRank } from '../reconcile/kind-names.ts';
import type { StoredObject } from '../shadow/apiserver/apiserver.ts';

/** An object of Kubernetes as JSON has it. */
export type ObjectJson = Readonly<Record<string, unknown>>;

/** A kind whose objects a plan takes into account. */
export interface PlannedKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const managed = managedKindNames
  .toSorted((a, b) => manifestRank[a] - manifestRank[b])
  .map((name) => resourceOf(managedDefinitions[name]));

/** In the order in which they are applied: what others need first. */
export const plannedKinds: readonly PlannedKind[] = [
  NAMESPACES,
  SECRETS,
  clusterCloudAccountResource,
  cloudAccountResource,
  ...managed,
].map(plannedKind);

function plannedKind(resource: Resource): PlannedKind {
  const { kind, plural, namespaced } = resource;
  return { kind, apiVersion: apiVersionOf(resource), plural, namespaced };
}

/** The kinds that have something at the service. */
export const managedPlurals: readonly string[] = managed.map(({ plural }) => plural);

/** Names an object among all: `sims/fleet/truck-17`, without a namespace `clustercloudaccounts//default`. */
export function keyOf(plural: string, namespace: string | undefined, name: string): string {
  return `${plural}/${namespace ?? ''}/${name}`;
}

export function parseKey(key: string): { readonly plural: string; readonly namespace: string; readonly name: string } {
  const [plural = '', namespace = '', name = ''] = key.split('/');
  return { plural, namespace, name };
}

export function plannedKindOf(plural: string): PlannedKind {
  const found = plannedKinds.find((one) => one.plural === plural);
  if (!found) throw new TypeError(`there is no kind with the plural ${plural}`);
  return found;
}

/** Where the objects of each managed kind stand among all. */
interface Places {
  readonly Sim: 'sims';
  readonly MobileGateway: 'gateways';
  readonly WebAccelSite: 'sites';
  readonly SiteCertificate: 'certificates';
}

/** The objects of a cluster that a plan goes by, each kind by itself. */
export type Objects = { readonly [K in ManagedKindName as Places[K]]: readonly ManagedObjects[K][] } & {
  readonly accounts: readonly Account[];
};

/** Everything of these kinds that `list` gives by plural. */
export function objectsIn(list: (plural: string) => readonly StoredObject[]): Objects {
  return {
    sims: typed(list('sims')),
    gateways: typed(list('mobilegateways')),
    sites: typed(list('webaccelsites')),
    certificates: typed(list('sitecertificates')),
    accounts: [...typed<Account>(list('cloudaccounts')), ...typed<Account>(list('clustercloudaccounts'))],
  };
}

/** The apiserver keeps no object that its schema refuses. */
function typed<T>(objects: readonly StoredObject[]): T[] {
  return JSON.parse(JSON.stringify(objects));
}

export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of a member, however deep; undefined where one is missing. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const name of path) here = isMembers(here) ? here[name] : undefined;
  return here;
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = memberAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}
