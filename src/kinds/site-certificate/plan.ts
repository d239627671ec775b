import type { Plan } from '../../reconcile/kind.ts';
import { type Candidate, shortFingerprint } from './candidate.ts';
import type { CertificateFacts, ObservedCertificate } from './facts.ts';
import type { CertificateApplied } from './schema.ts';
import type { CertificateStep } from './steps.ts';

/** At most one upload: when the certificate of the Secret can go on the site and is not there. */
export function planCertificate(facts: CertificateFacts): Plan<CertificateStep> {
  const { checked, current, applied } = facts;
  if ('hold' in checked) {
    // A Secret that is gone for now takes nothing away from the site.
    const serves = current !== undefined && current.fingerprint === applied.certificate && !hasExpired(facts);
    const keepsReady = serves && checked.hold.kind === 'Waiting';
    return { steps: [], drift: [], applied, hold: { ...checked.hold, ...(keepsReady && { keepsReady }) } };
  }
  const { fingerprint, chainDigest, notAfter } = checked.candidate;
  const next = { certificate: fingerprint, chain: chainDigest };
  if (!differs(checked.candidate, current, applied)) {
    const isKnown = current?.chain === chainDigest || applied.chain === chainDigest;
    return { steps: [], drift: [], applied: isKnown ? next : { certificate: fingerprint } };
  }
  const isOfChain = current?.fingerprint === fingerprint;
  const observed = isOfChain
    ? `${shortFingerprint(fingerprint)} with another chain`
    : current
      ? shortFingerprint(current.fingerprint)
      : 'none';
  return {
    steps: [
      {
        do: 'upload',
        fields: ['certificate', 'chain'],
        pending: [],
        from: current?.fingerprint,
        to: fingerprint,
        notAfter,
      },
    ],
    drift: [{ field: 'secretRef', desired: shortFingerprint(fingerprint), observed }],
    applied: next,
  };
}

/**
 * Whether a certificate, or the chain that came with it, is another than that on the site. A chain that was put there
 * before and looks otherwise now was changed by the service itself: each further upload would cost the previous generation.
 */
export function differs(
  candidate: Candidate,
  current: ObservedCertificate | undefined,
  applied: CertificateApplied,
): boolean {
  if (current?.fingerprint !== candidate.fingerprint) return true;
  const { chainDigest } = candidate;
  return current.chain !== undefined && current.chain !== chainDigest && applied.chain !== chainDigest;
}

/** The certificate stays on the site: letting go is all there is. */
export function planCertificateDeletion(facts: CertificateFacts): Plan<CertificateStep> {
  return { steps: [], drift: [], applied: facts.applied };
}

function hasExpired({ current, now }: CertificateFacts): boolean {
  return current?.notAfter !== undefined && current.notAfter <= now;
}
