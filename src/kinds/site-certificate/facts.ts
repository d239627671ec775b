import type { Checked, SiteNames } from './checks.ts';
import type { CertificateApplied } from './schema.ts';

/** One generation of a site's certificate, as the service has it. */
export interface ObservedCertificate {
  readonly id: string;
  readonly serialNumber?: string | undefined;
  /** Canonical: hexadecimal, lower case. */
  readonly fingerprint: string;
  /** Stands for it and the certificates after it; undefined where that is not known. */
  readonly chain?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly notBefore?: number | undefined;
  readonly notAfter?: number | undefined;
  readonly issuer: string;
  readonly subject: string;
  readonly dnsNames: readonly string[];
}

/** Everything a SiteCertificate's plan and status follow from. Plain data, but for the key, which shows nothing. */
export interface CertificateFacts {
  readonly siteID: string;
  /** When the service made the site, as it says. */
  readonly createdAt?: string | undefined;
  readonly site: SiteNames;
  /** The certificate of the Secret, or why it can't go on the site. */
  readonly checked: Checked;
  readonly current: ObservedCertificate | undefined;
  readonly previous: ObservedCertificate | undefined;
  /** When both were read, or answered; monotonic milliseconds. */
  readonly readAt: number;
  readonly applied: CertificateApplied;
  /** The status says that what an earlier process uploaded may be there: another certificate than was put there last need be nobody else's. */
  readonly mayHaveArrived: boolean;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}
