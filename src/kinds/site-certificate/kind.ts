import type { ManagedKind } from '../../reconcile/kind.ts';
import { actOnCertificate, describeCertificateStep } from './act.ts';
import type { CertificateFacts } from './facts.ts';
import { type CertificateSources, gatherCertificate, isAsRecorded } from './gather.ts';
import { planCertificate, planCertificateDeletion } from './plan.ts';
import { certificateApplied, certificateDefinition, certificateResource, type SiteCertificate } from './schema.ts';
import { certificateImpairment, meanwhile, observedStatus, readyMessage } from './status.ts';
import type { CertificateStep } from './steps.ts';

/** The kind SiteCertificate, reading from `sources`. */
export function createCertificateKind(
  sources: CertificateSources,
): ManagedKind<SiteCertificate, CertificateFacts, CertificateStep> {
  return {
    definition: certificateDefinition,
    resource: certificateResource,
    sharesHour: true,
    fields: Object.keys(certificateApplied.shape),
    marks: ['lastUploadAt'],
    isAsRecorded: (object) => isAsRecorded(object, sources.secrets),
    secretsOf: ({ spec }) => [spec.secretRef.name],
    gather: (pass) => gatherCertificate(pass, sources),
    plan: planCertificate,
    planDeletion: planCertificateDeletion,
    async act(step, facts, pass) {
      const result = await actOnCertificate(step, facts, pass, sources.knowledge);
      sources.onUploaded(pass.object);
      return result;
    },
    describe: describeCertificateStep,
    identify: ({ siteID }) => ({ id: siteID, ownership: 'Adopted' }),
    impairment: certificateImpairment,
    observed: observedStatus,
    readyMessage,
    meanwhile,
  };
}
