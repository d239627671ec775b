import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { SiteView } from '../../../../src/shadow/service/types.ts';
import type { Incarnation, Version } from '../intent.ts';
import { at, listAt, same, sorted, textAt } from '../json.ts';
import type { Scene } from '../scene.ts';
import type { FieldReading } from './sim.ts';

const requestProtocols = ['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS'];

/** A WebAccelSite's fields, as docs/reference/fields.md and docs/web-acceleration.md describe them. */
export const siteReadings: readonly FieldReading<SiteView>[] = [
  {
    field: 'displayName',
    applied: ['displayName'],
    part: ({ settings }) => settings.Name,
    holds: (_, __, { spec }, { settings }) => settings.Name === spec['displayName'],
    isUnset: ({ settings, domain }) => settings.Name === domain,
  },
  {
    field: 'requestProtocol',
    applied: ['requestProtocol'],
    part: ({ settings }) => settings.RequestProtocol,
    holds: (_, __, { spec }, { settings }) => requestProtocols[settings.RequestProtocol] === spec['requestProtocol'],
    isUnset: ({ settings }) => settings.RequestProtocol === 0,
  },
  {
    field: 'origin',
    applied: [
      'originHost',
      'hostHeader',
      'originProtocol',
      'bucket',
      'endpoint',
      'region',
      'originCredentials',
      'documentIndex',
    ],
    part: ({ settings, accessKeyID, secretAccessKeyDigest }) => ({
      type: settings.OriginType,
      protocol: settings.OriginProtocol,
      host: settings.Origin,
      header: settings.HostHeader,
      bucket: settings.BucketName,
      endpoint: settings.S3Endpoint,
      region: settings.S3Region,
      index: settings.DocIndex,
      accessKeyID,
      secretAccessKeyDigest,
    }),
    holds: isOrigin,
    // The origin stays; what is in it goes back to its default.
    isUnset: (view, before) => same(siteReadings[2]?.part(view), siteReadings[2]?.part(before)),
  },
  {
    field: 'defaultCacheTTL',
    applied: ['defaultCacheTTL'],
    part: ({ settings }) => settings.DefaultCacheTTL,
    holds: (_, __, { spec }, { settings }) => settings.DefaultCacheTTL === spec['defaultCacheTTL'],
    isUnset: ({ settings }) => settings.DefaultCacheTTL === 0,
  },
  {
    field: 'vary',
    applied: ['vary'],
    part: ({ settings }) => settings.VarySupport,
    holds: (_, __, { spec }, { settings }) => (settings.VarySupport === 1) === spec['vary'],
    isUnset: ({ settings }) => settings.VarySupport === 0,
  },
  {
    field: 'normalizeAcceptEncoding',
    applied: ['normalizeAcceptEncoding'],
    part: ({ settings }) => settings.NormalizeAE ?? 1,
    holds: (_, __, { spec }, { settings }) =>
      (settings.NormalizeAE ?? 1) === (spec['normalizeAcceptEncoding'] === 'Gzip' ? 1 : 3),
    isUnset: ({ settings }) => (settings.NormalizeAE ?? 1) === 1,
  },
  {
    field: 'cors',
    applied: ['cors'],
    part: ({ settings }) => settings.CORSRules,
    holds: (_, __, { spec }, { settings }) => same(settings.CORSRules.map(ordered), corsRules(spec).map(ordered)),
    isUnset: ({ settings }) => settings.CORSRules.length === 0,
  },
  {
    field: 'oneTimeURLSecretRef',
    applied: ['oneTimeURLSecret'],
    part: ({ oneTimeURLSecrets }) => oneTimeURLSecrets,
    holds(scene, incarnation, { spec }, { id, oneTimeURLSecrets }, since) {
      const [name, key] = [textAt(spec, 'oneTimeURLSecretRef', 'name'), textAt(spec, 'oneTimeURLSecretRef', 'key')];
      const values = scene.intent.secretValues(incarnation.namespace, name ?? '', key ?? '', since);
      const isThere = oneTimeURLSecrets !== null || isNeverTold(scene, incarnation, since);
      return (
        (oneTimeURLSecrets?.length === 1 && values.includes(oneTimeURLSecrets[0])) ||
        (isThere && scene.atService.wasGivenByHand(id, 'oneTimeURLSecrets', oneTimeURLSecrets))
      );
    },
    isUnset: ({ oneTimeURLSecrets }) => oneTimeURLSecrets === null,
  },
  {
    field: 'accessControl',
    applied: ['accessControl'],
    part: ({ acl }) => acl,
    holds: (_, __, { spec }, { acl }) => acl === listAt(spec, 'accessControl').join('\n'),
    isUnset: ({ acl }) => acl === '',
  },
];

