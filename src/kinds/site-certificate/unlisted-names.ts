import type { Clock } from '../../clock.ts';
import type { Lane } from '../../cloud/limiter/lanes.ts';
import type { Site } from '../../cloud/site/types.ts';
import type { Gathered, Pass } from '../../reconcile/kind.ts';
import type { SecretFacts } from './candidate.ts';
import type { Checked, SiteNames } from './checks.ts';
import { laneFor } from './lane.ts';
import { holdNoSite } from './locate-site.ts';
import { comparedWithRecord } from './read-secret.ts';
import { type CertificateHold, CertificateReason } from './reasons.ts';
import type { SiteCertificate } from './schema.ts';
import type { UnlistedSites } from './unlisted-sites.ts';

/** How old the names may be by which a certificate goes to a site that no list shows: few sites are ever called otherwise. Milliseconds. */
const NAMES_MILLISECONDS = 24 * 3_600_000;
/** By names that are older than this no certificate is refused: as old may be what a list shows. Milliseconds. */
const REFUSED_NAMES_MILLISECONDS = 5 * 60_000;

interface NameSources {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly unlisted: UnlistedSites;
}

/** Whether a certificate is refused for names of a site that no list shows, and that may be called otherwise by now. */
export function isOutdatedName(
  checked: Checked,
  known: ReturnType<UnlistedSites['known']>,
  shown: Site | undefined,
  now: number,
): boolean {
  const isRefused = 'hold' in checked && checked.hold.reason === CertificateReason.DomainNotCovered;
  return isRefused && shown === undefined && known !== undefined && now - known.at > REFUSED_NAMES_MILLISECONDS;
}

/**
 * The lane in which the names of a site that no list shows are read; undefined: they need not be. They are looked at again in their
 * own time, with the other details, and a certificate that was renewed does not wait for that, unless they are old.
 */
function laneForNames(
  pass: Pass<SiteCertificate>,
  known: ReturnType<UnlistedSites['known']>,
  isRenewed: boolean,
  now: number,
): Lane | undefined {
  if (known?.isFresh) return undefined;
  if (known === undefined) return laneFor(pass, isRenewed);
  if (known.value === 'none') return laneFor(pass, false);
  if (isRenewed) return now - known.at > NAMES_MILLISECONDS ? laneFor(pass, true) : undefined;
  return pass.thorough ? 'audit' : undefined;
}

/** The names of a site that no list shows, or what there is to wait for. `held`: what the Secret holds. */
export function unlistedNames(
  pass: Pass<SiteCertificate>,
  siteID: string,
  held: SecretFacts | undefined,
  { clock, unlisted }: NameSources,
): { readonly names: SiteNames } | Gathered<never, CertificateHold['reason']> {
  const { object, session } = pass;
  const known = unlisted.known(object, session, siteID);
  const secret = comparedWithRecord(object, held);
  const lane = laneForNames(pass, known, secret === 'other', clock.monotonic());
  if (lane !== undefined) {
    return { until: unlisted.read(object, session, siteID, pass.call(lane)), lane, unchanged: secret === 'same' };
  }
  if (known !== undefined && known.value !== 'none') return { names: known.value };
  unlisted.used(object);
  return { hold: holdNoSite(siteID) };
}
