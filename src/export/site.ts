import { fitted } from '../import/terraform/fit.ts';
import type { Converted } from '../import/terraform/result.ts';
import { type CertificateSpec, certificateSpec } from '../kinds/site-certificate/schema.ts';
import { accessControlError } from '../kinds/web-accel-site/access-control.ts';
import { toSettings } from '../kinds/web-accel-site/observe.ts';
import { type SiteSpec, siteSpec } from '../kinds/web-accel-site/schema.ts';
import { type ObservedSettings, requestProtocol } from '../kinds/web-accel-site/status-schema.ts';
import { addressOf, type Context, common, displayNameOf, type Findings, findingsOf, unnamed } from './context.ts';
import type { SeenSite } from './picture.ts';

/** The domain tells a reader more than the ID. */
export function siteAddress({ site }: Pick<SeenSite, 'site'>): string {
  return addressOf('site', { id: site.id, name: site.domain || site.asciiDomain || site.subdomain || site.name });
}

/** A WebAccelSite that is as the site is; of one whose settings were not read, only what the list shows. Pure. */
export function siteOf(seen: SeenSite, name: string, context: Context): Converted {
  const { site, detail, accessControl } = seen;
  const address = siteAddress(seen);
  const notes = findingsOf(address);
  const spec: SiteSpec = {
    ...common(context.options),
    siteID: site.id,
    ...displayNameOf(site.name, notes),
    ...(detail && settingsOf(toSettings(detail, context.options.dialect), notes)),
    ...(accessControl && accessControlOf(accessControl, notes)),
  };
  if (detail?.hasOriginGuardToken) notes.add('originGuardToken', 'Edgeline does not manage it');
  const fit = fitted(siteSpec, spec, ['siteID'], { address }, unnamed);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  return {
    manifest: {
      kind: 'WebAccelSite',
      name,
      spec: fit.spec,
      from: [detail ? address : `${address}; its settings were not looked at`],
    },
    secrets: [],
    findings: [...notes.findings, ...fit.findings],
  };
}

/** What has its default value is left out. */
function settingsOf(settings: ObservedSettings, notes: Findings): Partial<SiteSpec> {
  const { cors, hasOneTimeURLSecret } = settings;
  if (hasOneTimeURLSecret) {
    notes.add(
      'oneTimeURLSecretRef',
      'the service does not show the secret: the operator would send what the manifest says once, which is a write',
      'Nothing, if it may stay as it is; else write oneTimeURLSecretRef into the manifest, and make its Secret.',
    );
  }
  return {
    ...protocolOf(settings, notes),
    ...originOf(settings, notes),
    ...(settings.defaultCacheTTL !== undefined &&
      settings.defaultCacheTTL !== 0 && { defaultCacheTTL: settings.defaultCacheTTL }),
    ...(settings.vary && { vary: true }),
    ...(settings.normalizeAcceptEncoding === 'BrotliAndGzip' && { normalizeAcceptEncoding: 'BrotliAndGzip' as const }),
    ...(cors && Object.keys(cors).length > 0 && { cors }),
  };
}

function protocolOf({ requestProtocol: observed }: ObservedSettings, { add }: Findings): Partial<SiteSpec> {
  if (observed === undefined || observed === 'HTTPAndHTTPS') return {};
  const known = requestProtocol.safeParse(observed);
  if (known.success) return { requestProtocol: known.data };
  add('requestProtocol', 'it is one that this version of Edgeline does not know');
  return {};
}

function originOf(
  { originType, webServer, objectStorage }: ObservedSettings,
  { add }: Findings,
): Pick<SiteSpec, 'origin'> {
  if (objectStorage) {
    add(
      'origin',
      'the service does not show the keys of the bucket, without which there is no such origin in a manifest',
      'Nothing, if it may stay as it is; else write origin.objectStorage into the manifest, and make its Secret: the operator sends it once.',
    );
    return {};
  }
  if (!webServer) {
    add('origin', `${originType ?? 'its type'} is a type of origin that this version of Edgeline does not know`);
    return {};
  }
  const { host, hostHeader, protocol } = webServer;
  if (!host) return {};
  return {
    origin: {
      webServer: {
        host,
        ...(hostHeader && { hostHeader }),
        ...(protocol === 'HTTPS' && { protocol }),
      },
    },
  };
}

function accessControlOf(rules: readonly string[], { add }: Findings): Pick<SiteSpec, 'accessControl'> {
  if (rules.length === 0) return {};
  if (accessControlError(rules) === undefined) return { accessControl: [...rules] };
  add('accessControl', 'it has a rule that Edgeline does not accept');
  return {};
}

/** A SiteCertificate for the certificate that is on a site; its Secret is for a person to make. Pure. */
export function certificateOf(seen: SeenSite, name: string, { options, sites }: Context): Converted {
  const { site } = seen;
  const address = `certificate of ${siteAddress(seen)}`;
  const siteName = sites.get(site.id);
  const secretName = `${name}-tls`;
  const spec: CertificateSpec = {
    ...common(options),
    ...(siteName === undefined ? { siteID: site.id } : { siteRef: { name: siteName } }),
    secretRef: { name: secretName },
  };
  const fit = fitted(certificateSpec, spec, ['siteID', 'siteRef', 'secretRef'], { address }, unnamed);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  return {
    manifest: { kind: 'SiteCertificate', name, spec: fit.spec, from: [address] },
    secrets: [],
    findings: [
      {
        address,
        why: 'the service does not give out its key',
        advice: `Make the Secret ${secretName} of the type kubernetes.io/tls with tls.crt and tls.key, or have cert-manager make it (docs/cert-manager.md); until then the SiteCertificate waits, and the certificate on the site stays.`,
      },
    ],
  };
}

/** What is said of the certificate of a site that is exported without it. Pure. */
export function certificateLeft(seen: SeenSite): Converted['findings'] {
  if (!seen.site.hasCertificate) return [];
  return [
    {
      address: siteAddress(seen),
      attribute: 'certificate',
      why: 'the service does not give out its key',
      advice:
        'Nothing, if it stays as it is; to have it renewed, name certificate among what is exported, and make the Secrets that are listed then (docs/cert-manager.md).',
    },
  ];
}
