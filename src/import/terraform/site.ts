import { type SiteSpec, siteSpec } from '../../kinds/web-accel-site/schema.ts';
import { SecretValue } from '../../reconcile/secret-value.ts';
import type { Attributes } from './attributes.ts';
import { type Context, common, type Findings, findingsOf, noteUnknown, noteUnmanaged, noteUnseen } from './context.ts';
import { fitted } from './fit.ts';
import type { Converted, SecretManifest } from './result.ts';
import type { Source } from './source.ts';

const REQUEST_PROTOCOLS: Readonly<Record<string, NonNullable<SiteSpec['requestProtocol']>>> = {
  'http+https': 'HTTPAndHTTPS',
  https: 'HTTPSOnly',
  'https-redirect': 'RedirectToHTTPS',
};

/** The resources of Terraform that are one site of the service: itself, or its access control list alone, or both. */
export interface SiteSources {
  readonly id: string;
  readonly site: Source | undefined;
  readonly acl: Source | undefined;
}

/** A WebAccelSite from `sakuracloud_webaccel` and `sakuracloud_webaccel_acl`. Pure. */
export function siteOf({ id, site, acl }: SiteSources, name: string, context: Context): Converted {
  const first = site ?? acl;
  if (!first) return { secrets: [], findings: [] };
  const notes = findingsOf(first);
  const secrets: SecretManifest[] = [];
  const spec: SiteSpec = {
    ...common(context, first),
    siteID: id,
    ...(site && settingsOf(site, name, context, notes, secrets)),
    ...(acl && accessControlOf(acl)),
  };
  const aclNotes = acl && findingsOf(acl);
  if (acl && aclNotes) noteUnknown(acl.attributes, aclNotes);
  const fit = fitted(siteSpec, spec, ['siteID'], first);
  if (!fit.spec) return { secrets: [], findings: fit.findings };
  const { origin, oneTimeURLSecretRef } = fit.spec;
  const named = [origin?.objectStorage?.credentialsSecretRef.name, oneTimeURLSecretRef?.name];
  return {
    manifest: {
      kind: 'WebAccelSite',
      name,
      spec: fit.spec,
      from: [...(site ? [withDomain(site)] : []), ...(acl ? [acl.address] : [])],
    },
    secrets: secrets.filter((secret) => named.includes(secret.name)),
    findings: [...notes.findings, ...(aclNotes?.findings ?? []), ...fit.findings],
  };
}

/** A site ID tells a reader nothing. */
function withDomain({ address, attributes }: Source): string {
  const domain = attributes.text('domain') ?? attributes.text('subdomain');
  return domain === undefined ? address : `${address}, ${domain}`;
}

function settingsOf(
  { attributes }: Source,
  name: string,
  context: Context,
  notes: Findings,
  secrets: SecretManifest[],
): Partial<SiteSpec> {
  const displayName = attributes.text('name');
  const protocol = attributes.text('request_protocol');
  const requestProtocol = protocol === undefined ? undefined : REQUEST_PROTOCOLS[protocol];
  const defaultCacheTTL = attributes.number('default_cache_ttl');
  const encoding = attributes.text('normalize_ae');
  attributes.pass('domain', 'domain_type', 'subdomain', 'cname_record_value', 'txt_record_value');
  const settings: Partial<SiteSpec> = {
    ...(displayName !== undefined && { displayName }),
    ...(requestProtocol && { requestProtocol }),
    ...originOf(attributes, name, context, notes, secrets),
    // The provider never sends 0, nor reads what it did not send.
    ...(defaultCacheTTL !== undefined && defaultCacheTTL !== 0 && { defaultCacheTTL }),
    ...(attributes.flag('vary_support') && { vary: true }),
    ...(encoding === 'br+gzip' && { normalizeAcceptEncoding: 'BrotliAndGzip' as const }),
    ...corsOf(attributes, notes),
    ...oneTimeSecretOf(attributes, name, context, notes, secrets),
  };
  noteUnmanaged(attributes, notes, ['logging']);
  noteUnknown(attributes, notes);
  return settings;
}

