import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import { fetchWhole } from '../../cloud/list/fetch.ts';
import { UsageError } from '../errors.ts';
import type { Answer } from './answer.ts';
import type { Work } from './run.ts';
import type { Subject } from './subject.ts';

type GatewayWork = Work & { readonly subject: Subject };

const READ: CallOptions = { lane: 'list' };
const PAGE_SIZE = 1000;

function placeOf({ zone, id }: Subject): readonly [zone: string, id: string] {
  if (zone !== undefined) return [zone, id];
  throw new UsageError(`it is not known in which zone the gateway ${id} is`, 'Add --zone, for example --zone is1a.');
}

/** What a person asks of a gateway (`api.md`, Mobile gateway operations), each with its answer. All throw CloudError. */
export const gatewayOperations = {
  async sims({ access, subject }: GatewayWork): Promise<Answer> {
    const [zone, id] = placeOf(subject);
    const sims = await fetchWhole({
      route: 'GET /appliance/:id/mobilegateway/sims',
      fetchPage: (from) => access.client.gateways.sims(zone, id, { from, count: PAGE_SIZE }, READ),
      idOf: ({ resourceID }) => resourceID,
    });
    return {
      of: subject.title,
      items: sims.map(({ resourceID, iccid, ip, sessionStatus, activated, traffic }) => ({
        resourceID,
        iccid,
        ip,
        sessionStatus,
        activated,
        uplinkBytes: traffic?.uplinkBytes,
        downlinkBytes: traffic?.downlinkBytes,
      })),
      none: 'No SIM is registered with it.',
    };
  },

  async logs({ access, subject }: GatewayWork, count: number): Promise<Answer> {
    const [zone, id] = placeOf(subject);
    const entries = await access.client.gateways.sessionLog(zone, id, { count }, READ);
    return {
      of: subject.title,
      items: entries.map((entry) => ({ ...entry })),
      none: 'The session log is empty.',
    };
  },

  async traffic({ access, subject }: GatewayWork): Promise<Answer> {
    const [zone, id] = placeOf(subject);
    const traffic = await access.client.gateways.trafficStatus(zone, id, READ);
    // The webhook is a secret, and is not among what is shown.
    const monitoring = await access.client.gateways.trafficMonitoring(zone, id, READ);
    const { quotaMB, bandwidthLimitKbps, autoTrafficShaping } = monitoring ?? {};
    return { of: subject.title, items: [{ ...traffic, quotaMB, autoTrafficShaping, bandwidthLimitKbps }] };
  },
};
