import { mobileGatewayRoutes } from './gateway/mobile-operations.ts';
import { gatewayRoutes } from './gateway/operations.ts';
import { createRouter, type Router } from './router.ts';
import { serverRoutes } from './server/operations.ts';
import { simRoutes } from './sim/operations.ts';
import { certificateRoutes } from './web-acceleration/certificate-operations.ts';
import { extensionRoutes } from './web-acceleration/extension-operations.ts';
import { siteRoutes } from './web-acceleration/site-operations.ts';
import { usageRoutes } from './web-acceleration/usage.ts';

/** Every operation of the service. `passCodes` gives the right pass code of an ICCID, where one is known. */
export function createOperations(passCodes: () => ReadonlyMap<string, string>): Router {
  return createRouter({
    cloud: [simRoutes(passCodes), gatewayRoutes, mobileGatewayRoutes, serverRoutes],
    webaccel: [siteRoutes, certificateRoutes, usageRoutes, extensionRoutes],
  });
}
