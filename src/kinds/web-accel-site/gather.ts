import type { Clock } from '../../clock.ts';
import type { Lane } from '../../cloud/limiter/lanes.ts';
import type { Snapshot } from '../../cloud/list/snapshot.ts';
import type { Site } from '../../cloud/site/types.ts';
import { Annotation, markOf } from '../../reconcile/annotations.ts';
import { findCondition } from '../../reconcile/conditions.ts';
import type { Gathered, Pass } from '../../reconcile/kind.ts';
import type { Looks } from '../../reconcile/looks.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import { observationAfter } from '../../reconcile/observation.ts';
import type { SecretReader } from '../../reconcile/secrets.ts';
import type { Losses } from '../cloud-account/losses.ts';
import { type ClaimedSite, claimOf, type SiteClaims } from './claims.ts';
import type { KnownSite, ReadCall, SiteDetailsReader } from './details.ts';
import type { ObservedSite, SiteFacts, SiteIdentity } from './facts.ts';
import { findSite, holdOtherSite, isMeant, isTheSite } from './find.ts';
import { holdNotFound, holdNotListed } from './holds.ts';
import { agrees, recordedIdentity, toIdentity } from './observe.ts';
import type { SiteHold } from './reasons.ts';
import type { SiteSpec, WebAccelSite } from './schema.ts';
import { comparedToApplied, desire } from './secrets.ts';

/** What a change waits for was read so long ago that somebody else may have made it meanwhile. Milliseconds. */
const STALE_MILLISECONDS = 600_000;

/** What gathering for WebAccelSites reads from. */
export interface SiteSources extends SiteClaims {
  readonly clock: Clock;
  readonly secrets: SecretReader;
  readonly details: SiteDetailsReader;
  readonly losses: Losses;
  readonly looks: Looks;
  /** At what specs newly want: for all sites of an account, for those of a namespace in it, and for each. */
  readonly looksAtNew: { readonly ofAccount: Looks; readonly ofNamespace: Looks; readonly ofSite: Looks };
  /** Looks at the resource again: something nobody waited for was read. */
  readonly again: (site: WebAccelSite) => void;
}

/**
 * Reads all a WebAccelSite's plan follows from: the account's list of sites, and details only where they are not known
 * and something depends on them. The answer of the last write is an observation, so no list is waited for after one.
 */
