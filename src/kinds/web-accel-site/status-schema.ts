import * as z from 'zod';
import { atMostOneOf, listSet, validations } from '../../kubernetes/cel.ts';
import { commonStatus, INTENDED } from '../common/schema.ts';

export const requestProtocol = z.enum(['HTTPAndHTTPS', 'HTTPSOnly', 'RedirectToHTTPS']);
export const normalizeAcceptEncoding = z.enum(['Gzip', 'BrotliAndGzip']);

/** What a WebAccelSite last wrote, by field. */
export const siteApplied = z
  .object({
    displayName: z.string().max(64).optional().describe('Name.'),
    requestProtocol: requestProtocol.optional().describe('What visitors may use.'),
    originHost: z.string().max(253).optional().describe('Web server.'),
    hostHeader: z.string().max(253).optional().describe('Host header.'),
    originProtocol: z.enum(['HTTP', 'HTTPS']).optional().describe('How the web server is reached.'),
    bucket: z.string().max(255).optional().describe('Bucket.'),
    endpoint: z.string().max(253).optional().describe('S3 endpoint.'),
    region: z.string().max(64).optional().describe('Region of the bucket.'),
    originCredentials: z.string().max(64).optional().describe('Keyed digest of the S3 credentials.'),
    documentIndex: z.boolean().optional().describe('Index documents.'),
    defaultCacheTTL: z.int().optional().describe('Seconds.'),
    vary: z.boolean().optional().describe('Vary.'),
    normalizeAcceptEncoding: normalizeAcceptEncoding.optional().describe('Accept-Encoding.'),
    cors: z
      .object({
        allowAnyOrigin: z.boolean().optional().describe('Any origin.'),
        allowedOrigins: z.array(z.string().max(262)).max(4).optional().describe('These.').meta(listSet()),
      })
      .optional()
      .describe('CORS.')
      .meta(validations(atMostOneOf(['allowAnyOrigin', 'allowedOrigins']))),
    oneTimeURLSecret: z.string().max(64).optional().describe('Keyed digest of the one-time URL secret.'),
    accessControl: z
      .array(z.string().max(64))
      .max(512)
      .optional()
      .describe('Rules.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
  })
  .describe('What this resource last wrote at the service: a field that leaves the spec is unset only if it is here.');

const atomicTexts = (size: number, count: number) =>
  z.array(z.string().max(size)).max(count).meta({ 'x-kubernetes-list-type': 'atomic' });

/** The settings as observed, in the words of the spec; unknown values as the service gives them. */
export const observedSettings = z
  .object({
    displayName: z.string().max(1024).optional().describe('Name.'),
    requestProtocol: z.string().max(64).optional().describe('What visitors may use.'),
    originType: z.string().max(64).optional().describe('WebServer, ObjectStorage, or as the service names it.'),
    webServer: z
      .object({
        host: z.string().max(1024).optional().describe('Host.'),
        hostHeader: z.string().max(1024).optional().describe('Host header.'),
        protocol: z.string().max(64).optional().describe('HTTP or HTTPS.'),
      })
      .optional()
      .describe('The web server.'),
    objectStorage: z
      .object({
        bucket: z.string().max(1024).optional().describe('Bucket.'),
        endpoint: z.string().max(1024).optional().describe('Endpoint.'),
        region: z.string().max(1024).optional().describe('Region.'),
        documentIndex: z.boolean().optional().describe('Index documents.'),
      })
      .optional()
      .describe('The bucket.'),
    defaultCacheTTL: z.int().optional().describe('Seconds.'),
    vary: z.boolean().optional().describe('Vary.'),
    normalizeAcceptEncoding: z.string().max(64).optional().describe('Accept-Encoding.'),
    cors: z
      .object({
        allowAnyOrigin: z.boolean().optional().describe('Any origin.'),
        allowedOrigins: atomicTexts(1024, 64).optional().describe('These.'),
      })
      .optional()
      .describe('CORS; empty: off.'),
    hasOneTimeURLSecret: z.boolean().optional().describe('Whether there is one, where the service shows it.'),
  })
  .describe('The settings, as last observed.');
export type ObservedSettings = z.infer<typeof observedSettings>;

/** The status of a WebAccelSite. */
export const siteStatus = z
  .object({
    ...commonStatus,
    applied: siteApplied.optional(),
    intended: siteApplied.optional().describe(INTENDED),
    siteID: z.string().max(64).optional().describe('ID of the site.'),
    domain: z.string().max(1024).optional().describe('Domain.'),
    asciiDomain: z.string().max(1024).optional().describe('ASCII form of the domain.'),
    subdomain: z.string().max(1024).optional().describe('Host name the service gave the site.'),
    domainType: z.string().max(64).optional().describe('own_domain, subdomain, or as the service names it.'),
    status: z.string().max(64).optional().describe('enabled, disabled, or as the service names it.'),
    settings: observedSettings.optional(),
    accessControl: atomicTexts(256, 4096).optional().describe('Access control list, as last observed.'),
    certificate: z
      .object({
        notBefore: z.string().max(64).optional().describe('When it becomes valid.'),
        notAfter: z.string().max(64).optional().describe('When it expires.'),
      })
      .optional()
      .describe('The certificate on the site.'),
  })
  .describe('What was observed.');

export type SiteApplied = z.infer<typeof siteApplied>;
