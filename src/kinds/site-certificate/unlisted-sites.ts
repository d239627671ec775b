import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import { createKnowledge, type Known } from '../../reconcile/knowledge.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { SiteNames } from './checks.ts';
import { namesServed } from './locate-site.ts';
import type { SiteCertificate } from './schema.ts';

/** What is known of the site of a SiteCertificate that no list shows, as one that is beyond what lists have room for. */
export interface UnlistedSites {
  /** Its names, or that there is no such site; undefined: it has not been read. */
  known(object: SiteCertificate, session: AccountSession, siteID: string): Known<SiteNames | 'none'> | undefined;
  /** Reads it. Who asks again while it is read waits for the same. */
  read(object: SiteCertificate, session: AccountSession, siteID: string, call: CallOptions): Promise<void>;
  /** Facts were made of what is known. */
  used(object: SiteCertificate): void;
  drop(uid: string): void;
}

export function createUnlistedSites(clock: Pick<Clock, 'monotonic'>): UnlistedSites {
  /** By the ID of the site, and the account at the service that it was read in: another has another under that ID. */
  const knowledge = createKnowledge<SiteCertificate, SiteNames | 'none'>(clock, () => undefined);
  const siteOf = ({ identity }: AccountSession, siteID: string) => `${identity} ${siteID}`;
  const underWay = new Map<string, { readonly session: AccountSession; readonly done: Promise<void> }>();

  async function fetch(...[object, session, siteID, call]: Parameters<UnlistedSites['read']>): Promise<void> {
    const at = clock.monotonic();
    const value = await session.client.sites.read(siteID, call).then(namesServed, (error: unknown) => {
      if (error instanceof NotFoundError) return 'none' as const;
      throw error;
    });
    knowledge.learn(object, siteOf(session, siteID), { source: 'read', at, value, isFresh: true });
  }

  return {
    known: (object, session, siteID) => knowledge.known(object, siteOf(session, siteID)),
    used: knowledge.used,
    read(object, session, siteID, call) {
      const key = `${object.metadata.uid} ${siteID} ${call.lane}`;
      const shared = underWay.get(key);
      if (shared?.session === session) return shared.done;
      const reading = { session, done: fetch(object, session, siteID, call).finally(forget) };
      function forget(): void {
        if (underWay.get(key) === reading) underWay.delete(key);
      }
      underWay.set(key, reading);
      return reading.done;
    },
    drop: knowledge.drop,
  };
}
