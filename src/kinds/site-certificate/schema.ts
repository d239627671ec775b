import * as z from 'zod';
import { exactlyOneOf, immutableOnceSet, validations } from '../../kubernetes/cel.ts';
import { type KindDefinition, resourceOf } from '../../kubernetes/crd.ts';
import type { ManagedObject, ManagedStatus } from '../../reconcile/managed-object.ts';
import { managedColumns } from '../common/columns.ts';
import { isID } from '../common/rules.ts';
import {
  accountRules,
  commonSpec,
  commonStatus,
  edgelineAPI,
  INTENDED,
  orphanOnly,
  secretRef,
} from '../common/schema.ts';

/** The spec of a SiteCertificate. */
export const certificateSpec = z
  .object({
    accountRef: commonSpec.accountRef,
    managementPolicy: commonSpec.managementPolicy,
    deletionPolicy: orphanOnly(
      'The certificate always stays on the site: Orphan states this, and omitting it means the same.',
    ),
    siteRef: z
      .object({ name: z.string().min(1).max(253).describe('Name of the WebAccelSite, in the same namespace.') })
      .optional()
      .describe('The site to put the certificate on. It need not be Ready. Cannot be changed.'),
    siteID: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('The site to put the certificate on, by its ID at the service. Cannot be changed.')
      .meta(validations(isID('siteID'))),
    secretRef: secretRef.describe(
      'Secret of the type kubernetes.io/tls (or Opaque) in the same namespace, as cert-manager writes it: tls.crt with the certificate followed by its issuers, tls.key with its key. The certificate is put on the site as soon as the Secret changes.',
    ),
    allowRollback: z
      .boolean()
      .optional()
      .describe(
        'Whether a certificate may replace one that became valid later and lasts at least as long. Without it, this is refused.',
      ),
    allowTemporary: z
      .boolean()
      .optional()
      .describe(
        'Whether the temporary certificate that cert-manager issues until the real one is ready may be put on the site. Without it, it waits.',
      ),
  })
  .describe('Which certificate goes on which site.')
  .meta(
    validations(
      ...accountRules,
      exactlyOneOf(
        ['siteRef', 'siteID'],
        'exactly one of siteRef and siteID must be given, to say which site is meant',
      ),
      immutableOnceSet('siteRef', 'siteRef cannot be changed: create another SiteCertificate for another site'),
      immutableOnceSet('siteID', 'siteID cannot be changed: create another SiteCertificate for another site'),
    ),
  );

const generation = z.object({
  id: z.string().max(64).optional().describe('ID at the service.'),
  serialNumber: z.string().max(128).optional().describe('Serial number.'),
  sha256Fingerprint: z.string().max(128).describe('SHA-256 of the certificate, hexadecimal.'),
  chainSHA256: z
    .string()
    .max(128)
    .optional()
    .describe('SHA-256 of the certificate and those after it in the chain, hexadecimal.'),
  notBefore: z.string().max(64).optional().describe('When it becomes valid.'),
  notAfter: z.string().max(64).optional().describe('When it expires.'),
  issuer: z.string().max(1024).optional().describe('Who issued it.'),
  subject: z.string().max(1024).optional().describe('To whom it was issued.'),
  dnsNames: z
    .array(z.string().max(253))
    .max(256)
    .optional()
    .describe('The domains it is valid for.')
    .meta({ 'x-kubernetes-list-type': 'atomic' }),
});
export type Generation = z.infer<typeof generation>;

/** What a SiteCertificate last wrote. */
export const certificateApplied = z
  .object({
    certificate: z.string().max(128).optional().describe('SHA-256 of the certificate last put on the site.'),
    chain: z.string().max(128).optional().describe('SHA-256 of the chain last put on the site.'),
  })
  .describe('What this resource last wrote at the service.');

/** The status of a SiteCertificate. */
export const certificateStatus = z
  .object({
    ...commonStatus,
    applied: certificateApplied.optional(),
    intended: certificateApplied.optional().describe(INTENDED),
    lastUploadAt: z.string().max(64).optional().describe('When this resource last put a certificate on the site.'),
    siteID: z.string().max(64).optional().describe('ID of the site.'),
    site: z.string().max(1024).optional().describe('Domain of the site.'),
    current: generation.optional().describe('The certificate on the site.'),
    previous: generation.optional().describe('The previous certificate, which the service keeps.'),
  })
  .describe('What was observed.');

export type CertificateSpec = z.infer<typeof certificateSpec>;
export type CertificateApplied = z.infer<typeof certificateApplied>;
type CertificateStatusFields = z.infer<typeof certificateStatus>;
/** The status fields that the operator keeps for itself. */
export const certificateMarks = ['lastUploadAt'] as const;
export type CertificateMark = (typeof certificateMarks)[number];

/** A SiteCertificate as the apiserver stores it. */
export interface SiteCertificate extends ManagedObject {
  spec: CertificateSpec;
  status?: ManagedStatus<CertificateStatusFields>;
}

export const certificateDefinition: KindDefinition = {
  kind: 'SiteCertificate',
  plural: 'sitecertificates',
  singular: 'sitecertificate',
  shortNames: ['scert'],
  scope: 'Namespaced',
  ...edgelineAPI,
  description: 'The certificate of a site of the web acceleration service, from a Secret.',
  spec: certificateSpec,
  status: certificateStatus,
  selectable: ['.spec.siteRef.name', '.spec.secretRef.name', '.status.site', '.status.siteID'],
  columns: [
    { name: 'Site', type: 'string', jsonPath: '.status.site', description: 'Domain of the site' },
    {
      name: 'Not-After',
      type: 'string',
      jsonPath: '.status.current.notAfter',
      description: 'When the certificate on the site expires',
    },
    {
      name: 'Fingerprint',
      type: 'string',
      jsonPath: '.status.current.sha256Fingerprint',
      description: 'SHA-256 of the certificate on the site',
      // Twice as wide as all others together.
      priority: 1,
    },
    ...managedColumns('Whether the certificate of the Secret is on the site'),
  ],
};

export const certificateResource = resourceOf(certificateDefinition);
