import type { MovingPart } from '../http/read-items.ts';
import type { SimItem, SimStatus } from './types.ts';

/** What a SIM with a session has in another way in each list (`api.md`, SIM status: traffic_bytes_of_current_month). */
export const movingTraffic: MovingPart<SimItem> = {
  member: 'traffic_bytes_of_current_month',
  moved(item, from, to) {
    const [before, traffic] = [trafficIn(from), trafficIn(to)];
    const { status } = item;
    if (!status?.traffic || !before || !traffic) return undefined;
    const { uplinkBytes, downlinkBytes } = status.traffic;
    const isOfItem = before.uplinkBytes === uplinkBytes && before.downlinkBytes === downlinkBytes;
    return isOfItem ? { ...item, status: { ...status, traffic } } : undefined;
  },
};

/** Of numbers as JSON has them: what is written in another way has to be read as all else is. */
function trafficIn(text: string): SimStatus['traffic'] {
  try {
    const { uplink_bytes: uplinkBytes, downlink_bytes: downlinkBytes } = JSON.parse(text);
    return Number.isFinite(uplinkBytes) && Number.isFinite(downlinkBytes) ? { uplinkBytes, downlinkBytes } : undefined;
  } catch {
    return undefined;
  }
}
