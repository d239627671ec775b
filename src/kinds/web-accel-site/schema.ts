import * as z from 'zod';
import { exactlyOneOf, immutableOnceSet, listSet, validations } from '../../kubernetes/cel.ts';
import { type KindDefinition, resourceOf } from '../../kubernetes/crd.ts';
import type { ManagedObject, ManagedStatus } from '../../reconcile/managed-object.ts';
import { managedColumns } from '../common/columns.ts';
import { formerSiteStatus } from '../common/former.ts';
import { isHost, isID, isName, isURLPort } from '../common/rules.ts';
import { accountRules, commonSpec, edgelineAPI, orphanOnly, secretKeyRef, secretRef } from '../common/schema.ts';
import { normalizeAcceptEncoding, requestProtocol, siteStatus } from './status-schema.ts';

const webServer = z
  .object({
    host: z
      .string()
      .min(1)
      .max(253)
      .describe('Host name or address of the origin server.')
      .meta(validations(...isHost('host', 'origin.example.jp'))),
    hostHeader: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe('Host header sent to the origin. Once set, removing it leaves the choice to the service.')
      .meta(validations(...isHost('hostHeader', 'www.example.jp'))),
    protocol: z
      .enum(['HTTP', 'HTTPS'])
      .optional()
      .describe('How the origin is reached. Once set, removing it goes back to HTTP.'),
  })
  .describe('A web server as origin.');

const objectStorage = z
  .object({
    bucket: z
      .string()
      .min(1)
      .max(255)
      .describe('Name of the bucket.')
      .meta(
        validations({
          rule: "self.matches('^[^/:\\\\s]+$')",
          message: 'bucket must be the name of the bucket alone, such as www-example, without s3://, path and spaces',
        }),
      ),
    endpoint: z
      .string()
      .min(1)
      .max(253)
      .describe('Host name of the S3 endpoint.')
      .meta(validations(...isHost('endpoint', 's3.example.jp'))),
    region: z
      .string()
      .min(1)
      .max(64)
      .describe('Region of the bucket.')
      .meta(
        validations({
          rule: "self.matches('^[^/:\\\\s]+$')",
          message: 'region must be the name of a region, such as jp-north-1, without spaces',
        }),
      ),
    credentialsSecretRef: secretRef.describe(
      'Secret with the keys accessKeyID and secretAccessKey, in the same namespace. Sent again when it changes.',
    ),
    documentIndex: z
      .boolean()
      .optional()
      .describe('Whether a directory shows its index document. Once set, removing it switches it off.'),
  })
  .describe('An object storage bucket as origin. It is always reached by HTTPS.');

