import { defined, type Each } from '../../cloud/list/page.ts';
import type { Certificate, DistinguishedName } from '../../cloud/site/types.ts';
import { timeFrom, timestamp } from '../../kubernetes/objects.ts';
import { canonicalFingerprint, digestOf, parseChain } from './candidate.ts';
import type { ObservedCertificate } from './facts.ts';
import type { Generation } from './schema.ts';

/** A generation as the service shows it; undefined where it shows none, or none that could be told from another. */
export function observeCertificate(certificate: Certificate | undefined): ObservedCertificate | undefined {
  if (certificate?.sha256Fingerprint === undefined) return undefined;
  return {
    id: certificate.id,
    serialNumber: certificate.serialNumber,
    fingerprint: canonicalFingerprint(certificate.sha256Fingerprint),
    chain: digestOfText(certificate.certificateChain),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    issuer: nameOf(certificate.issuer),
    subject: nameOf(certificate.subject),
    dnsNames: certificate.dnsNames,
  } satisfies Each<ObservedCertificate>;
}

/** A generation in the form of the status. */
export function toGeneration(certificate: ObservedCertificate | undefined): Generation | undefined {
  if (!certificate) return undefined;
  return defined({
    id: certificate.id || undefined,
    serialNumber: certificate.serialNumber,
    sha256Fingerprint: certificate.fingerprint,
    chainSHA256: certificate.chain,
    notBefore: toTime(certificate.notBefore),
    notAfter: toTime(certificate.notAfter),
    issuer: certificate.issuer || undefined,
    subject: certificate.subject || undefined,
    dnsNames: certificate.dnsNames.length > 0 ? [...certificate.dnsNames] : undefined,
  } satisfies Each<Generation>);
}

/** A generation as a status recorded it. */
export function fromGeneration(generation: Generation | undefined): ObservedCertificate | undefined {
  if (!generation) return undefined;
  return {
    id: generation.id ?? '',
    serialNumber: generation.serialNumber,
    fingerprint: canonicalFingerprint(generation.sha256Fingerprint),
    chain: generation.chainSHA256,
    notBefore: timeFrom(generation.notBefore),
    notAfter: timeFrom(generation.notAfter),
    issuer: generation.issuer ?? '',
    subject: generation.subject ?? '',
    dnsNames: generation.dnsNames ?? [],
  } satisfies Each<ObservedCertificate>;
}

function digestOfText(pem: string | undefined): string | undefined {
  const chain = pem === undefined ? [] : parseChain(pem);
  return 'length' in chain && chain.length > 0 ? digestOf(chain) : undefined;
}

function nameOf({ commonName, organizationalUnit, organization, country }: DistinguishedName): string {
  const parts = { CN: commonName, OU: organizationalUnit, O: organization, C: country };
  return Object.entries(parts)
    .flatMap(([key, value]) => (value ? [`${key}=${value}`] : []))
    .join(', ');
}

function toTime(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : timestamp(milliseconds);
}
