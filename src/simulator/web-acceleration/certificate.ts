import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { certificatesIn } from '../../text.ts';
import { badRequest } from '../api-error.ts';
import { cloudDate } from '../dates.ts';
import type { ShownCertificate, Site, StoredCertificate } from '../model.ts';
import { remembering } from '../remember.ts';

const member = 'Certificate.CertificateChain';

/**
 * Checks what is to be served: the chain parses and is in order, the leaf is not self-signed and not expired, and the key
 * (given, or that of the current certificate) is the leaf's. The private key itself is not kept.
 */
export function checkedChain(
  chain: string,
  key: string | undefined,
  current: StoredCertificate | null,
  now: number,
): string {
  const blocks = certificatesIn(chain);
  if (blocks.length === 0) throw badRequest(`${member}: write certificates in PEM`);
  const certificates = blocks.map((pem, index) => parsedCertificate(pem, index));
  const [leaf] = certificates;
  if (!leaf) throw badRequest(`${member}: write certificates in PEM`);
  if (leaf.subject === leaf.issuer && isSignedBy(leaf, leaf)) {
    throw badRequest(`${member}: the certificate is self-signed, which is not accepted`);
  }
  for (const [index, certificate] of certificates.entries()) {
    const issuer = certificates[index + 1];
    if (issuer && !(certificate.checkIssued(issuer) && isSignedBy(certificate, issuer))) {
      throw badRequest(
        `${member}: certificate ${index + 2} did not issue certificate ${index + 1}: write the leaf first`,
      );
    }
  }
  if (leaf.validToDate.getTime() <= now) throw badRequest(`${member}: the certificate expired on ${leaf.validTo}`);
  if (key !== undefined) {
    if (!publicOf(key).equals(leaf.publicKey))
      throw badRequest('Certificate.Key: it is not the key of the certificate');
  } else if (!current || !mayBeOfKey(current, leaf)) {
    throw badRequest('Certificate.Key: the key stored is not that of this certificate: write its key');
  }
  return `${blocks.join('\n')}\n`;
}

function parsedCertificate(pem: string, index: number): X509Certificate {
  const certificate = certificateOf(pem);
  if (certificate) return certificate;
  throw badRequest(`${member}: certificate ${index + 1} cannot be read`);
}

/** Reading one takes longer than all else an operation does, and each answer about a site needs it. */
const certificateOf = remembering((pem) => {
  try {
    const certificate = new X509Certificate(pem);
    // A key of no known kind, or a date that is none, shows when it is looked at only.
    return certificate.publicKey.type === 'public' &&
      certificate.validToDate.getTime() > certificate.validFromDate.getTime()
      ? certificate
      : undefined;
  } catch {
    return undefined;
  }
});

const signatures = new WeakMap<X509Certificate, WeakMap<X509Certificate, boolean>>();

/** Whether the certificate was signed with the issuer's key. */
function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  const known = signatures.get(certificate) ?? new WeakMap<X509Certificate, boolean>();
  signatures.set(certificate, known);
  const signed = known.get(issuer) ?? verifies(certificate, issuer);
  known.set(issuer, signed);
  return signed;
}

/** A signature of another kind throws where it should say no. */
function verifies(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

/** The public half of a private key. The key itself is not kept. */
const publicOf = remembering((key): KeyObject => {
  try {
    return createPublicKey(createPrivateKey(key));
  } catch {
    // The reason could quote the key.
    throw badRequest('Certificate.Key: write an unencrypted private key in PEM');
  }
});

/** Whether the key of the current certificate may be that of another, as far as is known. */
function mayBeOfKey(current: StoredCertificate, leaf: X509Certificate): boolean {
  return current.shown !== undefined || leafOf(current.chain).publicKey.equals(leaf.publicKey);
}

const leafOf = remembering((chain) => new X509Certificate(chain));

/** From and to when the stored certificate is valid, milliseconds since the Unix epoch. */
export function validity(stored: StoredCertificate): { notBefore: number; notAfter: number } {
  return stored.shown ?? validityOf(stored.chain);
}

const validityOf = remembering((chain) => {
  const leaf = leafOf(chain);
  return { notBefore: leaf.validFromDate.getTime(), notAfter: leaf.validToDate.getTime() };
});

/** The certificate of a site and its previous one; `[]` when there is neither (`api.md`, Certificate). */
export function certificateView(site: Site, extended: boolean, type?: 'current' | 'old'): unknown {
  const current = type === 'old' ? null : site.current;
  const previous = type === 'current' ? null : site.previous;
  if (!current && !previous) return [];
  return {
    ...(type !== 'old' && current && { Current: generationView(site, current, extended) }),
    ...(type !== 'current' && { Old: previous ? [generationView(site, previous, extended)] : [] }),
  };
}

function generationView(site: Site, stored: StoredCertificate, extended: boolean): Record<string, unknown> {
  const { notBefore, notAfter } = validity(stored);
  const { serialNumber, ...written } = stored.shown ? contentShown(stored.shown) : contentOf(stored.chain);
  return {
    ID: stored.id,
    SiteID: site.id,
    CertificateChain: stored.chain,
    SerialNumber: serialNumber,
    NotBefore: extended ? notBefore : String(notBefore),
    NotAfter: extended ? notAfter : String(notAfter),
    ...written,
    CreatedAt: cloudDate(stored.createdAt),
    UpdatedAt: cloudDate(stored.updatedAt),
  };
}

/** What an answer says where the chain is not known. */
function contentShown({ serialNumber, issuer, subject, dnsNames, sha256Fingerprint }: ShownCertificate) {
  return {
    serialNumber,
    Issuer: { CommonName: issuer },
    Subject: { CommonName: subject },
    DNSNames: dnsNames,
    SHA256Fingerprint: sha256Fingerprint,
  };
}

/** What an answer says of a chain, whatever site it is of. */
const contentOf = remembering((chain) => {
  const leaf = leafOf(chain);
  const subject = nameParts(leaf.subject);
  const issuer = nameParts(leaf.issuer);
  return {
    serialNumber: leaf.serialNumber.toLowerCase(),
    Issuer: {
      Country: issuer.get('C') ?? '',
      Organization: issuer.get('O') ?? '',
      OrganizationalUnit: issuer.get('OU') ?? '',
      CommonName: issuer.get('CN') ?? '',
    },
    Subject: {
      Country: subject.get('C') ?? '',
      Organization: subject.get('O') ?? '',
      OrganizationalUnit: subject.get('OU') ?? '',
      Locality: subject.get('L') ?? '',
      Province: subject.get('ST') ?? '',
      StreetAddress: subject.get('street') ?? '',
      PostalCode: subject.get('postalCode') ?? '',
      SerialNumber: subject.get('serialNumber') ?? '',
      CommonName: subject.get('CN') ?? '',
    },
    DNSNames: (leaf.subjectAltName ?? '')
      .split(', ')
      .filter((name) => name.startsWith('DNS:'))
      .map((name) => name.slice(4)),
    SHA256Fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
});

/** `CN=…` and its kin, a line each as node writes names. */
function nameParts(name: string | undefined): ReadonlyMap<string, string> {
  return new Map(
    (name ?? '').split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
