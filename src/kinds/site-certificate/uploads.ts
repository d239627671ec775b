import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import type { WriteReport } from '../../cloud/write-report.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { SiteCertificate } from './schema.ts';

/** Long enough for whoever has read the site before to have read it again. Milliseconds. */
const REMEMBERED_MILLISECONDS = 24 * 3_600_000;

/** An upload that was sent to a site. */
export interface Upload {
  readonly uid: string;
  /** When it has ended, however it did. */
  readonly done: Promise<void>;
  /** Monotonic milliseconds; undefined: nothing is known of what came of it yet. */
  endedAt: number | undefined;
}

/**
 * The last upload to each site: whoever gets the certificate of a site from another resource has to see what that one did
 * last, for the same certificate sent twice destroys the true previous. What only waits for its turn counts for nothing, and
 * neither does what the service refused: anybody may ask for an upload to any site.
 */
export interface Uploads {
  /** The last one to the site, if that was for another resource. */
  ofAnother(object: SiteCertificate, session: SiteAccount, siteID: string): Upload | undefined;
  /**
   * The call of an upload, noted here. Right before it is sent it throws DecisionOutdatedError when another resource's came
   * after what was read of the site at this time, monotonic milliseconds.
   */
  watched(
    object: SiteCertificate,
    session: SiteAccount,
    siteID: string,
    readAt: number,
    call: CallOptions,
  ): CallOptions;
}

/** Where the site is, whichever account shows it. */
export type SiteAccount = Pick<AccountSession, 'service'>;

export function siteKey({ service }: SiteAccount, siteID: string): string {
  return `${service} ${siteID}`;
}

/** Whether what was read of the site at this time (monotonic milliseconds) may lack what an upload did. Pure. */
export function isBefore(readAt: number, { endedAt }: Upload): boolean {
  return endedAt === undefined || readAt <= endedAt;
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

  function ofAnother({ metadata }: SiteCertificate, session: SiteAccount, siteID: string): Upload | undefined {
    const upload = last.get(siteKey(session, siteID));
    return upload?.uid === metadata.uid ? undefined : upload;
  }

  function sent({ metadata }: SiteCertificate, site: string): (outcome: WriteReport['outcome']) => void {
    clear();
    const ended = Promise.withResolvers<void>();
    const upload: Upload = { uid: metadata.uid, done: ended.promise, endedAt: undefined };
    const before = last.get(site);
    last.delete(site);
    last.set(site, upload);
    return (outcome) => {
      upload.endedAt = clock.monotonic();
      ended.resolve();
      if (outcome !== 'refused' || last.get(site) !== upload) return;
      last.delete(site);
      if (before) last.set(site, before);
    };
  }

  return {
    ofAnother,
    watched(object, session, siteID, readAt, call) {
      let ended: ReturnType<typeof sent> | undefined;
      return {
        ...call,
        guard() {
          call.guard?.();
          const other = ofAnother(object, session, siteID);
          if (other && isBefore(readAt, other)) {
            throw new DecisionOutdatedError('a certificate was sent to the site for another resource');
          }
        },
        onSent() {
          ended = sent(object, siteKey(session, siteID));
          call.onSent?.();
        },
        onWrite(report) {
          ended?.(report.outcome);
          call.onWrite?.(report);
        },
      };
    },
  };
}
