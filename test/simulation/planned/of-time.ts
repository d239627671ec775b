import { quantityBytes } from '../../../src/kinds/common/quantity.ts';
import type { Objects } from '../../../src/plan/objects.ts';
import type { Change, SimView } from '../../../src/shadow/service/types.ts';
import { monthStart } from '../../../src/simulator/dates.ts';
import { trafficBetween } from '../../../src/simulator/sim/session.ts';

/**
 * Whether a change stops a SIM that came over its limit only after the plan was made: time did that, whatever anybody
 * applied. `planned`: milliseconds since the Unix epoch.
 */
export function isOfTime({ route, objects, at }: Change, sims: Objects['sims'], planned: number): boolean {
  if (!route.endsWith('/sim/deactivate')) return false;
  return objects.some(({ kind, before }) => {
    if (kind !== 'sims' || !before) return false;
    return sims.some(({ spec: { iccid, dataLimit } }) => {
      if (!dataLimit || iccid !== before.iccid) return false;
      const limit = quantityBytes(dataLimit.monthly);
      return limit !== undefined && bytesBy(before, planned) <= limit && bytesBy(before, at) > limit;
    });
  });
}

/** The bytes of the month, by then. */
function bytesBy(sim: SimView, moment: number): number {
  const { uplinkBytes, downlinkBytes } = trafficBetween(sim, monthStart(moment), moment);
  return uplinkBytes + downlinkBytes;
}
