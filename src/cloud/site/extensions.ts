import type { Caller } from '../http/caller.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import { defined } from '../list/page.ts';
import { reader } from '../wire/read.ts';
import { fromSettings, toSiteDetail } from './mapping.ts';
import type { LogUpload, SiteDetail, SiteSettings } from './types.ts';
import { guardTokenWire, logUploadWire, siteAnswerWire } from './wire.ts';

/** Operations of the Extended dialect; in the other each throws NotInDialectError without a request. */
export interface SiteExtensions {
  create(
    site: SiteSettings & { readonly domainType: 'own_domain' | 'subdomain'; readonly domain?: string | undefined },
    o: CallOptions,
  ): Promise<SiteDetail>;
  delete(id: string, o: CallOptions): Promise<void>;
  setStatus(id: string, status: 'enabled' | 'disabled', o: CallOptions): Promise<void>;
  /** The current generation becomes empty, the previous is kept. */
  deleteCertificate(id: string, o: CallOptions): Promise<void>;
  enableCertificateAutoUpdate(id: string, o: CallOptions): Promise<void>;
  disableCertificateAutoUpdate(id: string, o: CallOptions): Promise<void>;
  /** Answers the token, a secret; `next` makes the one that is to follow. */
  createOriginGuardToken(
    id: string,
    q: { next?: boolean | undefined },
    o: CallOptions,
  ): Promise<{ token?: string; nextToken?: string }>;
  deleteOriginGuardToken(id: string, q: { next?: boolean | undefined }, o: CallOptions): Promise<void>;
  /** Undefined when unset. */
  logUpload(id: string, o: CallOptions): Promise<LogUpload | undefined>;
  setLogUpload(
    id: string,
    upload: LogUpload & { readonly accessKeyID: string; readonly secretAccessKey: string },
    o: CallOptions,
  ): Promise<void>;
  deleteLogUpload(id: string, o: CallOptions): Promise<void>;
  /** Drops everything cached of one domain. */
  deleteAllCache(domain: string, o: CallOptions): Promise<void>;
  /** Drops what is cached for the URLs. */
  deleteCache(urls: readonly string[], o: CallOptions): Promise<void>;
}

const siteAnswer = reader(siteAnswerWire, (wire) => toSiteDetail(wire.Site));
const tokenAnswer = reader(guardTokenWire, (wire) =>
  defined({ token: wire.OriginGuardToken, nextToken: wire.NextOriginGuardToken }),
);
const logUploadAnswer = reader(logUploadWire, ({ SiteLogUploadConfig: config }) =>
  config?.Bucket === undefined
    ? undefined
    : defined({ bucket: config.Bucket, endpoint: config.Endpoint, region: config.Region, status: config.Status }),
);

export function createSiteExtensions(caller: Caller): SiteExtensions {
  const item = '/site/:id';
  const on = (route: string, id: string) => ({ api: 'webaccel', route, params: { id }, extension: true }) as const;

  return {
    create({ domainType, domain, ...settings }, o) {
      const site = {
        DomainType: domainType,
        ...defined({ Domain: domain }),
        ...fromSettings(settings, caller.dialect),
      };
      const secrets = [settings.oneTimeURLSecret, settings.accessKeyID, settings.secretAccessKey];
      const call = { api: 'webaccel', route: 'POST /site', body: { Site: site }, secrets, extension: true } as const;
      return caller.read(call, siteAnswer, o);
    },
    delete: (id, o) => caller.perform(on(`DELETE ${item}`, id), o),
    setStatus: (id, status, o) =>
      caller.perform({ ...on(`PUT ${item}/status`, id), body: { Site: { Status: status } } }, o),
    // Not repeated: it moves generations, as an upload does.
    deleteCertificate: (id, o) => caller.perform({ ...on(`DELETE ${item}/certificate`, id), idempotent: false }, o),
    enableCertificateAutoUpdate: (id, o) => caller.perform(on(`POST ${item}/auto-cert-update`, id), o),
    disableCertificateAutoUpdate: (id, o) => caller.perform(on(`DELETE ${item}/auto-cert-update`, id), o),
    createOriginGuardToken(id, { next }, o) {
      const route = next ? `POST ${item}/origin-guard-token/next` : `POST ${item}/origin-guard-token`;
      return caller.read(on(route, id), tokenAnswer, o);
    },
    deleteOriginGuardToken(id, { next }, o) {
      const route = next ? `DELETE ${item}/origin-guard-token/next` : `DELETE ${item}/origin-guard-token`;
      return caller.perform(on(route, id), o);
    },
    logUpload: (id, o) => caller.read(on(`GET ${item}/log-upload-config`, id), logUploadAnswer, o),
    setLogUpload(id, { bucket, endpoint, region, status, accessKeyID, secretAccessKey }, o) {
      const config = {
        ...defined({ Bucket: bucket, Endpoint: endpoint, Region: region, Status: status }),
        AccessKeyID: accessKeyID,
        SecretAccessKey: secretAccessKey,
      };
      const secrets = [accessKeyID, secretAccessKey];
      return caller.perform(
        { ...on(`PUT ${item}/log-upload-config`, id), body: { SiteLogUploadConfig: config }, secrets },
        o,
      );
    },
    deleteLogUpload: (id, o) => caller.perform(on(`DELETE ${item}/log-upload-config`, id), o),
    deleteAllCache(domain, o) {
      const body = { Site: { Domain: domain } };
      return caller.perform({ api: 'webaccel', route: 'POST /deleteallcache', body, extension: true }, o);
    },
    deleteCache(urls, o) {
      return caller.perform({ api: 'webaccel', route: 'POST /deletecache', body: { URL: urls }, extension: true }, o);
    },
  };
}
