import type { FieldChange } from '../../reconcile/change.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';

/** Puts a certificate on the site; `from` and `to` are fingerprints. */
export interface CertificateStep {
  readonly do: 'upload';
  readonly fields: readonly ['certificate', 'chain'];
  /** Nothing has to be remembered for it: the site itself shows which certificate it has. */
  readonly pending: readonly string[];
  readonly changes: readonly FieldChange[];
  readonly cause?: 'Creation' | 'Resumed';
  readonly from: string | undefined;
  readonly to: string;
  /** PEM, the site's own certificate first. */
  readonly chain: string;
  readonly key: SecretValue;
  /** Milliseconds since the epoch. */
  readonly notAfter: number;
  /** When what is on the site was read; monotonic milliseconds. */
  readonly readAt: number;
}
