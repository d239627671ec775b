import type { Plan } from '../../reconcile/kind.ts';
import { shortFingerprint } from './candidate.ts';
import type { CertificateFacts } from './facts.ts';
import type { CertificateStep } from './steps.ts';

/** At most one upload: when the certificate of the Secret can go on the site and is not there. */
export function planCertificate(facts: CertificateFacts): Plan<CertificateStep> {
  const { checked, current, applied } = facts;
  if ('hold' in checked) return { steps: [], drift: [], applied, hold: checked.hold };
  const { fingerprint, notAfter } = checked.candidate;
  const next = { certificate: fingerprint };
  if (current?.fingerprint === fingerprint) return { steps: [], drift: [], applied: next };
  const observed = current ? shortFingerprint(current.fingerprint) : 'none';
  return {
    steps: [
      { do: 'upload', fields: ['certificate'], pending: [], from: current?.fingerprint, to: fingerprint, notAfter },
    ],
    drift: [{ field: 'secretRef', desired: shortFingerprint(fingerprint), observed }],
    applied: next,
  };
}

/** The certificate stays on the site: letting go is all there is. */
export function planCertificateDeletion(facts: CertificateFacts): Plan<CertificateStep> {
  return { steps: [], drift: [], applied: facts.applied };
}
