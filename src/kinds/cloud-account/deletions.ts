import type { CloudClient } from '../../cloud/client.ts';
import { createChanges } from './changes.ts';

/** What was deleted at the service by this process: lists that do not show it any more are no surprise. */
export interface Deletions {
  has(id: string): boolean;
  /** The same client; what it deletes is noted. */
  noting(client: CloudClient): CloudClient;
}

export function createDeletions(monotonic: () => number): Deletions {
  const deleted = createChanges(monotonic);

  return {
    has: (id) => Number.isFinite(deleted.at(id)),
    noting(client) {
      const { sims, gateways, sites } = client;
      return {
        ...client,
        sims: { ...sims, delete: (id, o) => sims.delete(id, o).then(() => deleted.note(id)) },
        gateways: { ...gateways, delete: (zone, id, o) => gateways.delete(zone, id, o).then(() => deleted.note(id)) },
        sites: { ...sites, delete: (id, o) => sites.delete(id, o).then(() => deleted.note(id)) },
      };
    },
  };
}
