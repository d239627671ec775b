import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import type { Certificates, Site } from '../../cloud/site/types.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import { createKnowledge, type Knowledge, type Known } from '../../reconcile/knowledge.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { ObservedCertificate } from './facts.ts';
import { fromGeneration, observeCertificate } from './observe.ts';
import type { SiteCertificate } from './schema.ts';
import { createUploads, type SiteAccount, siteKey, type Uploads } from './uploads.ts';

/** A request that was answered, if only with an error, or that nobody answered may still arrive this long. Milliseconds. */
const SETTLE_MILLISECONDS = 5000;

/** How long an upload may still arrive: not at all, for a moment, or as long as the service may hold it without an answer. */
export type Arrival = 'never' | 'soon' | 'late';

/** When uploads that may still be under way arrive; monotonic milliseconds. */
export interface Arrivals {
  /** From when on it is worth a look whether one has. */
  readonly from: number;
  /** Before this a reading that does not show it proves nothing. */
  readonly until: number;
}

/** Between two looks whether an upload that may be under way has arrived: each is a request of the hour. Milliseconds. */
const LOOK_MILLISECONDS = 60_000;

/** What is known of the certificates on a site. */
export interface SeenCertificates {
  readonly current: ObservedCertificate | undefined;
  readonly previous: ObservedCertificate | undefined;
  /** What it was read for: the site was looked at right before that certificate, with that chain, goes on it. */
  readonly readFor?: string | undefined;
  /** The chain is not the one that was there before something arrived late: it was not the service that changed it. */
  readonly isChainOfOther?: boolean;
  /** When the answer came; monotonic milliseconds. */
  readonly answeredAt?: number;
  /** Where it was read, or answered: another service has another site under the same ID. Of what is recorded the seal tells. */
  readonly service?: string | undefined;
}

/** See {@link Known}. */
export type KnownCertificates = Known<SeenCertificates>;

/** A reading under way. */
interface Reading {
  readonly session: AccountSession;
  readFor: string | undefined;
  /** It may show nothing that came after. */
  isSent: boolean;
  done: Promise<void>;
}

/** What is known of each site's certificates, of which the list shows only the dates. */
export interface CertificateKnowledge extends Pick<Knowledge<SiteCertificate, SeenCertificates>, 'used' | 'drop'> {
  known(object: SiteCertificate, session: SiteAccount, siteID: string): KnownCertificates | undefined;
  /** The same, wherever that was. */
  last(object: SiteCertificate, siteID: string): KnownCertificates | undefined;
  /**
   * Reads both generations. A reading that still waits for its turn is taken for what is asked for last. `mayHaveArrived`:
   * something was sent that may have come since what is known.
   */
  read(
    object: SiteCertificate,
    session: AccountSession,
    siteID: string,
    readFor: string | undefined,
    call: CallOptions,
    mayHaveArrived?: boolean,
  ): Promise<void>;
  /** The list says that there never was one: nothing needs reading. */
  none(object: SiteCertificate, session: SiteAccount, siteID: string, at: number): void;
  /** The answer to an upload; undefined current: the answer doesn't show it, and it has to be read. */
  answered(object: SiteCertificate, session: SiteAccount, siteID: string, certificates: Certificates): void;
  /** This process sees the resource for the first time: another may have uploaded something for it until now. */
  met(object: SiteCertificate): void;
  /**
   * Whether what is known was read too long ago, when nothing but its turn keeps an upload from being sent: then it is to be
   * read again. That is asked for once, however long its turn takes: a look for each turn would take it.
   */
  isOld(object: SiteCertificate, session: SiteAccount, siteID: string): boolean;
  /** Nothing is known any more, and an upload may still be on its way. */
  forget(object: SiteCertificate, session: SiteAccount, siteID: string, arrival: Arrival): void;
  readonly uploads: Uploads;
  /**
   * Of an upload by an earlier process, or one whose answer never came, whichever resource it was for. `isBare`: the site had
   * no certificate when it was listed, so one too many that went for another resource costs none.
   */
  arrivals(object: SiteCertificate, session: SiteAccount, siteID: string, isBare: boolean): Arrivals;
  /** The same of what this process has sent, and nobody answered, alone. */
  unanswered(object: SiteCertificate, session: SiteAccount, siteID: string): Arrivals;
}

