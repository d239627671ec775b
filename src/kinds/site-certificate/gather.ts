import type { Clock } from '../../clock.ts';
import type { Lane } from '../../cloud/limiter/lanes.ts';
import type { Site } from '../../cloud/site/types.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation, markOf } from '../../reconcile/annotations.ts';
import { type Counterpart, isSameCounterpart } from '../../reconcile/counterpart.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Gathered, Pass } from '../../reconcile/kind.ts';
import type { Looks } from '../../reconcile/looks.ts';
import { isPending } from '../../reconcile/managed-object.ts';
import { isToldAs } from '../../reconcile/object-state.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import { differsInTime, holdStranger, type Losses, type Proposal } from '../cloud-account/losses.ts';
import type { SharedReason } from '../common/reasons.ts';
import type { WebAccelSite } from '../web-accel-site/schema.ts';
import { type Checked, checkCertificate, type SiteNames } from './checks.ts';
import { type CertificateClaims, claimOf } from './claims.ts';
import type { CertificateFacts } from './facts.ts';
import { type CertificateKnowledge, contradicts, type KnownCertificates } from './known.ts';
import { laneFor } from './lane.ts';
import { locateSite, wrongReference } from './locate-site.ts';
import { type Look, lookBefore } from './look.ts';
import { differs } from './plan.ts';
import { comparedWithRecord, readSecret } from './read-secret.ts';
import type { CertificateHold } from './reasons.ts';
import type { SiteCertificate } from './schema.ts';
import { isOutdatedName, unlistedNames } from './unlisted-names.ts';
import type { UnlistedSites } from './unlisted-sites.ts';
import { isBefore } from './uploads.ts';

/** What gathering for SiteCertificates reads from. */
export interface CertificateSources extends CertificateClaims {
  readonly clock: Clock;
  readonly accounts: AccountResolver<SharedReason>;
  /** WebAccelSites by what they may be named by, the ID of their site among it. */
  readonly sitesByKey: Index<WebAccelSite>;
  readonly site: (namespace: string, name: string) => WebAccelSite | undefined;
  readonly secrets: SecretReader;
  readonly knowledge: CertificateKnowledge;
  readonly unlisted: UnlistedSites;
  readonly losses: Losses;
  readonly looks: Looks;
  readonly onUploaded: (object: SiteCertificate) => void;
  /** Its Secret, as read at that time (monotonic milliseconds), has the certificate that its site has. */
  readonly onSame: (object: SiteCertificate, readAt: number) => void;
}

/**
 * Reads all a SiteCertificate's plan follows from: the list of sites, the Secret, and the certificates on the site where
 * they are not known. Before a certificate goes on a site the site is always looked at, because an upload by an earlier
 * process may have arrived unseen, and a second one would destroy the true previous generation.
 */