export async function gatherSite(
  pass: Pass<WebAccelSite>,
  sources: SiteSources,
): Promise<Gathered<SiteFacts, SiteHold['reason']>> {
  const { object, session, progress } = pass;
  const list = session.sites();
  const snapshot = list.snapshot();
  // Anybody may name any site: one of which nothing is on record must not use the part of the hour that is kept for writes.
  const lane = progress.id === undefined ? 'list' : 'verify';
  const listAfter = (monotonic: number) => observationAfter(list, monotonic, sources.clock, pass.call(lane));
  if (!snapshot) {
    const until = listAfter(Number.NEGATIVE_INFINITY);
    // It may fail while Secrets are read; whoever waits for it is told all the same.
    until.catch(() => undefined);
    const unchanged = (await comparedToApplied(object, session, sources.secrets)) === 'same';
    return { until, lane, unchanged };
  }
  const access = sources.losses.access(object, session);
  if (access) return { hold: access };
  const stranger = strangerOf(pass, sources, snapshot);
  // A status that was written for another resource names that one's site: it is as if there were none.
  const isAnothers = progress.restoredFrom !== undefined && stranger !== undefined && !isMeant(object.spec, stranger);
  if (stranger && !isAnothers && !sources.losses.accepts(object)) {
    return { hold: holdOtherSite(object, stranger, sources.losses.proposal(object)) };
  }
  const id = stranger ? object.spec.siteID : (progress.id ?? object.spec.siteID);
  const found = findSite(object.spec, id, snapshot.items);
  if ('hold' in found) return found;
  const siteID = found.item?.id ?? id;
  if (siteID === undefined) {
    if (snapshot.startedAt <= pass.absentNotBefore) return { until: listAfter(pass.absentNotBefore), lane };
    if (snapshot.complete) return { hold: holdNotFound(object.spec) };
    return { hold: holdNotListed(object.spec.domain ?? '', snapshot.items.size) };
  }
  const known = sources.details.known(object, siteID);
  const details = known?.value;
  const claimedBy = (site: ClaimedSite | undefined) => {
    const hold = site && claimOf(object, site, session, sources);
    if (hold) sources.details.left(object, siteID);
    return hold;
  };
  // Whoever may not have the site has no use for its settings, and by the time it may, another has written them.
  const identity = details?.absent ? undefined : ((found.item && toIdentity(found.item)) ?? details?.identity);
  const taken = claimedBy(identity && { ...identity, listed: found.item !== undefined });
  if (taken) return { hold: taken };
  const secrets = pass.thorough ? await comparedToApplied(object, session, sources.secrets) : undefined;
  const isNews = secrets === 'other' || !isToldOf(object);
  const reading = whatToRead(pass, sources, snapshot, found.item, { siteID, known, isNews });
  if (reading?.needed && pass.waitsForTurn) {
    const { hold, of } = pass.waitsForTurn;
    if (of === 'reading' || (of === 'steps' && sources.details.isForgotten(object, siteID))) return { hold };
  }
  if (reading?.asked) {
    const { uid } = object.metadata;
    const wait = sources.looks.wait(uid);
    if (wait > 0) return { until: sources.clock.sleep(wait, pass.signal) };
    sources.looks.took(uid);
  }
  if (reading) {
    // The pass need not be there any more when it is read.
    const { party, turn, signal } = pass.call(reading.lane);
    const call = { lane: reading.lane, party, turn, signal };
    const done = sources.details.read(object, session, siteID, { ...reading, call });
    const unchanged = secrets === 'same' && details?.settings !== undefined;
    const requests = Number(reading.settings) + Number(reading.accessControl);
    if (reading.needed) return { until: done, lane: reading.lane, unchanged, requests };
    // Nothing depends on it: it comes into the status when the budget allows, and a failure is told by the next audit.
    done.then(
      () => sources.again(object),
      () => undefined,
    );
  }
  // Gone under its ID, it may have been made again under its domain, which an older list does not show.
  if (known?.value.absent && object.spec.domain !== undefined && snapshot.startedAt <= known.at) {
    return { until: listAfter(known.at), lane };
  }
  const observed = details?.absent ? undefined : observe(pass, snapshot, found.item, siteID, known);
  const doubt = !observed && progress.id !== undefined && sources.losses.doubt(object, session);
  if (doubt) return { hold: doubt };
  const claim = claimedBy(observed);
  if (claim) return { hold: claim };
  sources.details.used(object);
  return {
    facts: {
      desired: await desire(object, session, sources.secrets),
      applied: progress.applied,
      found: progress.found,
      pending: progress.pending,
      observed,
      answers: details?.answers ?? {},
      dialect: session.dialect,
    },
  };
}

/** What has the ID on record, as a list or a reading shows it, where that is not the site that was recorded, or is meant. */
function strangerOf(
  { object, progress }: Pass<WebAccelSite>,
  sources: SiteSources,
  snapshot: Snapshot<Site>,
): Site | SiteIdentity | undefined {
  if (progress.id === undefined) return undefined;
  const seen = snapshot.items.get(progress.id) ?? sources.details.known(object, progress.id)?.value.identity;
  return seen && !isTheSite(object, seen) ? seen : undefined;
}

