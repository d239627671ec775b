import { expect, it } from 'vitest';
import type { Gateway } from '../../../../src/cloud/gateway/types.ts';
import type { Site, SiteUsage } from '../../../../src/cloud/site/types.ts';
import type { Sim } from '../../../../src/kinds/sim/schema.ts';
import { gatewayFigures, simFigures, siteFigures } from '../../../../src/operator/metrics/figures.ts';
import { partial } from '../../../support/partial.ts';

it.each([-1, 1e308, -1e308, 2 ** 53, Number.POSITIVE_INFINITY, Number.NaN])(
  'an amount of %d is none, and takes from no sum over accounts',
  (wrong) => {
    const traffic = { uplinkBytes: wrong, downlinkBytes: 5 };
    const sim = partial<Sim>({ spec: { iccid: '8981' } });
    expect(
      simFigures(sim, {
        id: '1',
        name: '',
        iccid: '8981',
        availability: '',
        tags: [],
        status: {
          iccid: '8981',
          imsi: [],
          imeiLock: false,
          registered: true,
          activated: true,
          resourceID: '1',
          traffic,
        },
      }),
    ).toMatchObject({ month_uplink_bytes: undefined, month_downlink_bytes: 5 });
    const monitoring = { quotaMB: 500, autoTrafficShaping: false, bandwidthLimitKbps: 0, email: false, chat: false };
    const details = partial<Parameters<typeof gatewayFigures>[1] & object>({
      traffic: { ...traffic, trafficShaping: false },
      trafficMonitoring: monitoring,
    });
    expect(gatewayFigures(partial<Gateway>({ id: '2' }), details)).toMatchObject({
      month_uplink_bytes: undefined,
      month_downlink_bytes: 5,
      month_quota_ratio: undefined,
    });
    const usage = partial<SiteUsage>({ accessCount: wrong, bytesSent: wrong, cacheMissBytesSent: 1, price: wrong });
    const ofSite = new Map([['3', { ...usage, cacheHitRatioPercent: wrong }]]);
    expect(siteFigures(partial<Site>({ id: '3', status: 'enabled' }), ofSite)).toMatchObject({
      month_accesses: undefined,
      month_sent_bytes: undefined,
      month_cache_miss_sent_bytes: 1,
      month_cache_hit_ratio: undefined,
      month_price: undefined,
    });
  },
);