function corsRules(spec: Version['spec']): unknown[] {
  if (at(spec, 'cors', 'allowAnyOrigin') === true) return [{ AllowsAnyOrigin: true }];
  const origins = listAt(spec, 'cors', 'allowedOrigins');
  return origins.length > 0 ? [{ AllowedOrigins: origins }] : [];
}

/** The order of origins means nothing. */
function ordered(rule: unknown): unknown {
  return { any: at(rule, 'AllowsAnyOrigin') ?? false, origins: sorted(listAt(rule, 'AllowedOrigins')) };
}

function isOrigin(scene: Scene, { namespace }: Incarnation, { spec }: Version, view: SiteView, since: number): boolean {
  const { settings } = view;
  const server = at(spec, 'origin', 'webServer');
  if (server !== undefined) {
    return (
      settings.OriginType === 0 &&
      settings.Origin === textAt(server, 'host') &&
      (at(server, 'hostHeader') === undefined || settings.HostHeader === textAt(server, 'hostHeader')) &&
      (at(server, 'protocol') === undefined || settings.OriginProtocol === textAt(server, 'protocol')?.toLowerCase())
    );
  }
  const storage = at(spec, 'origin', 'objectStorage');
  const secretName = textAt(storage, 'credentialsSecretRef', 'name') ?? '';
  const digests = (key: string) =>
    scene.intent.secretValues(namespace, secretName, key, since).map((value) => value && digestOf(value));
  return (
    settings.OriginType === 1 &&
    settings.OriginProtocol === 'https' &&
    settings.BucketName === textAt(storage, 'bucket') &&
    settings.S3Endpoint === textAt(storage, 'endpoint') &&
    settings.S3Region === textAt(storage, 'region') &&
    (at(storage, 'documentIndex') === undefined || (settings.DocIndex === 1) === at(storage, 'documentIndex')) &&
    // Who sets keys by hand can't be told from who leaves them: they are never shown.
    (digests('accessKeyID').includes(view.accessKeyID) ||
      scene.atService.wasGivenByHand(view.id, 'accessKeyID', view.accessKeyID)) &&
    (digests('secretAccessKey').includes(view.secretAccessKeyDigest) ||
      scene.atService.wasGivenByHand(view.id, 'secretAccessKeyDigest', view.secretAccessKeyDigest))
  );
}

/** The Documented dialect does not even show whether there is a one-time secret. */
function isNeverTold(scene: Scene, incarnation: Incarnation, since: number): boolean {
  return scene
    .accountObjects(incarnation, since)
    .some((account) => scene.intent.versionsOf(account, since).some(({ spec }) => spec['dialect'] !== 'Extended'));
}

/** As the simulated service keeps secrets. */
export function digestOf(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 12)}`;
}

/** Whether a WebAccelSite or a SiteCertificate means this site by its domain or its ID. */
export function meansSite({ spec }: Version, site: SiteView): boolean {
  const domain = textAt(spec, 'domain')?.toLowerCase();
  if (domain === undefined) return textAt(spec, 'siteID') === site.id;
  return domain === site.domain || domainToASCII(domain) === site.asciiDomain || domain === site.subdomain;
}
