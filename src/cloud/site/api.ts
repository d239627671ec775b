import type { Caller } from '../http/caller.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import { defined, type Page, pageOf } from '../list/page.ts';
import { reader } from '../wire/read.ts';
import { certificatesWire, uploadWire } from './certificate-wire.ts';
import { createSiteExtensions, type SiteExtensions } from './extensions.ts';
import { fromSettings, toCertificates, toMonthlyUsage, toSite, toSiteDetail } from './mapping.ts';
import type { Certificates, MonthlyUsage, Site, SiteDetail, SiteSettings } from './types.ts';
import { aclWire, monthlyUsageWire, siteAnswerWire, siteListWire } from './wire.ts';

/** All sites the service lists at once; there is no paging. */
export interface SiteList extends Page<Site> {
  /** The most the service lists. Where `total` is greater than `count`, sites are missing. */
  readonly countLimit?: number;
}

/** What a certificate upload sends; PEM. */
export interface CertificateUpload {
  readonly certificateChain: string;
  /** A secret. */
  readonly key: string;
}

/** Web acceleration operations (`api.md`, Web acceleration operations). All throw CloudError. */
export interface SiteApi extends SiteExtensions {
  list(o: CallOptions): Promise<SiteList>;
  read(id: string, o: CallOptions): Promise<SiteDetail>;
  /** Sends the members given, and answers the site after the change. */
  update(id: string, settings: SiteSettings, o: CallOptions): Promise<SiteDetail>;
  /** The rules, a line each; empty where there is no list. */
  acl(id: string, o: CallOptions): Promise<string[]>;
  /** Answers the rules as stored. */
  setACL(id: string, rules: readonly string[], o: CallOptions): Promise<string[]>;
  deleteACL(id: string, o: CallOptions): Promise<void>;
  /** Both generations unless one is asked for. */
  certificate(id: string, q: { type?: 'current' | 'old' | undefined }, o: CallOptions): Promise<Certificates>;
  /**
   * Adds a generation; the current one becomes the previous. Never repeated by the client: a second one would
   * destroy the previous generation. Whether the answer shows certificates is up to the service.
   */
  postCertificate(id: string, upload: CertificateUpload, o: CallOptions): Promise<Certificates>;
  /** Updates the current generation; the same care as for `postCertificate`. Without key the stored one is used again. */
  putCertificate(
    id: string,
    upload: { certificateChain: string; key?: string | undefined },
    o: CallOptions,
  ): Promise<Certificates>;
  /** Of all sites; `target` is six digits, year and month; default the current month. */
  monthlyUsage(q: { target?: string | undefined }, o: CallOptions): Promise<MonthlyUsage>;
}

const siteList = reader(siteListWire, (wire) => wire);
const siteAnswer = reader(siteAnswerWire, (wire) => toSiteDetail(wire.Site));
const aclAnswer = reader(aclWire, (wire) => aclLines(wire.ACL));
const certificatesAnswer = reader(certificatesWire, toCertificates);
const uploadAnswer = reader(uploadWire, toCertificates);
const usageAnswer = reader(monthlyUsageWire, toMonthlyUsage);

function aclLines(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function createSiteApi(caller: Caller): SiteApi {
  const item = '/site/:id';
  const on = (route: string, id: string) => ({ api: 'webaccel', route, params: { id } }) as const;

  return {
    ...createSiteExtensions(caller),
    async list(o) {
      const wire = await caller.read({ api: 'webaccel', route: 'GET /site', answers: 'list' }, siteList, o);
      const page = pageOf(wire, 0, wire.Sites.map(toSite));
      return { ...page, ...defined({ countLimit: wire.CountLimit }) };
    },
    read: (id, o) => caller.read(on(`GET ${item}`, id), siteAnswer, o),
    update(id, settings, o) {
      const { oneTimeURLSecret, accessKeyID, secretAccessKey } = settings;
      const body = { Site: fromSettings(settings, caller.dialect) };
      const secrets = [oneTimeURLSecret, accessKeyID, secretAccessKey];
      return caller.read({ ...on(`PUT ${item}`, id), body, secrets }, siteAnswer, o);
    },
    acl: (id, o) => caller.read(on(`GET ${item}/acl`, id), aclAnswer, o),
    setACL: (id, rules, o) =>
      caller.read({ ...on(`PUT ${item}/acl`, id), body: { ACL: rules.join('\n') } }, aclAnswer, o),
    deleteACL: (id, o) => caller.perform(on(`DELETE ${item}/acl`, id), o),
    certificate(id, { type }, o) {
      const query = type === undefined ? {} : { query: `type=${type}` };
      return caller.read({ ...on(`GET ${item}/certificate`, id), ...query }, certificatesAnswer, o);
    },
    postCertificate(id, { certificateChain, key }, o) {
      const body = { Certificate: { CertificateChain: certificateChain, Key: key } };
      return caller.read({ ...on(`POST ${item}/certificate`, id), body, secrets: [key] }, uploadAnswer, o);
    },
    putCertificate(id, { certificateChain, key }, o) {
      const body = { Certificate: defined({ CertificateChain: certificateChain, Key: key }) };
      const call = { ...on(`PUT ${item}/certificate`, id), body, secrets: [key], idempotent: false };
      return caller.read(call, uploadAnswer, o);
    },
    monthlyUsage({ target }, o) {
      const query = target === undefined ? {} : { query: `target=${encodeURIComponent(target)}` };
      return caller.read({ api: 'webaccel', route: 'GET /monthlyusage', ...query, answers: 'list' }, usageAnswer, o);
    },
  };
}
