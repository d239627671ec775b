import { hasSession } from '../cloud/sim/session.ts';
import { messageOf } from '../errors.ts';
import { detailRates } from '../kinds/common/turns.ts';
import { isTheSim } from '../kinds/sim/find.ts';
import type { Sim } from '../kinds/sim/schema.ts';
import type { AccountSession } from '../reconcile/session.ts';
import { createDetailTurns, type DetailTurns } from './detail-turns.ts';
import { amount } from './metrics/amount.ts';
import type { Wiring } from './wiring.ts';

/** The service measures in steps of this (`api.md`, SIM metrics). */
export const RATE_STEP_MILLISECONDS = 300_000;
/** The newest step may come late; what is older says nothing of now. */
export const RATE_FRESH_MILLISECONDS = 3 * RATE_STEP_MILLISECONDS;

/** What the service last measured of a SIM. Bytes a second. */
export interface SimRate {
  readonly uplink: number;
  readonly downlink: number;
}

/** Has the rates of SIMs read, in turn; they are in no list. */
export interface SimRates extends DetailTurns<Sim> {
  /** Of the SIM with that ID at the service; undefined: not known of the last quarter of an hour. */
  of(sim: Sim): SimRate | undefined;
}

/** One request for each SIM with a session, every five minutes at most, and at the rate that its account can spare. */
export function createSimRates(
  wiring: Pick<Wiring, 'engine' | 'registry' | 'users' | 'sims' | 'clock' | 'random' | 'detailPace'>,
): SimRates {
  const { clock, registry, users, engine } = wiring;
  const known = new Map<string, SimRate & { readonly id: string; readonly at: number }>();
  const turns = createDetailTurns<Sim>(wiring, {
    holders: wiring.sims.holders,
    read: (sim, session) => void read(sim, session),
    rate: detailRates.simRates,
    requests: () => 1,
    least: RATE_STEP_MILLISECONDS,
  });

  async function read({ metadata: { uid, namespace }, status }: Sim, { client }: AccountSession): Promise<void> {
    const { id } = status ?? {};
    if (id === undefined) return;
    const range = { start: new Date(clock.now() - RATE_FRESH_MILLISECONDS), end: new Date(clock.now()) };
    try {
      const points = await client.sims.metrics(id, range, { lane: 'audit', party: namespace });
      const last = points.at(-1);
      const at = Date.parse(last?.at ?? '');
      const uplink = amount(last && last.uplinkBps / 8);
      const downlink = amount(last && last.downlinkBps / 8);
      // Its clock may be ahead of ours, and a time in the future would never be too old.
      if (uplink !== undefined && downlink !== undefined)
        known.set(uid, { id, at: Math.min(at, clock.now()), uplink, downlink });
    } catch (error) {
      engine.log.debug({ err: error, simID: id }, `the rates of a SIM were not read: ${messageOf(error)}`);
    }
  }

  function isConnected(sim: Sim): boolean {
    const item = registry
      .get(users.accountOf(sim))
      ?.sims.snapshot()
      ?.items.get(sim.status?.id ?? '');
    return item !== undefined && isTheSim(sim, item) && hasSession(item.status ?? {}) === true;
  }

  return {
    take: (sims) => turns.take(sims.filter(isConnected)),
    forget(uid) {
      turns.forget(uid);
      known.delete(uid);
    },
    of({ metadata: { uid }, status }) {
      const rate = known.get(uid);
      return rate?.id === status?.id && rate && clock.now() - rate.at <= RATE_FRESH_MILLISECONDS ? rate : undefined;
    },
  };
}
