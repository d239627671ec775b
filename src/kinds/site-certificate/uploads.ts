import type { Clock } from '../../clock.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { SiteCertificate } from './schema.ts';

/** Long enough for whoever has read the site before to have read it again. Milliseconds. */
const REMEMBERED_MILLISECONDS = 24 * 3_600_000;

/** An upload to a site. */
export interface Upload {
  readonly uid: string;
  /** When it has ended, however it did. */
  readonly done: Promise<void>;
  /** Monotonic milliseconds; undefined: it is under way, or waits for its turn. */
  endedAt: number | undefined;
}

/**
 * The last upload to each site: whoever gets the certificate of a site from another resource has to see what that one did
 * last, for the same certificate sent twice destroys the true previous.
 */
export interface Uploads {
  /** The last one to the site, if that was for another resource. */
  ofAnother(object: SiteCertificate, session: SiteAccount, siteID: string): Upload | undefined;
  /** Runs one. */
  run<Answer>(
    object: SiteCertificate,
    session: SiteAccount,
    siteID: string,
    upload: () => Promise<Answer>,
  ): Promise<Answer>;
}

/** Where the site is, whichever account shows it. */
export type SiteAccount = Pick<AccountSession, 'service'>;

export function siteKey({ service }: SiteAccount, siteID: string): string {
  return `${service} ${siteID}`;
}

export function createUploads(clock: Clock): Uploads {
  /** By site; the one that was begun longest ago first. */
  const last = new Map<string, Upload>();

  function clear(): void {
    for (const [site, { endedAt }] of last) {
      if (endedAt === undefined || clock.monotonic() - endedAt < REMEMBERED_MILLISECONDS) break;
      last.delete(site);
    }
  }

  return {
    ofAnother({ metadata }, session, siteID) {
      const upload = last.get(siteKey(session, siteID));
      return upload?.uid === metadata.uid ? undefined : upload;
    },
    async run({ metadata }, session, siteID, start) {
      clear();
      const ended = Promise.withResolvers<void>();
      const upload: Upload = { uid: metadata.uid, done: ended.promise, endedAt: undefined };
      const site = siteKey(session, siteID);
      last.delete(site);
      last.set(site, upload);
      try {
        return await start();
      } finally {
        upload.endedAt = clock.monotonic();
        ended.resolve();
      }
    },
  };
}