/** The spec of a WebAccelSite. */
export const siteSpec = z
  .object({
    accountRef: commonSpec.accountRef,
    managementPolicy: commonSpec.managementPolicy,
    deletionPolicy: orphanOnly('Sites are never deleted: Orphan states this, and omitting it means the same.'),
    domain: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe(
        'The site to take over, by its domain (non-ASCII or in its ASCII form) or its service-assigned subdomain. Cannot be changed.',
      )
      .meta(
        validations({
          rule: "self.matches('^[^/:@?#\\\\s]+$')",
          message: 'domain must be a host name, such as www.example.jp, without https://, port and path',
        }),
      ),
    siteID: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The site to take over, by its ID at the service. Cannot be changed.')
      .meta(validations(isID('siteID'))),
    displayName: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Name of the site. Once set, removing it names the site after its domain.')
      .meta(validations(...isName('displayName'))),
    requestProtocol: requestProtocol
      .optional()
      .describe('What visitors may use. Once set, removing it goes back to HTTPAndHTTPS.'),
    origin: z
      .object({ webServer: webServer.optional(), objectStorage: objectStorage.optional() })
      .optional()
      .describe('Where the content comes from. Removing it leaves the origin as it is: a site is never without one.')
      .meta(
        validations(
          exactlyOneOf(
            ['webServer', 'objectStorage'],
            'origin must have exactly one of webServer and objectStorage: a site has one origin',
          ),
        ),
      ),
    defaultCacheTTL: z
      .int()
      .min(-2147483648)
      .max(2147483647)
      .optional()
      .describe(
        'Seconds for which a response without caching headers is cached: 0 to 604800, or -1 for not at all. Once set, removing it goes back to 0.',
      )
      .meta(
        validations({
          rule: 'self >= -1 && self <= 604800',
          message: 'defaultCacheTTL must be 0 to 604800 seconds (a week), or -1 to cache nothing by default',
        }),
      ),
    vary: z
      .boolean()
      .optional()
      .describe('Whether the Vary header is honoured. Once set, removing it switches it off.'),
    normalizeAcceptEncoding: normalizeAcceptEncoding
      .optional()
      .describe('What Accept-Encoding is reduced to. Once set, removing it goes back to Gzip.'),
    cors: z
      .object({
        allowAnyOrigin: z.boolean().optional().describe('Any origin may read responses.'),
        allowedOrigins: z
          .array(
            z
              .string()
              .min(1)
              .max(262)
              .meta(
                validations(
                  {
                    rule: "self == '*' || self.matches('^https?://[^/@?#\\\\s]+$')",
                    message: 'an allowed origin is scheme and host, such as https://www.example.jp, without path',
                  },
                  { rule: "self != '*'", message: 'any origin is allowed by allowAnyOrigin: true, not by "*"' },
                  isURLPort('an allowed origin'),
                ),
              ),
          )
          .max(4)
          .optional()
          .describe('The origins that may read responses; at most 4.')
          .meta(listSet()),
      })
      // A server-side apply that takes the last member out of an object leaves null behind.
      .nullable()
      .optional()
      .describe('Cross-origin requests. {} switches CORS off, and so does removing it once set.')
      .meta(
        validations({
          rule: '!(has(self.allowAnyOrigin) && self.allowAnyOrigin && has(self.allowedOrigins) && self.allowedOrigins.size() > 0)',
          message: 'cors allows either any origin or those listed: remove allowAnyOrigin or allowedOrigins',
        }),
      ),
    oneTimeURLSecretRef: secretKeyRef
      .optional()
      .describe(
        'The secret for creating one-time URLs; sent again when it changes. Once set, removing it takes the secret away.',
      ),
    accessControl: z
      .array(z.string().min(1).max(64))
      .max(512)
      .optional()
      .describe(
        'Rules in order, each `deny` or `allow`, a space, and an address, a network, or `all` (in the last rule only). [] removes the list, and so does removing it once set.',
      )
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
  })
  .describe('What the site should be like. The site exists already: it is neither created nor deleted.')
  .meta(
    validations(
      ...accountRules,
      exactlyOneOf(['domain', 'siteID'], 'exactly one of domain and siteID must be given, to say which site is meant'),
      immutableOnceSet('domain', 'domain cannot be changed: create another WebAccelSite for another site'),
      immutableOnceSet('siteID', 'siteID cannot be changed: create another WebAccelSite for another site'),
    ),
  );

export type SiteSpec = z.infer<typeof siteSpec>;
type SiteStatusFields = z.infer<typeof siteStatus>;

/** A WebAccelSite as the apiserver stores it. */
export interface WebAccelSite extends ManagedObject {
  spec: SiteSpec;
  status?: ManagedStatus<SiteStatusFields>;
}

export const siteDefinition: KindDefinition = {
  kind: 'WebAccelSite',
  plural: 'webaccelsites',
  singular: 'webaccelsite',
  shortNames: ['wsite'],
  scope: 'Namespaced',
  ...edgelineAPI,
  description: 'A site of the web acceleration service.',
  spec: siteSpec,
  status: siteStatus,
  formerStatus: formerSiteStatus,
  selectable: ['.spec.domain', '.status.id', '.status.domain', '.status.status'],
  columns: [
    { name: 'Domain', type: 'string', jsonPath: '.status.domain', description: 'Domain of the site' },
    { name: 'Status', type: 'string', jsonPath: '.status.status', description: 'Whether the service serves it' },
    {
      name: 'Cert-Expires',
      type: 'string',
      jsonPath: '.status.certificate.notAfter',
      description: 'When the certificate on the site expires',
    },
    ...managedColumns('Whether the site is there and enabled'),
  ],
};

export const siteResource = resourceOf(siteDefinition);
