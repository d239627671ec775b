import { CloudError } from '../../cloud/errors.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { Pass, StepResult } from '../../reconcile/kind.ts';
import { shortFingerprint } from './candidate.ts';
import type { Arrival, CertificateKnowledge } from './known.ts';
import type { CertificateMark, SiteCertificate } from './schema.ts';
import type { CertificateStep } from './steps.ts';

/**
 * Puts the certificate on the site: POST where there is none, PUT after (`api.md`, Web acceleration operations). Sent once:
 * each upload moves the current certificate to the previous generation, so a second one would destroy the true previous.
 */
export async function actOnCertificate(
  step: CertificateStep,
  siteID: string,
  pass: Pass<SiteCertificate>,
  knowledge: CertificateKnowledge,
): Promise<StepResult<SiteCertificate, CertificateMark>> {
  const { object } = pass;
  const upload = { certificateChain: step.chain, key: step.key.reveal() };
  const { sites } = pass.session.client;
  const watched = knowledge.uploads.watched(object, pass.session, siteID, step.readAt, pass.call('upload'));
  let isSent = false;
  const onSent = () => {
    isSent = true;
    watched.onSent?.();
  };
  const call = { ...watched, onSent };
  try {
    const answer = await (step.from === undefined
      ? sites.postCertificate(siteID, upload, call)
      : sites.putCertificate(siteID, upload, call));
    knowledge.answered(object, pass.session, siteID, answer);
  } catch (error) {
    // Refused or not sent, the site is as it was read: it need not be read for this certificate again.
    const isRefused = error instanceof CloudError && error.class === 'Rejected';
    if (isSent && !isRefused) knowledge.forget(object, pass.session, siteID, arrivalAfter(error));
    throw error;
  }
  return { marks: { lastUploadAt: timestamp(pass.now) } };
}

/** A gateway that gives up on the service, too, says nothing of what the service does with the request later. */
function arrivalAfter(error: unknown): Arrival {
  if (!(error instanceof CloudError)) return 'late';
  if (error.class !== 'OutcomeUnknown') return 'never';
  return error.status === undefined || error.status >= 502 ? 'late' : 'soon';
}

/** The step in the past tense. */
export function describeCertificateStep({ from, to, notAfter }: CertificateStep): string {
  const until = timestamp(notAfter);
  const others = from === to ? 'itself, with another chain' : from && shortFingerprint(from);
  const before = others === undefined ? 'the first on the site' : `in place of ${others}`;
  return `uploaded the certificate ${shortFingerprint(to)}, valid until ${until}, ${before}`;
}
