import type { Clock } from '../clock.ts';
import { type Account, cloudAccountResource, clusterCloudAccountResource } from '../kinds/cloud-account/schema.ts';
import type { ManagedObjects } from '../kinds/index.ts';
import { gatewayResource } from '../kinds/mobile-gateway/schema.ts';
import { simResource } from '../kinds/sim/schema.ts';
import { certificateResource } from '../kinds/site-certificate/schema.ts';
import { siteResource } from '../kinds/web-accel-site/schema.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import { HOLDER_LEASE } from '../kubernetes/holdings.ts';
import { createInformer, type Informer, type InformerOptions, identityOnly } from '../kubernetes/informer.ts';
import type { Lease } from '../kubernetes/lease-object.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { LEASES, NAMESPACES, type Resource, SECRETS } from '../kubernetes/resource.ts';
import type { ManagedKindName } from '../reconcile/kind-names.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { Logger } from '../telemetry/log.ts';

/** The informer of each managed kind. */
export type ManagedInformers = { readonly [K in ManagedKindName]: Informer<ManagedObjects[K]> };

/** Everything the operator watches. The cluster-wide ones are absent when it looks after a few namespaces only. */
export interface Informers {
  readonly accounts: Informer<Account>;
  readonly clusterAccounts: Informer<Account> | undefined;
  readonly namespaces: Informer<KubernetesObject> | undefined;
  /** Metadata only: values are read when needed. */
  readonly secrets: Pick<Informer<KubernetesObject>, 'get' | 'onChange'>;
  /** The one of each namespace that says which installation looks after it. */
  readonly holders: Informer<Lease>;
  /** The managed kinds, each with its own type. */
  readonly of: ManagedInformers;
  /** The same, for what treats all alike. */
  readonly managed: ReadonlyMap<string, Informer<ManagedObject>>;
  readonly all: readonly Informer<KubernetesObject>[];
}

/** Whatever else Secrets have is of no interest, and may be much. */
const identities = { metadataOnly: true, transform: identityOnly } as const;

export function createInformers(options: {
  readonly client: KubeClient;
  readonly namespaces: string[] | undefined;
  /** The only Secrets to watch; undefined: all. */
  readonly secretNames: string[] | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}): Informers {
  const { namespaces, secretNames, ...common } = options;
  const all: Informer<KubernetesObject>[] = [];
  function watch<T extends KubernetesObject>(
    resource: Resource,
    extra?: Pick<InformerOptions<T>, 'metadataOnly' | 'fieldSelector' | 'transform'>,
  ): Informer<T> {
    const scope = resource.namespaced ? namespaces : undefined;
    const informer = createInformer<T>({ ...common, resource, namespaces: scope, ...extra });
    all.push(informer);
    return informer;
  }
  const of: ManagedInformers = {
    Sim: watch(simResource),
    MobileGateway: watch(gatewayResource),
    WebAccelSite: watch(siteResource),
    SiteCertificate: watch(certificateResource),
  };
  return {
    accounts: watch<Account>(cloudAccountResource),
    clusterAccounts: namespaces ? undefined : watch<Account>(clusterCloudAccountResource),
    namespaces: namespaces ? undefined : watch(NAMESPACES, { metadataOnly: true }),
    // A watch of one name is allowed to whoever may watch that name; a label selector would not narrow what is allowed.
    secrets: secretNames
      ? joined(
          new Map(
            secretNames.map((name) => [
              name,
              watch(SECRETS, { ...identities, fieldSelector: `metadata.name=${name}` }),
            ]),
          ),
        )
      : watch(SECRETS, identities),
    holders: watch<Lease>(LEASES, { fieldSelector: `metadata.name=${HOLDER_LEASE}` }),
    of,
    managed: new Map(Object.entries<Informer<ManagedObject>>(of)),
    all,
  };
}

/** Informers of one name each, as one. */
function joined<T extends KubernetesObject>(
  byName: ReadonlyMap<string, Informer<T>>,
): Pick<Informer<T>, 'get' | 'onChange'> {
  return {
    get: (namespace, name) => byName.get(name)?.get(namespace, name),
    onChange(handler) {
      for (const informer of byName.values()) informer.onChange(handler);
    },
  };
}
