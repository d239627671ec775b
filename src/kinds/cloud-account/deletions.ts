import type { CloudClient } from '../../cloud/client.ts';
import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import { mayBeDone } from '../../reconcile/failure.ts';

/** So long lists are no surprise that do not show what was deleted. Milliseconds. */
const DELETED_MILLISECONDS = 30 * 60_000;
/**
 * The same of what may have been deleted, for no answer came: by then it was asked for again, or somebody has called it off, and
 * what is lost later is a loss. Milliseconds.
 */
const UNANSWERED_MILLISECONDS = 5 * 60_000;

/** What this process deleted at the service, or may have: lists that do not show it any more are no surprise. */
export interface Deletions {
  has(id: string): boolean;
  /** The same client; what it deletes is noted. */
  noting(client: CloudClient): CloudClient;
}

export function createDeletions(monotonic: () => number): Deletions {
  /** Until when; in the order in which it was noted. Monotonic milliseconds. */
  const expected = new Map<string, number>();
  /** Sent, and not answered yet. */
  const underWay = new Set<string>();

  function note(id: string, milliseconds: number): void {
    const now = monotonic();
    expected.delete(id);
    expected.set(id, now + milliseconds);
    for (const [old, until] of expected) {
      if (until > now) break;
      expected.delete(old);
    }
  }

  /** Without an answer the service may have done it all the same. */
  async function noted(id: string, options: CallOptions, call: (o: CallOptions) => Promise<void>): Promise<void> {
    let times = 0;
    const onSent = () => {
      times++;
      underWay.add(id);
      options.onSent?.();
    };
    try {
      await call({ ...options, onSent });
      note(id, DELETED_MILLISECONDS);
    } catch (error) {
      if (mayBeDone(error, times)) note(id, UNANSWERED_MILLISECONDS);
      throw error;
    } finally {
      underWay.delete(id);
    }
  }

  return {
    has: (id) => underWay.has(id) || (expected.get(id) ?? Number.NEGATIVE_INFINITY) > monotonic(),
    noting(client) {
      const { sims, gateways, sites } = client;
      return {
        ...client,
        sims: { ...sims, delete: (id, o) => noted(id, o, (options) => sims.delete(id, options)) },
        gateways: {
          ...gateways,
          delete: (zone, id, o) => noted(id, o, (options) => gateways.delete(zone, id, options)),
        },
        sites: { ...sites, delete: (id, o) => noted(id, o, (options) => sites.delete(id, options)) },
      };
    },
  };
}