/** What has to be read before, or beside, planning; undefined when what is known is enough. */
function whatToRead(
  pass: Pass<WebAccelSite>,
  sources: SiteSources,
  snapshot: Snapshot<Site>,
  item: Site | undefined,
  {
    siteID,
    known,
    isNews,
  }: { readonly siteID: string; readonly known: KnownSite | undefined; readonly isNews: boolean },
): (Pick<ReadCall, 'settings' | 'accessControl'> & { lane: Lane; needed: boolean; asked?: boolean }) | undefined {
  const { object, progress } = pass;
  const accessControl = object.spec.accessControl !== undefined || wasApplied(progress, 'accessControl');
  const isAsked = markOf(object, Annotation.reconcileAt) !== progress.marks.lastHandledReconcileAt;
  const details = known?.value;
  // What was being read when somebody asked for a look is not what they asked for; of a site that is gone the list tells more.
  if (known?.isFresh && (details?.absent || !isAsked || known.at >= pass.notBefore)) return undefined;
  // What changed need not wait for the turn of what is only looked at, which may be an hour away.
  const isDue = pass.thorough && (isAsked || !isNews || !details?.settings);
  if (isDue) {
    // Whoever asks for it by annotation must not use the part of the hour that is kept for writes.
    const lane = isAsked ? 'list' : 'audit';
    return { lane, needed: true, asked: isAsked, settings: true, accessControl: true };
  }
  if (sources.details.isForgotten(object, siteID))
    return { lane: 'verify', needed: true, settings: true, accessControl };
  // The status may be older than the last write of the process before.
  const isDoubtful = known?.source === 'recorded' && progress.pending.length > 0 && pass.waitsForTurn?.of !== 'earlier';
  if (isDoubtful) return { lane: 'verify', needed: true, settings: true, accessControl };
  // A site that was there and that a whole list doesn't show, or one said to be gone that a later list shows.
  const isMissing = !item && (snapshot.complete || !known) && !((known?.at ?? -1) > snapshot.startedAt);
  if (isMissing) {
    return { lane: progress.id === undefined ? 'list' : 'verify', needed: true, settings: true, accessControl };
  }
  const isOutdated = item !== undefined && known !== undefined && snapshot.startedAt > known.at;
  if (isOutdated && (details?.absent || (details?.settings && !agrees(item, details.settings)))) {
    return { lane: 'list', needed: true, settings: true, accessControl };
  }
  const lacksSettings = !details?.settings;
  const lacksRules = details?.accessControl === undefined;
  const settings = lacksSettings && needsSettings(pass);
  const rules = lacksRules && accessControl;
  // First what the plan needs; the rest comes when there is budget to spare.
  if (settings || rules) return { lane: 'list', needed: true, settings, accessControl: rules };
  if (lacksSettings || lacksRules) {
    return { lane: 'audit', needed: false, settings: lacksSettings, accessControl: lacksRules };
  }
  // What is refused again and again may have been done by somebody else meanwhile.
  if (pass.thorough && known !== undefined && sources.clock.monotonic() - known.at > STALE_MILLISECONDS) {
    return { lane: 'audit', needed: false, settings: true, accessControl };
  }
  const rulesAt = accessControl ? (details?.rulesAt ?? known?.at ?? 0) : Number.POSITIVE_INFINITY;
  if (known !== undefined && Math.min(known.at, rulesAt) < pass.takenAt && takeLookAtNew(pass, sources)) {
    return { lane: 'audit', needed: false, settings: true, accessControl };
  }
  return undefined;
}

/** Takes one of the looks at what specs newly want, if one is left: a spec may change each second, and many at once. */
function takeLookAtNew({ object, session }: Pass<WebAccelSite>, { looksAtNew }: SiteSources): boolean {
  const looks = [
    [looksAtNew.ofSite, object.metadata.uid],
    [looksAtNew.ofNamespace, `${session.identity} ${object.metadata.namespace}`],
    [looksAtNew.ofAccount, session.identity],
  ] as const;
  if (looks.some(([of, key]) => of.wait(key) > 0)) return false;
  for (const [of, key] of looks) of.took(key);
  return true;
}

/** Whether Ready is of the spec as it is now, as opposed to one before it. */
function isToldOf({ metadata, status }: WebAccelSite): boolean {
  return findCondition(status?.conditions, 'Ready')?.observedGeneration === metadata.generation;
}

/** What is planned without the settings that the list doesn't show: any other field of a spec waits until they were read. */
const PLANNED_WITHOUT: ReadonlySet<string> = new Set<keyof SiteSpec>([
  'accountRef',
  'managementPolicy',
  'deletionPolicy',
  'domain',
  'siteID',
  'displayName',
  'accessControl',
]);

/** Whether the plan depends on settings that the list doesn't show. */
function needsSettings({ object, progress }: Pass<WebAccelSite>): boolean {
  const { applied, pending } = progress;
  if ([...Object.keys(applied), ...pending].some((field) => field !== 'displayName')) return true;
  return Object.entries(object.spec).some(([field, value]) => value !== undefined && !PLANNED_WITHOUT.has(field));
}

/** The site, of what the list shows and what was read of it, each as far as it is the later. */
function observe(
  pass: Pass<WebAccelSite>,
  snapshot: Snapshot<Site>,
  item: Site | undefined,
  siteID: string,
  known: KnownSite | undefined,
): ObservedSite {
  const listed = item && toIdentity(item);
  const details = known?.value;
  const read = details?.identity;
  const isReadLater = read !== undefined && known !== undefined && known.at > snapshot.startedAt;
  const identity = (isReadLater ? read : listed) ?? read ?? recordedIdentity(pass.object.status ?? {}, siteID);
  return {
    ...identity,
    listed: item !== undefined,
    settings: details?.settings,
    accessControl: details?.accessControl,
  };
}
