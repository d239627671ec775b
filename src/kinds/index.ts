import type { KindDefinition } from '../kubernetes/crd.ts';
import type { ManagedKindName } from '../reconcile/kind-names.ts';
import { cloudAccountDefinition, clusterCloudAccountDefinition } from './cloud-account/schema.ts';
import { gatewayDefinition, type MobileGateway } from './mobile-gateway/schema.ts';
import { type Sim, simDefinition } from './sim/schema.ts';
import { certificateDefinition, type SiteCertificate } from './site-certificate/schema.ts';
import { siteDefinition, type WebAccelSite } from './web-accel-site/schema.ts';

interface Objects {
  Sim: Sim;
  MobileGateway: MobileGateway;
  WebAccelSite: WebAccelSite;
  SiteCertificate: SiteCertificate;
}

/** What the objects of each managed kind are; a kind that is not in it does not compile. */
export type ManagedObjects = { readonly [K in ManagedKindName]: Objects[K] };

/** The managed kinds: what their CRDs, documentation, roles and informers are made from. */
export const managedDefinitions: Readonly<Record<ManagedKindName, KindDefinition>> = {
  Sim: simDefinition,
  MobileGateway: gatewayDefinition,
  WebAccelSite: siteDefinition,
  SiteCertificate: certificateDefinition,
};

/** All kinds. */
export const kindDefinitions: readonly KindDefinition[] = [
  cloudAccountDefinition,
  clusterCloudAccountDefinition,
  ...Object.values(managedDefinitions),
];
