import { apis, lanes } from '../../cloud/limiter/lanes.ts';
import type { AccountRegistry } from '../../kinds/cloud-account/registry.ts';
import type { MetricSource } from '../../telemetry/metrics.ts';

/** The budget of each account, what used it, what waits for it, and what is not called at all. */
export function requestSource(registry: AccountRegistry): MetricSource {
  return (show) => {
    for (const { account, session } of registry.sessions()) {
      const { limiter, circuit, verified } = session;
      for (const api of apis) {
        show('edgeline_circuit_open', { account, api }, circuit.isOpen() || circuit.isOpen(api) ? 1 : 0);
      }
      // Who only names the token of others is not told what they send.
      if (!verified) continue;
      const { used, limit } = limiter.budget();
      show('edgeline_api_budget_remaining', { account, api: 'webaccel' }, limit - used);
      show('edgeline_api_budget_limit', { account, api: 'webaccel' }, limit);
      show('edgeline_api_rate_limit', { account, api: 'cloud' }, limiter.limits().cloudRequestsPerSecond);
      show('edgeline_api_rate_allowed', { account, api: 'cloud' }, limiter.rate());
      const sent = limiter.sent();
      const waiting = limiter.waiting();
      for (const api of apis) {
        for (const lane of lanes) {
          show('edgeline_api_lane_requests_total', { account, api, lane }, sent[api][lane]);
          show('edgeline_api_lane_waiting', { account, api, lane }, waiting[api][lane]);
        }
      }
    }
  };
}
