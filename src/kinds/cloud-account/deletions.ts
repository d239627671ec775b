import type { CloudClient } from '../../cloud/client.ts';

/** Long enough for every list to have shown it. Milliseconds. */
const REMEMBERED = 30 * 60_000;

/** What was deleted at the service by this process: lists that do not show it any more are no surprise. */
export interface Deletions {
  has(id: string): boolean;
  /** The same client; what it deletes is noted. */
  noting(client: CloudClient): CloudClient;
}

export function createDeletions(monotonic: () => number): Deletions {
  const deleted = new Map<string, number>();

  function note(id: string): void {
    const now = monotonic();
    for (const [old, at] of deleted) if (now - at > REMEMBERED) deleted.delete(old);
    deleted.set(id, now);
  }

  return {
    has: (id) => deleted.has(id),
    noting(client) {
      const { sims, gateways, sites } = client;
      return {
        ...client,
        sims: { ...sims, delete: (id, o) => sims.delete(id, o).then(() => note(id)) },
        gateways: { ...gateways, delete: (zone, id, o) => gateways.delete(zone, id, o).then(() => note(id)) },
        sites: { ...sites, delete: (id, o) => sites.delete(id, o).then(() => note(id)) },
      };
    },
  };
}
