import type { MobileGateway } from '../../kinds/mobile-gateway/schema.ts';
import type { GatewayApplied } from '../../kinds/mobile-gateway/status-schema.ts';
import type { Sim, SimApplied } from '../../kinds/sim/schema.ts';
import type { CertificateApplied, SiteCertificate } from '../../kinds/site-certificate/schema.ts';
import type { WebAccelSite } from '../../kinds/web-accel-site/schema.ts';
import type { SiteApplied } from '../../kinds/web-accel-site/status-schema.ts';
import { parseJson } from '../../kubernetes/json.ts';
import { limitStops } from '../data-limit.ts';
import type { KindName } from '../kinds.ts';
import { conditionsOf, type Reported } from '../standing.ts';
import {
  type Asked,
  type AskedFields,
  compareFields,
  type FieldComparison,
  inOrder,
  type References,
} from './compare.ts';

const NO_SECRET = 'no Secret is read here: whether it was written since the Secret changed, Synced says';

const value = (asked: unknown): Asked => (asked === undefined || asked === null ? undefined : { value: asked });

/** The list of the spec, in the order of what was written, where the order means nothing: only real differences show. */
function list<T>(asked: readonly T[] | undefined, key: (item: T) => string): Asked {
  return asked && { value: inOrder(asked, key) };
}

const sim: AskedFields<Sim['spec'], SimApplied> = {
  displayName: ({ displayName }) => value(displayName),
  activated: ({ activated }) => value(activated),
  gateway: ({ gatewayRef }, { gatewayID }, { gateway }) => {
    if (!gatewayRef) return undefined;
    if (gatewayID === undefined)
      return { shown: gatewayRef.name, why: `the ID of MobileGateway ${gatewayRef.name} is not known here` };
    return { value: gateway?.id === gatewayID ? gateway : { id: gatewayID } };
  },
  ipAddress: ({ ipAddress }) => value(ipAddress),
  imeiLock: ({ imeiLock }) => value(imeiLock),
  carriers: ({ carriers }) => list(carriers, ({ name }) => name),
  // Nothing is written for it while the SIM is within its limit.
  dataLimit: ({ dataLimit }, _references, { dataLimit: applied }) =>
    dataLimit?.action === 'Deactivate' && applied !== undefined ? { value: applied, as: dataLimit } : undefined,
};

const gateway: AskedFields<MobileGateway['spec'], GatewayApplied> = {
  internetConnection: ({ internetConnection }) => value(internetConnection),
  interDeviceCommunication: ({ interDeviceCommunication }) => value(interDeviceCommunication),
  privateInterface: ({ privateInterface }) => value(privateInterface),
  staticRoutes: ({ staticRoutes }) => list(staticRoutes, ({ prefix }) => prefix),
  dns: ({ dns }) => value(dns),
  simRoutes: ({ simRoutes }, { simIDs }) => {
    if (!simRoutes) return undefined;
    const routes = simRoutes.map(({ prefix, simRef }) => ({ prefix, resourceID: simIDs?.get(simRef.name), simRef }));
    if (routes.some(({ resourceID }) => resourceID === undefined)) {
      const shown = routes.map(({ prefix, simRef }) => `${prefix} via ${simRef.name}`).join(', ');
      return { shown, why: 'the IDs of its Sims are not all known here' };
    }
    return list(
      routes.map(({ prefix, resourceID }) => ({ prefix, resourceID })),
      ({ prefix }) => prefix,
    );
  },
  trafficMonitoring: ({ trafficMonitoring: spec }, _references, { trafficMonitoring: applied }) => {
    if (!spec) return undefined;
    const chat = spec.chatWebhookSecretRef !== undefined;
    return {
      value: {
        quotaMB: spec.quotaMB,
        autoTrafficShaping: spec.autoTrafficShaping ?? false,
        bandwidthLimitKbps: spec.bandwidthLimitKbps,
        email: spec.email ?? false,
        chat,
        // Of the webhook's URL, which is in a Secret: taken as it is.
        chatWebhookDigest: chat ? applied?.chatWebhookDigest : undefined,
      },
    };
  },
};

