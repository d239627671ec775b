import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import type { Certificates, Site } from '../../cloud/site-types.ts';
import type { AccountSession } from '../../reconcile/account.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import type { ObservedCertificate } from './facts.ts';
import { fromGeneration, observeCertificate } from './observe.ts';
import type { SiteCertificate } from './schema.ts';

/** A request whose answer nobody has may still arrive this long. Milliseconds. */
const SETTLE = 5000;

/** What is known of the certificates on a site. */
export interface KnownCertificates {
  /** When it was read or answered, monotonic milliseconds; what the status recorded is older than everything. */
  readonly at: number;
  readonly current: ObservedCertificate | undefined;
  readonly previous: ObservedCertificate | undefined;
  /** The fingerprint it was read for: the site was looked at right before that certificate goes on it. */
  readonly readFor?: string | undefined;
  /** Read since facts were last made of it. */
  readonly fresh?: boolean;
}

/**
 * What is known of each site's certificates, which the list shows only the dates of. Known is what was read, or answered
 * to the last upload; over a restart the status carries it as long as the list shows the same dates.
 */
export interface CertificateKnowledge {
  known(object: SiteCertificate, siteID: string): KnownCertificates | undefined;
  /** Reads both generations. */
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
  /** Nothing is known any more. With `unclear`, a request may still be on its way. */
  forget(object: SiteCertificate, unclear: boolean): void;
  used(object: SiteCertificate): void;
  /**
   * The time (monotonic milliseconds) before which a reading proves nothing, because an upload by an earlier process, or
   * one whose answer never came, may still arrive.
   */
  settledAt(object: SiteCertificate): number;
  drop(uid: string): void;
}

export function createCertificateKnowledge(clock: Clock): CertificateKnowledge {
  const byUID = new Map<string, KnownCertificates | undefined>();
  const settled = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  function settledAt(object: SiteCertificate): number {
    const { uid } = object.metadata;
    const known = settled.get(uid);
    if (known !== undefined) return known;
    // Without our finalizer no process has uploaded anything for it.
    const at = ownFinalizer(object) ? clock.monotonic() + SETTLE : Number.NEGATIVE_INFINITY;
    settled.set(uid, at);
    return at;
  }

  return {
    settledAt,
    known(object, siteID) {
      const { uid } = object.metadata;
      if (byUID.has(uid)) return byUID.get(uid);
      const { status } = object;
      if (status?.id !== siteID) return undefined;
      return {
        at: Number.NEGATIVE_INFINITY,
        current: fromGeneration(status.current),
        previous: fromGeneration(status.previous),
      };
    },
    read(object, session, siteID, readFor, call) {
      const { uid } = object.metadata;
      const key = `${uid} ${readFor ?? ''} ${call.lane}`;
      const shared = underWay.get(key);
      if (shared) return shared;
      async function fetch(): Promise<void> {
        const at = clock.monotonic();
        const { current, old } = await session.client.sites.certificate(siteID, {}, call);
        const certificates = { current: observeCertificate(current), previous: observeCertificate(old[0]) };
        byUID.set(uid, { at, ...certificates, readFor, fresh: true });
      }
      const reading = fetch().finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
    none: ({ metadata: { uid } }, at) => void byUID.set(uid, { at, current: undefined, previous: undefined }),
    answered({ metadata: { uid } }, certificates) {
      const current = observeCertificate(certificates.current);
      const [previous] = certificates.old;
      const at = clock.monotonic();
      byUID.set(uid, current ? { at, current, previous: observeCertificate(previous) } : undefined);
    },
    forget(object, unclear) {
      const { uid } = object.metadata;
      byUID.set(uid, undefined);
      if (unclear) settled.set(uid, clock.monotonic() + SETTLE);
    },
    used({ metadata: { uid } }) {
      const known = byUID.get(uid);
      if (known?.fresh) byUID.set(uid, { ...known, fresh: false });
    },
    drop(uid) {
      byUID.delete(uid);
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
