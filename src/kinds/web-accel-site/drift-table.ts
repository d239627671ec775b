import type { Site } from '../../cloud/site/types.ts';
import type { ObservedField } from '../../reconcile/managed-object.ts';
import type { DriftTable, FieldOf, SpecField } from '../common/drift-table.ts';
import { agrees } from './observe.ts';
import type { WebAccelSite } from './schema.ts';
import type { ObservedSettings } from './status-schema.ts';

type Status = NonNullable<WebAccelSite['status']>;
/** Some of the settings are in the list, so each is for itself. */
type Told = Exclude<ObservedField<WebAccelSite>, 'settings'> | `settings.${FieldOf<ObservedSettings>}`;

const list = (isTold: (status: Status, site: Site) => boolean) => ({ from: 'list', isTold }) as const;
/** Until settings were read, nothing depends on them. */
const listedSetting = list(({ settings }, site) => settings === undefined || agrees(site, settings));
const details = { from: 'details' } as const;
const identity = { from: 'identity' } as const;

/** How drift of each field of a WebAccelSite is noticed. */
export const siteDrift: DriftTable<WebAccelSite, Site, SpecField<WebAccelSite>, Told> = {
  seen: (site) => site,
  spec: {
    domain: { in: 'spec', instead: 'A site keeps its domain: it is what the site is found by.' },
    siteID: { in: 'spec', instead: 'What the site is found by.' },
    displayName: { in: 'settings.displayName' },
    requestProtocol: { in: 'settings.requestProtocol' },
    'origin.webServer.host': { in: 'settings.webServer.host' },
    'origin.webServer.hostHeader': { in: 'settings.webServer.hostHeader' },
    'origin.webServer.protocol': { in: 'settings.webServer.protocol' },
    'origin.objectStorage.bucket': { in: 'settings.objectStorage.bucket' },
    'origin.objectStorage.endpoint': { in: 'settings.objectStorage.endpoint' },
    'origin.objectStorage.region': { in: 'settings.objectStorage.region' },
    'origin.objectStorage.credentialsSecretRef': {
      in: 'nothing',
      instead:
        'The service never shows it: it is assumed to be what was last sent, and sent again when the Secret changes.',
    },
    'origin.objectStorage.documentIndex': { in: 'settings.objectStorage.documentIndex' },
    defaultCacheTTL: { in: 'settings.defaultCacheTTL' },
    vary: { in: 'settings.vary' },
    normalizeAcceptEncoding: { in: 'settings.normalizeAcceptEncoding' },
    'cors.allowAnyOrigin': { in: 'settings.cors.allowAnyOrigin' },
    'cors.allowedOrigins': { in: 'settings.cors.allowedOrigins' },
    oneTimeURLSecretRef: {
      in: 'settings.hasOneTimeURLSecret',
      only: 'Extended',
      instead:
        'Extended shows whether there is one, and corrects that. No dialect shows its value: it is assumed to be what was last sent, and sent again when the Secret changes.',
    },
    accessControl: { in: 'accessControl' },
  },
  status: {
    createdAt: identity,
    siteID: identity,
    domain: identity,
    asciiDomain: identity,
    subdomain: identity,
    domainType: identity,
    status: list(({ status }, site) => (status ?? '') === site.status),
    certificate: list(
      ({ certificate }, site) =>
        isAt(certificate?.notBefore, site.certificateNotBefore) &&
        isAt(certificate?.notAfter, site.certificateNotAfter),
    ),
    accessControl: details,
    'settings.displayName': listedSetting,
    'settings.requestProtocol': details,
    'settings.originType': details,
    'settings.webServer.host': listedSetting,
    'settings.webServer.hostHeader': listedSetting,
    'settings.webServer.protocol': details,
    'settings.objectStorage.bucket': details,
    'settings.objectStorage.endpoint': details,
    'settings.objectStorage.region': details,
    'settings.objectStorage.documentIndex': details,
    'settings.defaultCacheTTL': details,
    'settings.vary': details,
    'settings.normalizeAcceptEncoding': details,
    'settings.cors.allowAnyOrigin': details,
    'settings.cors.allowedOrigins': details,
    'settings.hasOneTimeURLSecret': details,
  },
};

/** Dates are kept in whole seconds. */
function isAt(time: string | undefined, milliseconds: number | undefined): boolean {
  const at = time === undefined ? undefined : Math.floor(Date.parse(time) / 1000);
  return at === (milliseconds === undefined ? undefined : Math.floor(milliseconds / 1000));
}
