import type { Pass } from '../../reconcile/kind.ts';
import type { SiteCertificate } from './schema.ts';

/**
 * The lane of a read that the pass can't go on without. Anybody may name any site, and many that are new must not stand in the
 * way of one that was renewed: of one of which nothing is on record none has the part of the hour that is kept for writes.
 * `isForUpload`: without it no certificate may go on the site.
 */
export function laneFor(
  { object, progress }: Pass<SiteCertificate>,
  isForUpload: boolean,
): 'list' | 'verify' | 'upload' {
  if (progress.id === undefined) return 'list';
  return isForUpload && object.spec.managementPolicy !== 'Observe' ? 'upload' : 'verify';
}
