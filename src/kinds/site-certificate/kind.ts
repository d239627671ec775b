import type { ManagedKind } from '../../reconcile/kind.ts';
import { fieldsOf } from '../common/combine.ts';
import { actOnCertificate, describeCertificateStep } from './act.ts';
import type { CertificateFacts } from './facts.ts';
import { type CertificateSources, gatherCertificate } from './gather.ts';
import { certificatePlanners, planCertificate, planCertificateDeletion } from './plan.ts';
import { isAsRecorded } from './read-secret.ts';
import type { CertificateHold } from './reasons.ts';
import {
  type CertificateMark,
  certificateDefinition,
  certificateMarks,
  certificateResource,
  type SiteCertificate,
} from './schema.ts';
import { certificateImpairment, meanwhile, observedStatus, readyMessage } from './status.ts';
import type { CertificateStep } from './steps.ts';

/** The kind SiteCertificate, reading from `sources`. */
export function createCertificateKind(
  sources: CertificateSources,
): ManagedKind<SiteCertificate, CertificateFacts, CertificateStep, CertificateMark, CertificateHold['reason']> {
  return {
    definition: certificateDefinition,
    resource: certificateResource,
    sharesHour: 'upload',
    fields: fieldsOf(certificatePlanners),
    marks: certificateMarks,
    outside: { certificate: 'CertificateRotated', chain: 'CertificateRotated' },
    isAsRecorded: (object) => isAsRecorded(object, sources.secrets),
    secretsOf: ({ spec }) => [spec.secretRef.name],
    gather: (pass) => gatherCertificate(pass, sources),
    plan: planCertificate,
    planDeletion: planCertificateDeletion,
    isOld: ({ object, session }, { siteID }) => sources.knowledge.isOld(object, session, siteID),
    // Never: no step of a certificate creates a site.
    create: (step) => step,
    async act(step, id, pass) {
      const result = await actOnCertificate(step, id, pass, sources.knowledge);
      sources.onUploaded(pass.object);
      return result;
    },
    called: (_, id) => `the certificate of site ${id}`,
    describe: describeCertificateStep,
    identify: ({ siteID }) => ({ id: siteID, ownership: 'Adopted' }),
    impairment: certificateImpairment,
    observed: observedStatus,
    seal: sources.claims.seal,
    giveUp: sources.claims.drop,
    readyMessage,
    meanwhile,
  };
}