const site: AskedFields<WebAccelSite['spec'], SiteApplied> = {
  displayName: ({ displayName }) => value(displayName),
  requestProtocol: ({ requestProtocol }) => value(requestProtocol),
  originHost: ({ origin }) => value(origin?.webServer?.host),
  hostHeader: ({ origin }) => value(origin?.webServer?.hostHeader),
  originProtocol: ({ origin }) => value(origin?.webServer?.protocol),
  bucket: ({ origin }) => value(origin?.objectStorage?.bucket),
  endpoint: ({ origin }) => value(origin?.objectStorage?.endpoint),
  region: ({ origin }) => value(origin?.objectStorage?.region),
  originCredentials: ({ origin }) => {
    const reference = origin?.objectStorage?.credentialsSecretRef;
    return reference && { shown: `as in Secret ${reference.name}`, why: NO_SECRET };
  },
  documentIndex: ({ origin }) => value(origin?.objectStorage?.documentIndex),
  defaultCacheTTL: ({ defaultCacheTTL }) => value(defaultCacheTTL),
  vary: ({ vary }) => value(vary),
  normalizeAcceptEncoding: ({ normalizeAcceptEncoding }) => value(normalizeAcceptEncoding),
  cors: ({ cors }) => {
    if (cors === undefined) return undefined;
    if (cors?.allowAnyOrigin) return { value: { allowAnyOrigin: true } };
    const origins = cors?.allowedOrigins ?? [];
    return { value: origins.length === 0 ? {} : { allowedOrigins: origins.toSorted() } };
  },
  oneTimeURLSecret: ({ oneTimeURLSecretRef: reference }) =>
    reference && { shown: `as in Secret ${reference.name}, key ${reference.key}`, why: NO_SECRET },
  accessControl: ({ accessControl }) => value(accessControl),
};

const certificate: AskedFields<SiteCertificate['spec'], CertificateApplied> = {
  certificate: ({ secretRef }) => ({ shown: `as in Secret ${secretRef.name}`, why: NO_SECRET }),
  chain: ({ secretRef }) => ({ shown: `as in Secret ${secretRef.name}`, why: NO_SECRET }),
};

/** Lists of `applied` whose order means nothing, each with what orders it. */
const orders: Readonly<Record<string, string>> = { carriers: 'name', staticRoutes: 'prefix', simRoutes: 'prefix' };

/** What the spec of an object asks beside what was written last; of an account, which writes nothing, none. Pure. */
export function comparisonOf(kind: KindName, object: Reported, references: References): FieldComparison[] {
  const found = object.status?.['found'];
  const options = { references, found: Array.isArray(found) ? found.map(String) : [] };
  const spec = JSON.stringify(object.spec ?? {});
  const applied = JSON.stringify(ordered(object.status?.['applied']));
  // What the apiserver stores is what the schema of the kind says.
  switch (kind) {
    case 'Sim':
      return compareFields(sim, parseJson<Sim['spec']>(spec), parseJson<SimApplied>(applied), options).map((field) => {
        if (field.field === 'activated' && isStopped(object)) return { ...field, difference: 'held' };
        const isWanted = field.difference === 'new' || field.difference === 'changed';
        return field.field === 'displayName' && isWanted && isNameFixed(object)
          ? { ...field, difference: 'unchangeable' }
          : field;
      });
    case 'MobileGateway':
      return compareFields(
        gateway,
        parseJson<MobileGateway['spec']>(spec),
        parseJson<GatewayApplied>(applied),
        options,
      );
    case 'WebAccelSite':
      return compareFields(site, parseJson<WebAccelSite['spec']>(spec), parseJson<SiteApplied>(applied), options);
    case 'SiteCertificate':
      return compareFields(
        certificate,
        parseJson<SiteCertificate['spec']>(spec),
        parseJson<CertificateApplied>(applied),
        options,
      );
    case 'CloudAccount':
    case 'ClusterCloudAccount':
      return [];
  }
}

/** Whether a SIM that its spec wants active is kept inactive by its data limit. */
function isStopped(sim: Reported): boolean {
  return sim.spec?.['activated'] === true && sim.status?.['activated'] === false && limitStops(sim);
}

/** Whether the operator says that it can't give the SIM the name of its spec. */
function isNameFixed(sim: Reported): boolean {
  return conditionsOf(sim).some(({ type, reason }) => type === 'Synced' && reason === 'DisplayNameNotChangeable');
}

/** Fields of a spec that have another name in `applied`: people look for what they wrote. */
const WRITTEN_AS: Readonly<Record<string, string>> = { gateway: 'gatewayRef' };

/** The name of a field as people are shown it. */
export function fieldShown({ field }: Pick<FieldComparison, 'field'>): string {
  return WRITTEN_AS[field] ?? field;
}

function ordered(applied: unknown): object {
  if (typeof applied !== 'object' || applied === null) return {};
  return Object.fromEntries(
    Object.entries(applied).map(([field, written]) => {
      const by = orders[field];
      return [
        field,
        by !== undefined && Array.isArray(written) ? inOrder(written, (item) => String(item?.[by])) : written,
      ];
    }),
  );
}
