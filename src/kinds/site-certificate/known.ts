import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import type { Certificates, Site } from '../../cloud/site/types.ts';
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
  /** Reads both generations. A reading that still waits for its turn is taken for what is asked for last. */
  read(
    object: SiteCertificate,
    session: AccountSession,
    siteID: string,
    readFor: string | undefined,
    call: CallOptions,
  ): Promise<void>;
  /** The list says that there never was one: nothing needs reading. */
  none(object: SiteCertificate, session: SiteAccount, siteID: string, at: number): void;
  /** The answer to an upload; undefined current: the answer doesn't show it, and it has to be read. */
  answered(object: SiteCertificate, session: SiteAccount, siteID: string, certificates: Certificates): void;
  /** Nothing is known any more, and an upload may still be on its way. */
  forget(object: SiteCertificate, session: SiteAccount, siteID: string, arrival: Arrival): void;
  readonly uploads: Uploads;
  /**
   * Of an upload by an earlier process, or one whose answer never came, whichever resource it was for. `isBare`: the site had
   * no certificate when it was listed, so an upload too many costs none.
   */
  arrivals(object: SiteCertificate, session: SiteAccount, siteID: string, isBare: boolean): Arrivals;
}

const NEVER: Arrivals = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };

/**
 * `lateMilliseconds`: how long the service may hold a request, and carry it out, after it was cut off or given up.
 * `earlierActedUntil`: until when earlier processes may have sent uploads to any site; monotonic milliseconds, undefined: there
 * were none.
 */
export function createCertificateKnowledge(
  clock: Clock,
  lateMilliseconds: number,
  earlierActedUntil: () => number | undefined,
): CertificateKnowledge {
  const late = Math.max(SETTLE_MILLISECONDS, lateMilliseconds);
  const knowledge = createKnowledge<SiteCertificate, SeenCertificates>(clock, ({ status }) => ({
    current: fromGeneration(status?.current),
    previous: fromGeneration(status?.previous),
  }));
  /** Of what an earlier process may have sent for a resource. */
  const inherited = new Map<string, Arrivals>();
  /** Of what this process has sent to a site: who made a resource anew did not call off what went for the one before. */
  const sent = new Map<string, Arrivals>();
  const underWay = new Map<string, Reading>();

  function inheritedBy(object: SiteCertificate): Arrivals {
    const { uid } = object.metadata;
    const known = inherited.get(uid);
    if (known !== undefined) return known;
    // Without our finalizer or a status no process has uploaded anything for it. After a restart there may be many, few of
    // which were under way: they are looked at once, when it is time, and not before out of the hour's budget.
    const isNew = ownFinalizer(object) === undefined && object.status?.id === undefined;
    const at = clock.monotonic() + late;
    const made = isNew ? NEVER : { from: at, until: at };
    inherited.set(uid, made);
    return made;
  }

  /** What went for a resource that is gone, or that gave up the site: whoever has the site now can't tell. */
  function ofOthers(): Arrivals {
    const at = (earlierActedUntil() ?? Number.NEGATIVE_INFINITY) + late;
    return { from: at, until: at };
  }

  function arrivals(object: SiteCertificate, session: SiteAccount, siteID: string, isBare: boolean): Arrivals {
    const last = sent.get(siteKey(session, siteID)) ?? NEVER;
    const all = [inheritedBy(object), last, isBare ? NEVER : ofOthers()];
    return all.reduce((a, b) => (b.until > a.until ? b : a));
  }

  function clear(now: number): void {
    for (const [site, { until }] of sent) if (until <= now) sent.delete(site);
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
    read(object, session, siteID, readFor, call) {
      const { uid } = object.metadata;
      const key = `${uid} ${siteID} ${call.lane}`;
      const shared = underWay.get(key);
      const isOfSession = shared?.session === session;
      if (isOfSession && !shared.isSent) shared.readFor = readFor;
      if (isOfSession && shared.readFor === readFor) return shared.done;
      const reading: Reading = { session, readFor, isSent: false, done: Promise.resolve() };
      async function fetch(): Promise<void> {
        const at = clock.monotonic();
        const writes = knowledge.writes(object);
        const onSent = () => {
          reading.isSent = true;
          call.onSent?.();
        };
        const { current, old } = await session.client.sites.certificate(siteID, {}, { ...call, onSent });
        const certificates = { current: observeCertificate(current), previous: observeCertificate(old[0]) };
        // An upload meanwhile: what was read may be from before it.
        if (knowledge.writes(object) !== writes) return;
        const value = { ...certificates, readFor: reading.readFor, service: session.service };
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
      const current = observeCertificate(certificates.current);
      const previous = observeCertificate(certificates.old[0]);
      if (current) knowledge.learn(object, siteID, { source: 'answered', value: { current, previous, service } });
      else knowledge.forget(object, siteID);
    },
    forget(object, session, siteID, arrival) {
      knowledge.forget(object, siteID);
      if (arrival === 'never') return;
      const now = clock.monotonic();
      clear(now);
      // It is the last that was sent, and this process has seen what came of those before.
      inherited.set(object.metadata.uid, NEVER);
      sent.set(siteKey(session, siteID), {
        from: now + SETTLE_MILLISECONDS,
        until: now + (arrival === 'late' ? late : SETTLE_MILLISECONDS),
      });
    },
    drop(uid) {
      knowledge.drop(uid);
      inherited.delete(uid);
    },
  };
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
