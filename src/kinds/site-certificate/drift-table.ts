import type { Site } from '../../cloud/site/types.ts';
import type { ObservedField } from '../../reconcile/managed-object.ts';
import type { DriftTable, SpecField } from '../common/drift-table.ts';
import type { CertificateMark, SiteCertificate } from './schema.ts';

type Status = NonNullable<SiteCertificate['status']>;
type Told = ObservedField<SiteCertificate, CertificateMark> | 'current.notBefore' | 'current.notAfter';

const date = (field: 'notBefore' | 'notAfter', shown: 'certificateNotBefore' | 'certificateNotAfter') =>
  ({
    from: 'list',
    isTold: ({ current }: Status, site: Site) =>
      site.hasCertificate === (current !== undefined) && isAt(current?.[field], site[shown]),
  }) as const;

/** How drift of each field of a SiteCertificate is noticed. */
export const certificateDrift: DriftTable<SiteCertificate, Site, SpecField<SiteCertificate>, Told> = {
  seen: (site) => site,
  spec: {
    siteRef: { in: 'spec', instead: 'Which site is meant.' },
    siteID: { in: 'spec', instead: 'Which site is meant.' },
    secretRef: {
      in: 'current',
      instead:
        'Corrected; if the dates differ, as fast as `current.notAfter` is noticed. The key is never shown: it belongs to the certificate.',
    },
    allowRollback: { in: 'spec', instead: 'What the operator may do.' },
    allowTemporary: { in: 'spec', instead: 'What the operator may do.' },
  },
  status: {
    createdAt: { from: 'identity' },
    siteID: { from: 'identity' },
    site: { from: 'identity' },
    current: { from: 'details' },
    previous: { from: 'details' },
    'current.notBefore': date('notBefore', 'certificateNotBefore'),
    'current.notAfter': date('notAfter', 'certificateNotAfter'),
  },
};

/** What either does not tell contradicts nothing; dates are kept in whole seconds. */
function isAt(time: string | undefined, milliseconds: number | undefined): boolean {
  if (time === undefined || milliseconds === undefined) return true;
  return Math.floor(Date.parse(time) / 1000) === Math.floor(milliseconds / 1000);
}