function originOf(
  attributes: Attributes,
  name: string,
  { options }: Context,
  notes: Findings,
  secrets: SecretManifest[],
): Pick<SiteSpec, 'origin'> {
  const [block] = attributes.blocks('origin_parameters');
  const type = block?.text('type');
  if (!block || type === undefined) return {};
  if (type === 'web') {
    const host = block.text('origin');
    const hostHeader = block.text('host_header');
    const protocol = block.text('protocol');
    // Those of the other type are there, and empty.
    block.pass('s3_doc_index');
    if (host === undefined) return {};
    return {
      origin: {
        webServer: {
          host,
          ...(hostHeader !== undefined && { hostHeader }),
          ...(protocol !== undefined && { protocol: protocol === 'https' ? 'HTTPS' : 'HTTP' }),
        },
      },
    };
  }
  if (type !== 'bucket') {
    notes.add(
      'origin_parameters',
      'it is a type of origin that no release of the provider up to 2.36.1 has',
      'Nothing: the origin stays at the service as it is.',
    );
    return {};
  }
  const bucket = block.text('s3_bucket_name') ?? '';
  const endpoint = block.text('s3_endpoint') ?? '';
  const region = block.text('s3_region') ?? '';
  const documentIndex = block.flag('s3_doc_index') ?? false;
  const accessKeyID = block.text('s3_access_key_id');
  const secretAccessKey = block.text('s3_secret_access_key');
  if (!options.sendUnseen) {
    noteUnseen(
      notes,
      'origin_parameters',
      'the keys of the bucket, without which there is no such origin in a manifest',
    );
    return {};
  }
  if (accessKeyID === undefined || secretAccessKey === undefined) {
    notes.add(
      'origin_parameters',
      'the state does not have both keys of the bucket',
      'Write origin into the manifest, with a Secret that has them; until then it stays as it is.',
    );
    return {};
  }
  const secretName = `${name}-bucket`;
  secrets.push({
    name: secretName,
    type: 'Opaque',
    values: { accessKeyID: new SecretValue(accessKeyID), secretAccessKey: new SecretValue(secretAccessKey) },
  });
  return {
    origin: {
      objectStorage: {
        bucket,
        endpoint,
        region,
        credentialsSecretRef: { name: secretName },
        ...(documentIndex && { documentIndex }),
      },
    },
  };
}

/** Releases before 2.36 wrote a rule that allows nobody where CORS is off. */
function corsOf(attributes: Attributes, notes: Findings): Pick<SiteSpec, 'cors'> {
  const [block, another] = attributes.blocks('cors_rules');
  if (!block) return {};
  const any = block.flag('allow_all') ?? false;
  const allowedOrigins = block.texts('allowed_origins');
  if (another || (any && allowedOrigins.length > 0)) {
    notes.add(
      'cors_rules',
      'it is more than one rule, and a site has one',
      'Write cors into the manifest; until then it stays as it is.',
    );
    return {};
  }
  if (any) return { cors: { allowAnyOrigin: true } };
  return allowedOrigins.length > 0 ? { cors: { allowedOrigins: [...allowedOrigins] } } : {};
}

function oneTimeSecretOf(
  attributes: Attributes,
  name: string,
  { options }: Context,
  notes: Findings,
  secrets: SecretManifest[],
): Pick<SiteSpec, 'oneTimeURLSecretRef'> {
  const [secret, another] = attributes.texts('onetime_url_secrets');
  if (secret === undefined) return {};
  if (another !== undefined) {
    notes.add(
      'onetime_url_secrets',
      'the site has several, and Edgeline knows one',
      'Nothing: they stay at the service as they are.',
    );
    return {};
  }
  if (!options.sendUnseen) {
    noteUnseen(notes, 'onetime_url_secrets', 'the secret');
    return {};
  }
  const ref = { name: `${name}-one-time-url`, key: 'secret' };
  secrets.push({ name: ref.name, type: 'Opaque', values: { [ref.key]: new SecretValue(secret) } });
  return { oneTimeURLSecretRef: ref };
}

function accessControlOf({ attributes }: Source): Pick<SiteSpec, 'accessControl'> {
  attributes.pass('site_id');
  const rules = (attributes.text('acl') ?? '')
    .split('\n')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '');
  return rules.length > 0 ? { accessControl: rules } : {};
}

/** `sakuracloud_webaccel_activation`: whether a site serves is nothing Edgeline sets. */
export function activationOf(source: Source, site: string | undefined): Converted {
  const { attributes } = source;
  const notes = findingsOf(source);
  const enabled = attributes.flag('enabled') ?? false;
  attributes.pass('site_id');
  notes.add(
    'enabled',
    'Edgeline does not switch sites on and off',
    site === undefined
      ? 'Nothing: the site stays as it is. Its WebAccelSite would tell in Ready whether it serves.'
      : `Nothing: the site stays ${enabled ? 'on' : 'off'}, and Ready of WebAccelSite ${site} tells whether it serves. Remove this address from the state, too: destroying it switches the site off.`,
  );
  noteUnknown(attributes, notes);
  return { secrets: [], findings: notes.findings };
}
