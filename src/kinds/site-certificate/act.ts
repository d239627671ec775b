import { CloudError } from '../../cloud/errors.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { Pass, StepResult } from '../../reconcile/kind.ts';
import { shortFingerprint } from './candidate.ts';
import type { CertificateFacts } from './facts.ts';
import type { CertificateKnowledge } from './known.ts';
import type { SiteCertificate } from './schema.ts';
import type { CertificateStep } from './steps.ts';

/**
 * Puts the certificate on the site: POST where there is none, PUT after (`api.md`, Web acceleration operations). Sent once:
 * each upload moves the current certificate to the previous generation, so a second one would destroy the true previous.
 */
export async function actOnCertificate(
  step: CertificateStep,
  facts: CertificateFacts,
  pass: Pass<SiteCertificate>,
  knowledge: CertificateKnowledge,
): Promise<StepResult> {
  const { checked, siteID } = facts;
  const { object, signal } = pass;
  if (!('candidate' in checked)) throw new TypeError('only a certificate that passed the checks is uploaded');
  const { chain, key } = checked.candidate;
  const upload = { certificateChain: chain, key: key.reveal() };
  const { sites } = pass.session.client;
  const call = { lane: 'upload', signal } as const;
  try {
    const answer = await (step.from === undefined
      ? sites.postCertificate(siteID, upload, call)
      : sites.putCertificate(siteID, upload, call));
    knowledge.answered(object, answer);
  } catch (error) {
    // Refused, the site is as it was read: it need not be read for this certificate again.
    const isRefused = error instanceof CloudError && error.class === 'Rejected';
    if (!isRefused) knowledge.forget(object, !(error instanceof CloudError) || error.class === 'OutcomeUnknown');
    throw error;
  }
  return { marks: { lastUploadAt: timestamp(pass.now) } };
}

/** The step in the past tense. */
export function describeCertificateStep({ from, to, notAfter }: CertificateStep): string {
  const until = timestamp(notAfter);
  const before = from === undefined ? 'the first on the site' : `in place of ${shortFingerprint(from)}`;
  return `uploaded the certificate ${shortFingerprint(to)}, valid until ${until}, ${before}`;
}
