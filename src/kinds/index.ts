import type { KindDefinition } from '../kubernetes/crd.ts';
import { cloudAccountDefinition, clusterCloudAccountDefinition } from './cloud-account/schema.ts';
import { gatewayDefinition } from './mobile-gateway/schema.ts';
import { simDefinition } from './sim/schema.ts';
import { certificateDefinition } from './site-certificate/schema.ts';
import { siteDefinition } from './web-accel-site/schema.ts';

/** The table of kinds: what CRDs, documentation and informers are made from. */
export const kindDefinitions: readonly KindDefinition[] = [
  cloudAccountDefinition,
  clusterCloudAccountDefinition,
  simDefinition,
  gatewayDefinition,
  siteDefinition,
  certificateDefinition,
];
