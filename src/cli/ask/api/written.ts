import type { ManagedObjects } from '../../../kinds/index.ts';
import type { WebAccelSite } from '../../../kinds/web-accel-site/schema.ts';
import type { ManagedKindName } from '../../../reconcile/kind-names.ts';

/** The fields of a spec that an operation writes; `all`: what it does to the whole. */
type Fields<Spec> = readonly (keyof Spec & string)[] | 'all';

/** What an operation writes of the resources that look after what it is about. A kind that is not named is not touched. */
export type Written = { readonly [K in ManagedKindName]?: Fields<ManagedObjects[K]['spec']> };

const gateway = '/appliance/:id';
const site = '/site/:id';
const certificate: Written = { SiteCertificate: ['secretRef'] };
const registration: Written = { Sim: ['gatewayRef', 'ipAddress'] };
const monitoring: Written = { MobileGateway: ['trafficMonitoring'] };
const network: Written = { MobileGateway: ['privateInterface'] };
const power: Written = { MobileGateway: 'all' };
const settings: Written = {
  MobileGateway: ['displayName', 'internetConnection', 'interDeviceCommunication', 'privateInterface', 'staticRoutes'],
};

/** Which field of a spec a setting is (`api.md`, Site settings accepted by PUT /site/<site_id>); of an origin several are one. */
export const siteSettings: Readonly<Record<string, keyof WebAccelSite['spec']>> = {
  Name: 'displayName',
  RequestProtocol: 'requestProtocol',
  DefaultCacheTTL: 'defaultCacheTTL',
  VarySupport: 'vary',
  NormalizeAE: 'normalizeAcceptEncoding',
  CORSRules: 'cors',
  OnetimeURLSecrets: 'oneTimeURLSecretRef',
};

/**
 * What each operation that writes does to the fields of specs (`api.md`, Endpoints, and what Extended has beside), by its
 * normal form with `:id` for each ID. A test compares the operations with those of the client.
 */
export const writtenBy: Readonly<Record<string, Written>> = {
  'POST /commonserviceitem': { Sim: 'all' },
  'PUT /commonserviceitem/:id': { Sim: ['displayName'] },
  'DELETE /commonserviceitem/:id': { Sim: 'all' },
  'PUT /commonserviceitem/:id/sim/activate': { Sim: ['activated'] },
  'PUT /commonserviceitem/:id/sim/deactivate': { Sim: ['activated'] },
  'PUT /commonserviceitem/:id/sim/reconnect': {},
  'PUT /commonserviceitem/:id/sim/network_operator_config': { Sim: ['carriers'] },
  'PUT /commonserviceitem/:id/sim/ip': { Sim: ['ipAddress'] },
  'DELETE /commonserviceitem/:id/sim/ip': { Sim: ['ipAddress'] },
  'PUT /commonserviceitem/:id/sim/imeilock': { Sim: ['imeiLock'] },
  'DELETE /commonserviceitem/:id/sim/imeilock': { Sim: ['imeiLock'] },
  'POST /appliance': { MobileGateway: 'all' },
  [`PUT ${gateway}`]: settings,
  [`DELETE ${gateway}`]: { MobileGateway: 'all' },
  [`PUT ${gateway}/config`]: {},
  [`PUT ${gateway}/mobilegateway/dnsresolver`]: { MobileGateway: ['dns'] },
  [`PUT ${gateway}/mobilegateway/simroutes`]: { MobileGateway: ['simRoutes'] },
  [`PUT ${gateway}/mobilegateway/traffic_monitoring`]: monitoring,
  [`DELETE ${gateway}/mobilegateway/traffic_monitoring`]: monitoring,
  [`POST ${gateway}/mobilegateway/sims`]: registration,
  [`DELETE ${gateway}/mobilegateway/sims/:id`]: registration,
  [`PUT ${gateway}/power`]: power,
  [`DELETE ${gateway}/power`]: power,
  [`PUT ${gateway}/reset`]: {},
  [`PUT ${gateway}/interface/1/to/switch/:id`]: network,
  [`DELETE ${gateway}/interface/1/to/switch`]: network,
  'PUT /server/:id/to/plan/:id': {},
  'PUT /server/:id/power': {},
  'DELETE /server/:id/power': {},
  'PUT /server/:id/reset': {},
  'PUT /server/:id/keyboard': {},
  'POST /site': { WebAccelSite: 'all' },
  [`DELETE ${site}`]: { WebAccelSite: 'all', SiteCertificate: 'all' },
  [`PUT ${site}`]: { WebAccelSite: [...Object.values(siteSettings), 'origin'] },
  [`PUT ${site}/status`]: {},
  [`PUT ${site}/acl`]: { WebAccelSite: ['accessControl'] },
  [`DELETE ${site}/acl`]: { WebAccelSite: ['accessControl'] },
  [`POST ${site}/certificate`]: certificate,
  [`PUT ${site}/certificate`]: certificate,
  [`DELETE ${site}/certificate`]: certificate,
  [`POST ${site}/auto-cert-update`]: certificate,
  [`DELETE ${site}/auto-cert-update`]: certificate,
  [`POST ${site}/origin-guard-token`]: {},
  [`DELETE ${site}/origin-guard-token`]: {},
  [`POST ${site}/origin-guard-token/next`]: {},
  [`DELETE ${site}/origin-guard-token/next`]: {},
  [`PUT ${site}/log-upload-config`]: {},
  [`DELETE ${site}/log-upload-config`]: {},
  'POST /deletecache': {},
  'POST /deleteallcache': {},
};
