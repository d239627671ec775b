import { timestamp } from '../../kubernetes/objects.ts';
import type { Plan } from '../../reconcile/kind.ts';
import { type Candidate, shortFingerprint } from './candidate.ts';
import type { CertificateFacts, ObservedCertificate } from './facts.ts';
import { CertificateReason } from './reasons.ts';
import type { CertificateApplied } from './schema.ts';
import type { CertificateStep } from './steps.ts';

/** Of certificates that are valid for longer, so long before their end they should have been renewed. Milliseconds. */
const LONGEST_NOTICE = 14 * 86_400_000;
/** The share of its life that is left when a certificate should have been renewed; cert-manager does so with a third left. */
const NOTICE = 0.2;

/** At most one upload: when the certificate of the Secret can go on the site and is not there. */
export function planCertificate(facts: CertificateFacts): Plan<CertificateStep> {
  const { checked, current, applied } = facts;
  const timed = expiryOf(facts);
  if ('hold' in checked) return { steps: [], drift: [], applied, hold: checked.hold, ...timed };
  const { fingerprint, chainDigest, notAfter } = checked.candidate;
  const next = { certificate: fingerprint, chain: chainDigest };
  if (!differs(checked.candidate, current, applied)) {
    const isKnown = current?.chain === chainDigest || applied.chain === chainDigest;
    return { steps: [], drift: [], applied: isKnown ? next : { certificate: fingerprint }, ...timed };
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

/** What time alone does to a certificate on its site. */
function expiryOf({ current, site, now }: CertificateFacts): Pick<Plan<CertificateStep>, 'notice' | 'lookAgainAt'> {
  const { notBefore, notAfter } = current ?? {};
  if (notAfter === undefined || notAfter <= now) return {};
  const life = notBefore === undefined ? Number.POSITIVE_INFINITY : notAfter - notBefore;
  const noticeAt = notAfter - Math.min(LONGEST_NOTICE, life * NOTICE);
  if (now < noticeAt) return { lookAgainAt: noticeAt };
  const message = `The certificate on ${site.domain} expires on ${timestamp(notAfter)} and was not renewed. Renew it.`;
  return { lookAgainAt: notAfter, notice: { reason: CertificateReason.ExpiresSoon, message } };
}

/**
 * Whether a certificate, or the chain that came with it, is another than that on the site. A chain that was put there
 * before and looks otherwise now was changed by the service itself: each further upload would cost the previous generation.
 */
export function differs(
  candidate: Pick<Candidate, 'fingerprint' | 'chainDigest'>,
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
