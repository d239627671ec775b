import { badRequest } from '../api-error.ts';
import type { Site, SiteSettings } from '../model.ts';
import { secretDigest } from '../redact.ts';
import type { SiteChange } from './schema.ts';

const webServer = 0;
const objectStorage = 1;
const neededByType = {
  [webServer]: ['Origin'],
  [objectStorage]: ['BucketName', 'S3Endpoint', 'S3Region', 'AccessKeyID', 'SecretAccessKey'],
} as const satisfies Record<number, readonly (keyof SiteChange)[]>;
const onlyByType = {
  [webServer]: ['Origin', 'HostHeader'],
  [objectStorage]: ['BucketName', 'S3Endpoint', 'S3Region', 'AccessKeyID', 'SecretAccessKey', 'DocIndex'],
} as const satisfies Record<number, readonly (keyof SiteChange)[]>;

export const newSiteSettings: SiteSettings = {
  Name: '',
  RequestProtocol: 0,
  OriginType: webServer,
  OriginProtocol: 'http',
  DefaultCacheTTL: 0,
  VarySupport: 0,
  NormalizeAE: null,
  CORSRules: [],
  Origin: '',
  HostHeader: '',
  BucketName: '',
  S3Endpoint: '',
  S3Region: '',
  DocIndex: 0,
};

/** Applies a change to a site, all of it or, with a 400, nothing (`api.md`, Site settings accepted by PUT). */
export function applySettings(site: Site, change: SiteChange, creating = false): void {
  const type = change.OriginType ?? site.settings.OriginType;
  const [known, other] =
    type === objectStorage ? ([objectStorage, webServer] as const) : ([webServer, objectStorage] as const);
  for (const member of onlyByType[other]) {
    if (change[member] !== undefined)
      throw badRequest(`Site.${member}: it belongs to OriginType ${other}, this is ${known}`);
  }
  if (creating || type !== site.settings.OriginType) {
    for (const member of neededByType[known]) {
      if (change[member] === undefined) throw badRequest(`Site.${member}: OriginType ${known} needs it, write it too`);
    }
  }
  const protocol = change.OriginProtocol ?? site.settings.OriginProtocol;
  if (type === objectStorage && protocol !== 'https') {
    throw badRequest('Site.OriginProtocol: write https, which object storage needs');
  }
  const { OnetimeURLSecrets, AccessKeyID, SecretAccessKey, ...plain } = change;
  const given = Object.fromEntries(
    Object.entries(plain).filter(([name, value]) => name in newSiteSettings && value !== null),
  );
  if (type !== site.settings.OriginType) clearOther(site, other);
  Object.assign(site.settings, given);
  if (OnetimeURLSecrets !== undefined) {
    site.oneTimeURLSecrets = OnetimeURLSecrets === null || OnetimeURLSecrets.length === 0 ? null : OnetimeURLSecrets;
  }
  if (AccessKeyID !== undefined) site.accessKeyID = secretDigest(AccessKeyID);
  if (SecretAccessKey !== undefined) site.secretAccessKeyDigest = secretDigest(SecretAccessKey);
}

function clearOther(site: Site, other: typeof webServer | typeof objectStorage): void {
  for (const member of onlyByType[other]) {
    if (member === 'AccessKeyID') site.accessKeyID = '';
    else if (member === 'SecretAccessKey') site.secretAccessKeyDigest = '';
    else if (member === 'DocIndex') site.settings.DocIndex = 0;
    else site.settings[member] = '';
  }
}
