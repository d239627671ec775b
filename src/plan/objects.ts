import type { Account } from '../kinds/cloud-account/schema.ts';
import type { MobileGateway } from '../kinds/mobile-gateway/schema.ts';
import type { Sim } from '../kinds/sim/schema.ts';
import type { SiteCertificate } from '../kinds/site-certificate/schema.ts';
import type { WebAccelSite } from '../kinds/web-accel-site/schema.ts';
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

const edgeline = { apiVersion: 'edgeline.dev/v1alpha1', namespaced: true };
const core = { apiVersion: 'v1', namespaced: true };

/** In the order in which they are applied: what others need first. */
export const plannedKinds: readonly PlannedKind[] = [
  { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false },
  { ...core, kind: 'Secret', plural: 'secrets' },
  { ...edgeline, kind: 'ClusterCloudAccount', plural: 'clustercloudaccounts', namespaced: false },
  { ...edgeline, kind: 'CloudAccount', plural: 'cloudaccounts' },
  { ...edgeline, kind: 'MobileGateway', plural: 'mobilegateways' },
  { ...edgeline, kind: 'Sim', plural: 'sims' },
  { ...edgeline, kind: 'WebAccelSite', plural: 'webaccelsites' },
  { ...edgeline, kind: 'SiteCertificate', plural: 'sitecertificates' },
];

/** The kinds that have something at the service. */
export const managedPlurals = ['mobilegateways', 'sims', 'webaccelsites', 'sitecertificates'] as const;

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

/** The objects of a cluster that a plan goes by, each kind by itself. */
export interface Objects {
  readonly sims: readonly Sim[];
  readonly gateways: readonly MobileGateway[];
  readonly sites: readonly WebAccelSite[];
  readonly certificates: readonly SiteCertificate[];
  readonly accounts: readonly Account[];
}

/** Everything of these kinds that `list` gives by plural. */
export function objectsIn(list: (plural: string) => readonly StoredObject[]): Objects {
  return {
    sims: typed<Sim>(list('sims')),
    gateways: typed<MobileGateway>(list('mobilegateways')),
    sites: typed<WebAccelSite>(list('webaccelsites')),
    certificates: typed<SiteCertificate>(list('sitecertificates')),
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