/** What was read is good for an upload that is decided on so long after: it may be approved hours later. Milliseconds. */
const OLD_MILLISECONDS = 60_000;

const NEVER: Arrivals = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

/**
 * `lateMilliseconds`: how long the service may hold a request, and carry it out, after it was cut off or given up.
 * `earlierActedUntil`: until when others may have sent uploads for what is, or was, in a namespace; monotonic milliseconds,
 * undefined: there were none.
 */
export function createCertificateKnowledge(
  clock: Clock,
  lateMilliseconds: number,
  earlierActedUntil: (namespace: string) => number | undefined,
): CertificateKnowledge {
  const late = Math.max(SETTLE_MILLISECONDS, lateMilliseconds);
  const knowledge = createKnowledge<SiteCertificate, SeenCertificates>(clock, ({ status }) => ({
    current: fromGeneration(status?.current),
    previous: fromGeneration(status?.previous),
  }));
  /** When resources appeared for which another process may have sent something; monotonic milliseconds, by UID. */
  const metAt = new Map<string, number>();
  /**
   * Of what this process has sent, by site and by resource (UID): who made a resource anew did not call off what went for the
   * one before, and its account may reach the same service under another name since.
   */
  const sent = new Map<string, Arrivals>();
  /** What uploads that wait for their turn follow from, by UID. */
  const decidedOn = new Map<string, string>();
  const underWay = new Map<string, Reading>();

  /** After a restart there may be many, few of which were under way: it is looked once, when it is time, and not before. */
  function after(at: number | undefined): Arrivals {
    return at === undefined ? NEVER : { from: at + late, until: at + late };
  }

  function arrivals({ metadata }: SiteCertificate, session: SiteAccount, siteID: string, isBare: boolean): Arrivals {
    const { uid, namespace = '' } = metadata;
    // Whoever has a site now can't tell what went for a resource that is gone, or that gave up the site.
    const ofOthers = isBare ? NEVER : after(earlierActedUntil(namespace));
    return lastOf([unanswered({ metadata }, session, siteID), after(metAt.get(uid)), ofOthers]);
  }

  function unanswered({ metadata }: Pick<SiteCertificate, 'metadata'>, session: SiteAccount, siteID: string): Arrivals {
    return lastOf([sent.get(siteKey(session, siteID)), sent.get(metadata.uid)]);
  }

  function clear(now: number): void {
    for (const [key, { until }] of sent) if (until <= now) sent.delete(key);
  }

  return {
    known(object, { service }, siteID) {
      const known = knowledge.known(object, siteID);
      return known?.value.service === undefined || known.value.service === service ? known : undefined;
    },
    last: knowledge.known,
    used: knowledge.used,
    uploads: createUploads(clock),
    arrivals,
    unanswered,
    isOld(object, { service }, siteID) {
      const { uid, annotations } = object.metadata;
      const known = knowledge.known(object, siteID);
      const decision = JSON.stringify([siteID, service, known?.value.readFor, annotations?.[Annotation.approve]]);
      if (decidedOn.get(uid) === decision) return false;
      decidedOn.set(uid, decision);
      if (known?.source !== 'read' || clock.monotonic() - (known.value.answeredAt ?? known.at) <= OLD_MILLISECONDS)
        return false;
      knowledge.learn(object, siteID, { source: 'read', at: known.at, value: { ...known.value, readFor: undefined } });
      return true;
    },
    read(object, session, siteID, readFor, call, mayHaveArrived = false) {
      const { uid } = object.metadata;
      const key = `${uid} ${siteID} ${call.lane}`;
      const shared = underWay.get(key);
      const isOfSession = shared?.session === session;
      if (isOfSession && !shared.isSent) shared.readFor = readFor;
      if (isOfSession && shared.readFor === readFor) return shared.done;
      const reading: Reading = { session, readFor, isSent: false, done: Promise.resolve() };
      async function fetch(): Promise<void> {
        let at = clock.monotonic();
        const writes = knowledge.writes(object);
        const onSent = () => {
          at = clock.monotonic();
          reading.isSent = true;
          call.onSent?.();
        };
        const { current, old } = await session.client.sites.certificate(siteID, {}, { ...call, onSent });
        const certificates = { current: observeCertificate(current), previous: observeCertificate(old[0]) };
        // An upload meanwhile: what was read may be from before it.
        if (knowledge.writes(object) !== writes) return;
        const before = mayHaveArrived ? knowledge.known(object, siteID)?.value.current : undefined;
        const value = {
          ...certificates,
          readFor: reading.readFor,
          isChainOfOther: isOfOtherChain(before, certificates.current),
          answeredAt: clock.monotonic(),
          service: session.service,
        };
        knowledge.learn(object, siteID, { source: 'read', at, value, isFresh: true });
      }
      reading.done = fetch().finally(() => {
        if (underWay.get(key) === reading) underWay.delete(key);
      });
      underWay.set(key, reading);
      return reading.done;
    },
    none(object, { service }, siteID, at) {
      knowledge.learn(object, siteID, {
        source: 'read',
        at,
        value: { current: undefined, previous: undefined, service },
      });
    },
    answered(object, { service }, siteID, certificates) {
      decidedOn.delete(object.metadata.uid);
      const current = observeCertificate(certificates.current);
      const previous = observeCertificate(certificates.old[0]);
      if (current) knowledge.learn(object, siteID, { source: 'answered', value: { current, previous, service } });
      else knowledge.forget(object, siteID);
    },
    forget(object, session, siteID, arrival) {
      decidedOn.delete(object.metadata.uid);
      knowledge.forget(object, siteID);
      if (arrival === 'never') return;
      const now = clock.monotonic();
      clear(now);
      const until = now + (arrival === 'late' ? late : SETTLE_MILLISECONDS);
      const arrivals = { from: now + SETTLE_MILLISECONDS, until };
      for (const key of [siteKey(session, siteID), object.metadata.uid])
        sent.set(key, lastOf([sent.get(key), arrivals]));
    },
    met(object) {
      if (ownFinalizer(object) === undefined && object.status?.id === undefined) return;
      metAt.set(object.metadata.uid, clock.monotonic());
    },
    drop(uid) {
      knowledge.drop(uid);
      metAt.delete(uid);
      decidedOn.delete(uid);
      sent.delete(uid);
    },
  };
}

