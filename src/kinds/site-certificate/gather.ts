import type { Clock } from '../../clock.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Gathered, Pass } from '../../reconcile/kind.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { WebAccelSite } from '../web-accel-site/schema.ts';
import type { SecretFacts } from './candidate.ts';
import { type Checked, checkCertificate, type SiteNames } from './checks.ts';
import { claimOf } from './claims.ts';
import type { CertificateFacts } from './facts.ts';
import { type CertificateKnowledge, contradicts, type KnownCertificates } from './known.ts';
import { holdNoSite, locateSite, namesServed } from './locate-site.ts';
import type { SiteCertificate } from './schema.ts';

/** What gathering for SiteCertificates reads from. */
export interface CertificateSources {
  readonly clock: Clock;
  readonly accounts: AccountResolver;
  readonly byKey: Index<SiteCertificate>;
  /** WebAccelSites by what they may be named by, the ID of their site among it. */
  readonly sitesByKey: Index<WebAccelSite>;
  readonly site: (namespace: string, name: string) => WebAccelSite | undefined;
  readonly secrets: SecretReader;
  readonly knowledge: CertificateKnowledge;
  readonly onUploaded: (object: SiteCertificate) => void;
}

/**
 * Reads all a SiteCertificate's plan follows from: the list of sites, the Secret, and the certificates on the site where
 * they are not known. Before a certificate goes on a site the site is always looked at, because an upload by an earlier
 * process may have arrived unseen, and a second one would destroy the true previous generation.
 */
export async function gatherCertificate(
  pass: Pass<SiteCertificate>,
  sources: CertificateSources,
): Promise<Gathered<CertificateFacts>> {
  const { object, session } = pass;
  const { clock, knowledge, accounts } = sources;
  const settledAt = knowledge.settledAt(object);
  const list = session.sites();
  const snapshot = list.snapshot();
  if (!snapshot) return { until: observationAfter(list, Number.NEGATIVE_INFINITY, clock, pass.signal) };
  const located = locateSite(pass, sources.site, accounts, snapshot);
  if ('hold' in located) {
    const isOld = object.spec.siteID !== undefined && snapshot.startedAt <= pass.absentNotBefore;
    return isOld ? { until: observationAfter(list, pass.absentNotBefore, clock, pass.signal) } : located;
  }
  const { siteID } = located;
  const sites = sources.sitesByKey.get(siteID).filter(({ status }) => status?.id === siteID);
  const claim = claimOf(object, siteID, session.identity, { byKey: sources.byKey, sites, accounts });
  if (claim && pass.progress.id === undefined) return { hold: claim };
  const names = located.names === 'unknown' ? await readNames(pass, siteID) : located.names;
  if (!names) return { hold: holdNoSite(siteID) };

  const secret = await readSecret(object, sources.secrets);
  const check = (known: KnownCertificates | undefined): Checked =>
    checkCertificate({
      namespace: object.metadata.namespace ?? '',
      secretName: object.spec.secretRef.name,
      secret,
      site: names,
      current: known?.current,
      allowRollback: object.spec.allowRollback ?? false,
      now: pass.now,
    });
  const item = snapshot.items.get(siteID);
  let known = knowledge.known(object, siteID);
  if (!known && item && !item.hasCertificate && !item.hasOldCertificate && snapshot.startedAt > settledAt) {
    knowledge.none(object, snapshot.startedAt);
    known = knowledge.known(object, siteID);
  }
  let checked = check(known);
  const wanted = 'candidate' in checked ? checked.candidate.fingerprint : undefined;
  const isOutdated = known !== undefined && item !== undefined && contradicts(item, snapshot.startedAt, known);
  const isDue = pass.thorough && known?.fresh !== true;
  const writes = object.spec.managementPolicy !== 'Observe';
  const differs = wanted !== undefined && known?.current?.fingerprint !== wanted;

  if (differs && writes && known?.readFor !== wanted) {
    const wait = settledAt - clock.monotonic();
    if (wait > 0) return { until: clock.sleep(wait, pass.signal) };
    // Many that are new must not stand in the way of one that was renewed.
    const lane = pass.progress.id === undefined ? 'list' : 'verify';
    const reading = knowledge.read(object, session, siteID, wanted, { lane, signal: pass.signal });
    if (lane === 'list') return { until: reading };
    await reading;
  } else if (!known || isOutdated || isDue) {
    const isAsked =
      object.metadata.annotations?.[Annotation.reconcileAt] !== pass.progress.marks.lastHandledReconcileAt;
    const lane = isAsked ? 'verify' : known && !isOutdated ? 'audit' : 'list';
    return { until: knowledge.read(object, session, siteID, wanted, { lane, signal: pass.signal }) };
  }
  known = knowledge.known(object, siteID);
  checked = check(known);
  knowledge.used(object);
  return { facts: factsOf(pass, siteID, names, checked, known) };
}

function factsOf(
  pass: Pass<SiteCertificate>,
  siteID: string,
  site: SiteNames,
  checked: Checked,
  known: KnownCertificates | undefined,
): CertificateFacts {
  const { applied } = pass.progress;
  return { siteID, site, checked, current: known?.current, previous: known?.previous, applied, now: pass.now };
}

async function readSecret(object: SiteCertificate, secrets: SecretReader): Promise<SecretFacts | undefined> {
  const { name } = object.spec.secretRef;
  const secret = await secrets.read(object.metadata.namespace ?? '', name);
  return (
    secret && { name, type: secret.type, certificate: secret.get('tls.crt')?.reveal(), key: secret.get('tls.key') }
  );
}

/** The names of a site that no list shows; undefined when there is none with this ID. */
async function readNames(pass: Pass<SiteCertificate>, siteID: string): Promise<SiteNames | undefined> {
  try {
    return namesServed(await pass.session.client.sites.read(siteID, { lane: 'verify', signal: pass.signal }));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
