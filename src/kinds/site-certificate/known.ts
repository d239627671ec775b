import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import type { Certificates, Site } from '../../cloud/site/types.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { ObservedCertificate } from './facts.ts';
import { fromGeneration, observeCertificate } from './observe.ts';
import type { SiteCertificate } from './schema.ts';

/** A request that was answered, if only with an error, or that nobody answered may still arrive this long. Milliseconds. */
const SETTLE = 5000;

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
const LOOK = 60_000;

/** What is known of the certificates on a site. */
export interface KnownCertificates {
  /** When it was read or answered, monotonic milliseconds; what the status recorded is older than everything. */
  readonly at: number;
  readonly current: ObservedCertificate | undefined;
  readonly previous: ObservedCertificate | undefined;
  /** What it was read for: the site was looked at right before that certificate, with that chain, goes on it. */
  readonly readFor?: string | undefined;
  /** Read since facts were last made of it. */
  readonly fresh?: boolean;
}

/** A reading under way. */
interface Reading {
  readFor: string | undefined;
  /** It may show nothing that came after. */
  isSent: boolean;
  done: Promise<void>;
}

/**
 * What is known of each site's certificates, which the list shows only the dates of. Known is what was read, or answered
 * to the last upload; over a restart the status carries it as long as the list shows the same dates.
 */
export interface CertificateKnowledge {
  known(object: SiteCertificate, siteID: string): KnownCertificates | undefined;
  /** Reads both generations. A reading that still waits for its turn is taken for what is asked for last. */
  read(
    object: SiteCertificate,
    session: AccountSession,
    siteID: string,
    readFor: string | undefined,
    call: CallOptions,
  ): Promise<void>;
  /** The list says that there never was one: nothing needs reading. */
  none(object: SiteCertificate, at: number): void;
  /** The answer to an upload; undefined current: the answer doesn't show it, and it has to be read. */
  answered(object: SiteCertificate, certificates: Certificates): void;
  /** Nothing is known any more, and an upload may still be on its way. */
  forget(object: SiteCertificate, arrival: Arrival): void;
  used(object: SiteCertificate): void;
  /** Of an upload by an earlier process, or one whose answer never came. */
  arrivals(object: SiteCertificate): Arrivals;
  drop(uid: string): void;
}

/** `lateMilliseconds`: how long the service may hold a request, and carry it out, after it was cut off or given up. */
export function createCertificateKnowledge(clock: Clock, lateMilliseconds: number): CertificateKnowledge {
  const late = Math.max(SETTLE, lateMilliseconds);
  const byUID = new Map<string, KnownCertificates | undefined>();
  const siteOf = new Map<string, string>();
  const settled = new Map<string, Arrivals>();
  const underWay = new Map<string, Reading>();

  function arrivals(object: SiteCertificate): Arrivals {
    const { uid } = object.metadata;
    const known = settled.get(uid);
    if (known !== undefined) return known;
    // Without our finalizer no process has uploaded anything for it. After a restart there may be many, few of which were
    // under way: they are looked at once, when it is time, and not before out of the hour's budget.
    const at = ownFinalizer(object) ? clock.monotonic() + late : Number.NEGATIVE_INFINITY;
    const made = { from: at, until: at };
    settled.set(uid, made);
    return made;
  }

  return {
    arrivals,
    known(object, siteID) {
      const { uid } = object.metadata;
      // What is known of the site it was on before says nothing of this one.
      if ((siteOf.get(uid) ?? siteID) !== siteID) byUID.delete(uid);
      siteOf.set(uid, siteID);
      if (byUID.has(uid)) return byUID.get(uid);
      const { status } = object;
      if (status?.id !== siteID || isStatusOfAnother(object)) return undefined;
      return {
        at: Number.NEGATIVE_INFINITY,
        current: fromGeneration(status.current),
        previous: fromGeneration(status.previous),
      };
    },
    read(object, session, siteID, readFor, call) {
      const { uid } = object.metadata;
      const key = `${uid} ${siteID} ${call.lane}`;
      const shared = underWay.get(key);
      if (shared && !shared.isSent) shared.readFor = readFor;
      if (shared && shared.readFor === readFor) return shared.done;
      const reading: Reading = { readFor, isSent: false, done: Promise.resolve() };
      async function fetch(): Promise<void> {
        const at = clock.monotonic();
        const onSent = () => {
          reading.isSent = true;
          call.onSent?.();
        };
        const { current, old } = await session.client.sites.certificate(siteID, {}, { ...call, onSent });
        const certificates = { current: observeCertificate(current), previous: observeCertificate(old[0]) };
        byUID.set(uid, { at, ...certificates, readFor: reading.readFor, fresh: true });
      }
      reading.done = fetch().finally(() => {
        if (underWay.get(key) === reading) underWay.delete(key);
      });
      underWay.set(key, reading);
      return reading.done;
    },
    none: ({ metadata: { uid } }, at) => void byUID.set(uid, { at, current: undefined, previous: undefined }),
    answered({ metadata: { uid } }, certificates) {
      const current = observeCertificate(certificates.current);
      const [previous] = certificates.old;
      const at = clock.monotonic();
      byUID.set(uid, current ? { at, current, previous: observeCertificate(previous) } : undefined);
    },
    forget(object, arrival) {
      const { uid } = object.metadata;
      byUID.set(uid, undefined);
      if (arrival === 'never') return;
      const now = clock.monotonic();
      settled.set(uid, { from: now + SETTLE, until: now + (arrival === 'late' ? late : SETTLE) });
    },
    used({ metadata: { uid } }) {
      const known = byUID.get(uid);
      if (known?.fresh) byUID.set(uid, { ...known, fresh: false });
    },
    drop(uid) {
      byUID.delete(uid);
      siteOf.delete(uid);
      settled.delete(uid);
    },
  };
}

/** Whether what a later list shows of the certificate contradicts what is known. Dates are compared in whole seconds. */
export function contradicts(site: Site, startedAt: number, known: KnownCertificates): boolean {
  if (startedAt <= known.at) return false;
  if (site.hasCertificate !== (known.current !== undefined)) return true;
  const differ = (a: number | undefined, b: number | undefined) =>
    a !== undefined && b !== undefined && Math.floor(a / 1000) !== Math.floor(b / 1000);
  return (
    differ(site.certificateNotAfter, known.current?.notAfter) ||
    differ(site.certificateNotBefore, known.current?.notBefore)
  );
}

/** When to look, monotonic, whether an upload that may be under way has arrived. */
export function nextLook({ from, until }: Arrivals, readAt: number | undefined, now: number): number {
  if (now >= until) return now;
  return Math.min(until, Math.max(from, (readAt ?? Number.NEGATIVE_INFINITY) + LOOK));
}
