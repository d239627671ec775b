import { cloudAccountDefinition, clusterCloudAccountDefinition } from '../../src/kinds/cloud-account/schema.ts';
import { gatewayDefinition } from '../../src/kinds/mobile-gateway/schema.ts';
import { simDefinition } from '../../src/kinds/sim/schema.ts';
import { certificateDefinition } from '../../src/kinds/site-certificate/schema.ts';
import { siteDefinition } from '../../src/kinds/web-accel-site/schema.ts';
import type { KindDefinition } from '../../src/kubernetes/crd.ts';

/** All kinds. */
export const allDefinitions: readonly KindDefinition[] = [
  cloudAccountDefinition,
  clusterCloudAccountDefinition,
  simDefinition,
  gatewayDefinition,
  siteDefinition,
  certificateDefinition,
];
