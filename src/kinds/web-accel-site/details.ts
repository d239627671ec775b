import type { Clock } from '../../clock.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import { type Lane, lanes } from '../../cloud/limiter/lanes.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { SiteAnswers, SiteIdentity } from './facts.ts';
import { toIdentity, toSettings } from './observe.ts';
import type { WebAccelSite } from './schema.ts';
import type { ObservedSettings } from './status-schema.ts';

/** What is known of a site beyond the list. */
export interface SiteDetails {
  /** When it was read or answered, monotonic milliseconds; what the status recorded is older than everything. */
  readonly at: number;
  /** As shown together with the settings; undefined when it comes from the status. */
  readonly identity?: SiteIdentity | undefined;
  readonly settings?: ObservedSettings | undefined;
  readonly accessControl?: readonly string[] | undefined;
  /** The service says that there is no such site. */
  readonly absent?: boolean;
  /** Read since facts were last made of it: a pass that was told to look again need not. */
  readonly fresh?: boolean;
  /** Of this process's own writes. */
  readonly answers?: SiteAnswers | undefined;
}

/** What to read, and how urgently. */
export interface ReadCall {
  readonly lane: Lane;
  readonly signal: AbortSignal;
  readonly settings: boolean;
  readonly accessControl: boolean;
}

/**
 * What is known of each site's settings and access control list, which the list of sites does not show. Known is what
 * was read, or answered to the last write; over a restart the status carries it, and the audit reads it again in its own
 * time: a thousand sites must not cost a thousand requests.
 */
export interface SiteDetailsReader {
  /** Undefined: a write whose answer is not known took the knowledge away, or there never was any. */
  known(site: WebAccelSite): SiteDetails | undefined;
  remember(site: WebAccelSite, details: Partial<SiteDetails>): void;
  /** The next plan has to read them. */
  forget(site: WebAccelSite): void;
  /** Whether knowledge was taken away, as opposed to never had. */
  isForgotten(site: WebAccelSite): boolean;
  /** Facts were made of what is known. */
  used(site: WebAccelSite): void;
  /** Reads settings, rules or both; whoever asks while a reading is under way shares it. A missing site is no error. */
  read(site: WebAccelSite, session: AccountSession, id: string, call: ReadCall): Promise<void>;
  /** Drops what is known of a resource that is gone. */
  drop(uid: string): void;
}

/** How many requests a reading takes: settings, and the access control list. */
export const SITE_DETAIL_REQUESTS = 2;

export function createSiteDetails(clock: Clock): SiteDetailsReader {
  const byUID = new Map<string, SiteDetails | undefined>();
  /** How often each site was written: a reading that began before the last time is old. */
  const writes = new Map<string, number>();
  const underWay = new Map<string, { readonly lane: Lane; readonly reading: Promise<void> }>();

  function known(site: WebAccelSite): SiteDetails | undefined {
    const { uid } = site.metadata;
    if (byUID.has(uid)) return byUID.get(uid);
    const { status } = site;
    if (status?.id === undefined || status.settings === undefined || isStatusOfAnother(site)) return undefined;
    const { settings, accessControl } = status;
    return { at: Number.NEGATIVE_INFINITY, settings, accessControl };
  }

  async function fetch(site: WebAccelSite, session: AccountSession, id: string, call: ReadCall): Promise<void> {
    const { uid } = site.metadata;
    const { lane, signal } = call;
    const at = clock.monotonic();
    const { sites } = session.client;
    const written = writes.get(uid);
    let read: SiteDetails;
    try {
      const detail = call.settings ? await sites.read(id, { lane, signal }) : undefined;
      const accessControl = call.accessControl ? await sites.acl(id, { lane, signal }) : undefined;
      read = {
        at,
        ...known(site),
        ...(detail && {
          at,
          absent: false,
          identity: toIdentity(detail),
          settings: toSettings(detail, session.dialect),
        }),
        ...(accessControl && { accessControl }),
      };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      read = { at, absent: true };
    }
    // Something was written meanwhile: what was read may be from before, and the answer to the write is newer.
    if (writes.get(uid) === written) byUID.set(uid, { ...read, fresh: call.settings });
  }

  function wrote(uid: string, details: SiteDetails | undefined): void {
    writes.set(uid, (writes.get(uid) ?? 0) + 1);
    byUID.set(uid, details);
  }

  return {
    known,
    remember(site, details) {
      const before = known(site);
      wrote(site.metadata.uid, { ...before, ...details, at: clock.monotonic() });
    },
    forget: (site) => wrote(site.metadata.uid, undefined),
    isForgotten: ({ metadata: { uid } }) => byUID.has(uid) && byUID.get(uid) === undefined,
    used(site) {
      const details = byUID.get(site.metadata.uid);
      if (details?.fresh) byUID.set(site.metadata.uid, { ...details, fresh: false });
    },
    read(site, session, id, call) {
      const { uid } = site.metadata;
      const shared = underWay.get(uid);
      // One that waits in a lower lane may wait for hours: who is in a hurry does not wait with it.
      if (shared && lanes.indexOf(shared.lane) <= lanes.indexOf(call.lane)) return shared.reading;
      const reading = fetch(site, session, id, call).finally(() => {
        if (underWay.get(uid)?.reading === reading) underWay.delete(uid);
      });
      underWay.set(uid, { lane: call.lane, reading });
      return reading;
    },
    drop(uid) {
      byUID.delete(uid);
      writes.delete(uid);
    },
  };
}