export async function gatherCertificate(
  pass: Pass<SiteCertificate>,
  sources: CertificateSources,
): Promise<Gathered<CertificateFacts, CertificateHold['reason']>> {
  const { object, session } = pass;
  const { clock, knowledge, accounts } = sources;
  const list = session.sites();
  const snapshot = list.snapshot();
  const held = async () => comparedWithRecord(object, await readSecret(object, sources.secrets));
  const listAfter = (monotonic: number, lane: Lane) => observationAfter(list, monotonic, clock, pass.call(lane));
  if (!snapshot) {
    // With few requests an hour the first list may be an hour away.
    const hold = wrongReference(pass, sources.site, accounts);
    if (hold) return { hold };
    const secret = await held();
    const lane = laneFor(pass, secret === 'other');
    return { until: listAfter(Number.NEGATIVE_INFINITY, lane), lane, unchanged: secret === 'same' };
  }
  const access = sources.losses.access(object, session);
  if (access) return { hold: access };
  const located = locateSite(pass, sources.site, accounts, snapshot);
  if ('hold' in located) {
    const isOld = object.spec.siteID !== undefined && snapshot.startedAt <= pass.absentNotBefore;
    if (!isOld) return located;
    const lane = laneFor(pass, (await held()) === 'other');
    return { until: listAfter(pass.absentNotBefore, lane), lane };
  }
  const { siteID } = located;
  const sites = sources.sitesByKey.get(siteID).filter(({ status }) => status?.id === siteID);
  const recorded = object.status?.id === siteID ? object.status.createdAt : undefined;
  const shown = snapshot.items.get(siteID);
  if (shown && !isSameCounterpart({ id: siteID, createdAt: recorded }, shown) && !sources.losses.accepts(object)) {
    return { hold: holdOtherSite(object, shown, sources.losses.proposal(object)) };
  }
  const counterpart = { id: siteID, createdAt: shown?.createdAt ?? recorded };
  const claim = claimOf(object, counterpart, session, { ...sources, sites });
  if (claim) return { hold: claim };
  const readAt = clock.monotonic();
  const secret = await readSecret(object, sources.secrets);
  const named = located.names === 'unknown' ? unlistedNames(pass, siteID, secret, sources) : { names: located.names };
  if (!('names' in named)) return named;
  const { names } = named;

  const check = (known: KnownCertificates | undefined): Checked =>
    checkCertificate({
      namespace: object.metadata.namespace ?? '',
      secretName: object.spec.secretRef.name,
      secret,
      site: names,
      current: known?.value.current,
      allowRollback: object.spec.allowRollback ?? false,
      allowTemporary: object.spec.allowTemporary ?? false,
      now: pass.now,
    });
  let known = knowledge.known(object, session, siteID);
  const isListedBare = shown !== undefined && !shown.hasCertificate && !shown.hasOldCertificate;
  const isBare = isListedBare && known?.value.current === undefined;
  const arrivals = knowledge.arrivals(object, session, siteID, isBare);
  if (!known && isListedBare && snapshot.startedAt > arrivals.until) {
    knowledge.none(object, session, siteID, snapshot.startedAt);
    known = knowledge.known(object, session, siteID);
  }
  const checked = check(known);
  if (isOutdatedName(checked, sources.unlisted.known(object, session, siteID), shown, clock.monotonic())) {
    const lane = laneFor(pass, false);
    return { until: sources.unlisted.read(object, session, siteID, pass.call(lane)), lane };
  }
  const candidate = 'candidate' in checked ? checked.candidate : undefined;
  const wanted = candidate && `${candidate.fingerprint} ${candidate.chainDigest}`;
  const isAsked = markOf(object, Annotation.reconcileAt) !== pass.progress.marks.lastHandledReconcileAt;
  // What was being read when somebody asked for a look is not what they asked for.
  const isSeen = known?.isFresh === true && !(isAsked && known.at < pass.notBefore);
  const isDue = pass.thorough && !isSeen;
  const writes = object.spec.managementPolicy !== 'Observe';
  const isOther = candidate !== undefined && differs(candidate, known?.value.current, appliedOf(pass, known));
  if (candidate && known && !isOther) sources.onSame(object, readAt);
  const before = isOther && writes ? knowledge.uploads.ofAnother(object, session, siteID) : undefined;
  if (before && before.endedAt === undefined) return { until: before.done, lane: laneFor(pass, true) };
  const look = lookBefore({
    known,
    wanted,
    isOther,
    writes,
    arrivals,
    unanswered: knowledge.unanswered(object, session, siteID),
    isPending: pass.progress.pending.length > 0 || mayHaveArrived(object),
    isOvertaken: known !== undefined && before !== undefined && isBefore(known.at, before),
    isContradicted: known !== undefined && shown !== undefined && contradicts(shown, snapshot.startedAt, known),
    isAsked,
    isDue,
    now: clock.monotonic(),
  });
  if (look?.do === 'wait') return { hold: holdForArrival(names.domain, pass.now, look) };
  if (look) {
    if (pass.waitsForTurn?.of === 'reading') return { hold: pass.waitsForTurn.hold };
    if (isAsked && isDue && look.lane !== 'upload') {
      const wait = sources.looks.wait(object.metadata.uid);
      if (wait > 0) return { until: clock.sleep(wait, pass.signal) };
      sources.looks.took(object.metadata.uid);
    }
    const lane = look.lane === 'upload' ? laneFor(pass, true) : look.lane;
    const { readFor, mayHaveArrived, unchanged } = look;
    const until = knowledge.read(object, session, siteID, readFor, pass.call(lane), mayHaveArrived);
    return { until, lane, unchanged, requests: 1 };
  }
  knowledge.used(object);
  sources.unlisted.used(object);
  return { facts: factsOf(pass, counterpart, names, checked, known) };
}

/** Says when the site is looked at whether an upload by an earlier process, or one that nobody answered, has arrived. */
function holdForArrival(
  domain: string,
  now: number,
  { milliseconds, until }: Look & { readonly do: 'wait' },
): CertificateHold {
  const looked = `The certificates on it are looked at again at ${timestamp(now + milliseconds)}`;
  return {
    state: 'Waiting',
    reason: FailureReason.OutcomeUnknown,
    message:
      until === 'there'
        ? `An upload that was sent earlier may still reach ${domain}, which has the certificate of the Secret for now. ${looked}.`
        : `An upload that was sent earlier may still reach ${domain}. ${looked}; only then may the one of the Secret go there, for an upload too many would cost the previous one.`,
    isProgress: true,
    keepsReady: true,
    retryAfterSeconds: milliseconds / 1000,
  };
}

/** What an earlier process uploaded may be there, as was told, whatever the Secret has by now. */
function mayHaveArrived(object: SiteCertificate): boolean {
  return isToldAs(object, FailureReason.OutcomeUnknown);
}

function factsOf(
  pass: Pass<SiteCertificate>,
  { id: siteID, createdAt }: Counterpart,
  site: SiteNames,
  checked: Checked,
  known: KnownCertificates | undefined,
): CertificateFacts {
  const applied = appliedOf(pass, known);
  return {
    siteID,
    createdAt,
    site,
    checked,
    current: known?.value.current,
    previous: known?.value.previous,
    readAt: known?.at ?? Number.NEGATIVE_INFINITY,
    mayHaveArrived: mayHaveArrived(pass.object),
    applied,
    now: pass.now,
  };
}

/** Why nothing is done on the site that has the recorded ID. */
export function holdOtherSite({ status }: SiteCertificate, site: Site, proposal: Proposal): CertificateHold {
  return holdStranger(`site ${site.id}`, differsInTime(status?.createdAt), proposal);
}

/** What is known to have been put on the site: of a chain that was sent and not answered, or replaced since, nothing is. */
function appliedOf(
  { progress: { applied, pending } }: Pass<SiteCertificate>,
  known: KnownCertificates | undefined,
): CertificateFacts['applied'] {
  const { chain: _, ...others } = applied;
  return isPending(pending, 'chain') || known?.value.isChainOfOther === true ? others : applied;
}