function isOfOtherChain(before: ObservedCertificate | undefined, now: ObservedCertificate | undefined): boolean {
  return before !== undefined && before.fingerprint === now?.fingerprint && before.chain !== now.chain;
}

function lastOf(all: readonly (Arrivals | undefined)[]): Arrivals {
  return all.reduce<Arrivals>((a, b) => (b && b.until > a.until ? b : a), NEVER);
}

/** Whether what a later list shows of the certificate contradicts what is known. Dates are compared in whole seconds. */
export function contradicts(site: Site, startedAt: number, known: KnownCertificates): boolean {
  if (startedAt <= known.at) return false;
  const { current } = known.value;
  if (site.hasCertificate !== (current !== undefined)) return true;
  const differ = (a: number | undefined, b: number | undefined) =>
    a !== undefined && b !== undefined && Math.floor(a / 1000) !== Math.floor(b / 1000);
  return differ(site.certificateNotAfter, current?.notAfter) || differ(site.certificateNotBefore, current?.notBefore);
}

/** When to look, monotonic, whether an upload that may be under way has arrived. */
export function nextLook({ from, until }: Arrivals, readAt: number | undefined, now: number): number {
  if (now >= until) return now;
  return Math.min(until, Math.max(from, (readAt ?? Number.NEGATIVE_INFINITY) + LOOK_MILLISECONDS));
}
