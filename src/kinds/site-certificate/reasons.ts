import type { Hold } from '../../reconcile/plan.ts';
import type { SharedReason } from '../common/reasons.ts';

/** Why a SiteCertificate is not Ready, beyond what all kinds share. Each is documented in docs/reference/conditions.md. */
export const CertificateReason = {
  /** The WebAccelSite named by `siteRef` does not exist in this namespace yet. Do: Create the WebAccelSite in the same namespace, or create this resource again with the right `siteRef`. */
  SiteNotFound: 'SiteNotFound',
  /** The WebAccelSite has not found its site yet; or the account has no site with the ID `siteID`. Do: Look at the WebAccelSite: `kubectl describe wsite`; or correct `siteID`. */
  SiteNotReady: 'SiteNotReady',
  /** The WebAccelSite is in another account than this resource. Do: Delete this resource, and create it again with the `accountRef` of the WebAccelSite. */
  AccountMismatch: 'AccountMismatch',
  /** Another SiteCertificate manages the site's certificate, or the site is that of a WebAccelSite in another namespace. Do: Delete one of the two, and the other takes over; or make it in the namespace of the WebAccelSite. */
  AlreadyManaged: 'AlreadyManaged',
  /** The Secret named by `secretRef` does not exist yet. Do: Create the Secret, or correct `secretRef`; cert-manager creates it once it has issued the certificate. */
  SecretNotFound: 'SecretNotFound',
  /** The Secret's type is neither kubernetes.io/tls nor Opaque. Do: Use a Secret of the type kubernetes.io/tls. */
  SecretTypeWrong: 'SecretTypeWrong',
  /** tls.crt or tls.key is missing from the Secret, or empty. Do: Put both into the Secret, as `kubectl create secret tls` does. */
  SecretKeyMissing: 'SecretKeyMissing',
  /** tls.crt holds something that is not a certificate. Do: Write PEM certificates into tls.crt, the site’s own first. */
  CertificateUnreadable: 'CertificateUnreadable',
  /** tls.key is not an unencrypted RSA or ECDSA key. Do: Use an RSA or ECDSA key without a passphrase: `privateKey.algorithm` of a cert-manager Certificate. */
  KeyUnreadable: 'KeyUnreadable',
  /** tls.key is not the key of the certificate. Do: Put the certificate and the key that belong together into the Secret. */
  KeyMismatch: 'KeyMismatch',
  /** A certificate of the chain was not issued by the one after it. Do: Write the site’s own certificate first into tls.crt, each followed by its issuer. */
  ChainOutOfOrder: 'ChainOutOfOrder',
  /** The certificate is not for the site's domain. Do: Put a certificate into the Secret that has the site’s domain among its names. */
  DomainNotCovered: 'DomainNotCovered',
  /** The certificate on the site works, but should have been renewed by now: a fifth of its lifetime is left, or two weeks. Do: Find out why it is not renewed (`kubectl describe certificate`), or put a new one into the Secret. */
  ExpiresSoon: 'ExpiresSoon',
  /** The certificate has expired. Do: Renew the certificate in the Secret. */
  Expired: 'Expired',
  /** The certificate is not valid yet. Do: Nothing: it is put on the site when it becomes valid. */
  NotYetValid: 'NotYetValid',
  /** cert-manager’s temporary certificate (`cert-manager.io/issue-temporary-certificate`), which no browser trusts. Do: Nothing: the real one follows. */
  TemporaryCertificate: 'TemporaryCertificate',
  /** The site has a newer certificate that lasts at least as long, and `allowRollback` is not set. Do: Renew the certificate in the Secret, or set `allowRollback: true`. */
  OlderThanCurrent: 'OlderThanCurrent',
} as const;
export type CertificateReason = (typeof CertificateReason)[keyof typeof CertificateReason];

/** Why a SiteCertificate is not simply Ready. */
export type CertificateHold = Hold<CertificateReason | SharedReason>;
