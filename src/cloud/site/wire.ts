import * as z from 'zod';
import { listed, pageShape } from '../wire/common.ts';
import { datetime, flag, id, list, maybe, moment, number, present, text } from '../wire/scalars.ts';

const siteShape = {
  ID: id,
  Name: text,
  DomainType: text,
  Domain: text,
  ASCIIDomain: text,
  Subdomain: text,
  Origin: text,
  HostHeader: text,
  Status: text,
  CreatedAt: datetime,
  HasCertificate: flag,
  HasOldCertificate: flag,
  GibSentInLastWeek: number,
  CertValidNotBefore: moment,
  CertValidNotAfter: moment,
};

/** An element of the site list (`api.md`, Web acceleration site). */
const siteWire = z.looseObject(siteShape);
export type SiteWire = z.infer<typeof siteWire>;

/** `OnetimeURLSecrets`: only whether there is one, so that no value travels further. */
const secretsSet = z.transform(isSecretSet);

function isSecretSet(value: unknown): boolean {
  const secrets: unknown[] = Array.isArray(value) ? value : [value];
  return secrets.some((secret) => typeof secret === 'string' && secret !== '');
}

/** The same; undefined where the answer has no such member: then it says nothing of it. */
const secretsShown = z.transform((value: unknown) => (value === undefined ? undefined : isSecretSet(value)));

/** `Site`, the detail. The guard tokens and the one-time URL secrets are not kept. */
const siteDetailWire = z.object({
  ...siteShape,
  OriginProtocol: text,
  RequestProtocol: number,
  OriginType: number,
  BucketName: text,
  S3Endpoint: text,
  S3Region: text,
  DocIndex: flag,
  VarySupport: flag,
  NormalizeAE: number,
  CORSRules: list(z.looseObject({ AllowsAnyOrigin: flag, AllowedOrigins: list(id) })),
  OnetimeURLSecrets: secretsShown,
  OriginGuardToken: secretsSet,
  NextOriginGuardToken: secretsSet,
  DefaultCacheTTL: number,
  CertType: text,
  CertOpStatus: text,
});
export type SiteDetailWire = z.infer<typeof siteDetailWire>;

export const siteListWire = z.looseObject({ ...pageShape, CountLimit: number, Sites: listed(siteWire) });
export const siteAnswerWire = z.looseObject({ Site: siteDetailWire });
export const aclWire = z.looseObject({ ACL: present(text, 'the rules') });
export const monthlyUsageWire = z.looseObject({
  Year: number,
  Month: number,
  MonthlyUsages: listed(
    z.looseObject({
      SiteID: id,
      Domain: text,
      ASCIIDomain: text,
      Subdomain: text,
      AccessCount: number,
      BytesSent: number,
      CacheMissBytesSent: number,
      CacheHitRatio: number,
      BytesCacheHitRatio: number,
      Price: number,
    }),
  ),
});
export const guardTokenWire = z.looseObject({ OriginGuardToken: text, NextOriginGuardToken: text });
export const logUploadWire = z.looseObject({
  SiteLogUploadConfig: maybe(z.object({ Bucket: text, Endpoint: text, Region: text, Status: text })),
});
