import { timestamp } from '../../kubernetes/objects.ts';
import { mending } from '../../reconcile/change.ts';
import type { Plan } from '../../reconcile/plan.ts';
import { combine, type Part, type Planners, partsOf } from '../common/combine.ts';
import { type Candidate, shortFingerprint } from './candidate.ts';
import type { CertificateFacts, ObservedCertificate } from './facts.ts';
import { type CertificateHold, CertificateReason } from './reasons.ts';
import type { CertificateApplied } from './schema.ts';
import type { CertificateStep } from './steps.ts';

type CertificatePart = Part<CertificateStep, CertificateApplied, CertificateHold['reason']>;
type PlannerInput = [facts: CertificateFacts];
type CertificatePlan = Plan<CertificateStep, CertificateApplied, CertificateHold['reason']>;

/** Of certificates that are valid for longer, so long before their end they should have been renewed. Milliseconds. */
const LONGEST_NOTICE_MILLISECONDS = 14 * 86_400_000;
/** The share of its life that is left when a certificate should have been renewed; cert-manager does so with a third left. */
const NOTICE_SHARE = 0.2;

/** Both go in one upload. */
export const certificatePlanners: Planners<CertificateApplied, PlannerInput, CertificatePart> = {
  certificate: planUpload,
  chain: planUpload,
};

/** At most one upload: when the certificate of the Secret can go on the site and is not there. */
export function planCertificate(facts: CertificateFacts): CertificatePlan {
  return { ...combine(...partsOf<CertificatePart, PlannerInput>(certificatePlanners, facts)), ...expiryOf(facts) };
}

function planUpload(facts: CertificateFacts): CertificatePart {
  const { checked, current, applied, readAt, mayHaveArrived } = facts;
  if ('hold' in checked) return { applied, hold: checked.hold, undecided: ['certificate', 'chain'] };
  const { fingerprint, chainDigest, notAfter, chain, key } = checked.candidate;
  const next = { certificate: fingerprint, chain: chainDigest };
  if (!differs(checked.candidate, current, applied)) {
    const isKnown = current?.chain === chainDigest || applied.chain === chainDigest;
    return { applied: isKnown ? next : { certificate: fingerprint } };
  }
  const isOfChain = current?.fingerprint === fingerprint;
  const observed = isOfChain
    ? `${shortFingerprint(fingerprint)} with another chain`
    : current
      ? shortFingerprint(current.fingerprint)
      : 'none';
  const from = current?.fingerprint;
  const drift = [{ field: 'secretRef', desired: shortFingerprint(fingerprint), observed }];
  const what = {
    fields: ['certificate', 'chain'],
    // With another leaf the site tells what became of it; of a chain that is not as it was put there, that does.
    pending: isOfChain ? ['chain'] : [],
    changes: mending(drift),
    // A site that has been there for long is taken over by nobody who puts a first certificate on it.
    ...(applied.certificate === undefined && { cause: 'Creation' as const }),
    ...(applied.certificate === fingerprint && mayHaveArrived && { cause: 'Resumed' as const }),
  } as const;
  return {
    steps: [{ do: 'upload', ...what, from, to: fingerprint, notAfter, chain, key, readAt }],
    drift,
    applied: next,
  };
}

/** What time alone does to a certificate on its site. */
function expiryOf({ current, site, now }: CertificateFacts): Pick<CertificatePlan, 'notice' | 'lookAgainAt'> {
  const { notBefore, notAfter } = current ?? {};
  if (notAfter === undefined || notAfter <= now) return {};
  const life = notBefore === undefined ? Number.POSITIVE_INFINITY : notAfter - notBefore;
  const noticeAt = notAfter - Math.min(LONGEST_NOTICE_MILLISECONDS, life * NOTICE_SHARE);
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
export function planCertificateDeletion(facts: CertificateFacts): CertificatePlan {
  return { steps: [], drift: [], applied: facts.applied };
}
