import { describe, expect, it } from 'vitest';
import { fleet, gatewayID, truckID, useService } from './service.ts';

const service = useService({ seed: fleet });
const truck = `/commonserviceitem/${truckID}/sim`;
const imei = '356900000000017';

async function log(path = `${truck}/sessionlog`, query = '', zone = 'is1a'): Promise<unknown> {
  const { body } = await service.call('GET', `${path}${query}`, undefined, { zone });
  return body;
}

const created = (date: string) => ({
  date,
  session_status: 'Created',
  resource_id: truckID,
  imei,
  imsi: expect.stringMatching(/^44010\d{10}$/),
});
const deleted = (date: string) => ({
  date,
  session_status: 'Deleted',
  resource_id: truckID,
  imsi: expect.stringMatching(/^44010\d{10}$/),
});

describe('the session log', () => {
  it('tells what happened, newest first, for the SIM and for its gateway', async () => {
    await service.control.advance(60);
    await service.call('PUT', `${truck}/deactivate`);
    await service.control.advance(60);
    await service.call('PUT', `${truck}/activate`);
    const logs = [
      created('2026-01-01T00:02:00+00:00'),
      deleted('2026-01-01T00:01:00+00:00'),
      created('2026-01-01T00:00:00+00:00'),
    ];
    expect(await log()).toEqual({ is_ok: true, logs, Count: 3 });
    expect(await log(`/applience/${gatewayID}/mobilegateway/sessionlog`, '', 'is1b')).toEqual({
      is_ok: true,
      logs,
      Count: 3,
    });
    expect(await log(`${truck}/sessionlog`, encodeURI('?{"Count":1}'))).toEqual({
      is_ok: true,
      logs: logs.slice(0, 1),
      Count: 1,
    });
  });

  it('shows a reconnect, and the renewal of a session that lasts', async () => {
    await service.call('PUT', `${truck}/reconnect`);
    expect(await log()).toEqual({
      is_ok: true,
      logs: [
        created('2026-01-01T00:00:00+00:00'),
        deleted('2026-01-01T00:00:00+00:00'),
        created('2026-01-01T00:00:00+00:00'),
      ],
      Count: 3,
    });
    await service.control.advance(86_400);
    expect(await log()).toEqual(expect.objectContaining({ Count: 11 }));
  });
});

describe('traffic and metrics', () => {
  const month = async () => {
    const { body } = await service.call('GET', `${truck}/status`);
    const { sim } = body;
    return sim && typeof sim === 'object' && 'traffic_bytes_of_current_month' in sim
      ? sim.traffic_bytes_of_current_month
      : sim;
  };

  it('grow while the session is up, stand still while it is down, and begin anew with the month of +09:00', async () => {
    const seen = [await month()];
    await service.control.advance(3600);
    seen.push(await month());
    await service.call('PUT', `${truck}/deactivate`);
    await service.control.advance(3600);
    seen.push(await month());
    await service.control.setClock('2026-01-31T15:00:00Z');
    seen.push(await month());
    const hour = { uplink_bytes: expect.anything(), downlink_bytes: expect.anything() };
    const nothing = { uplink_bytes: 0, downlink_bytes: 0 };
    expect(seen).toEqual([nothing, hour, seen[1], nothing]);
  });

  it('come as numbers and, in the Extended dialect, as strings of digits too, by SIM', async () => {
    for (let index = 0; index < 16; index++) {
      const ip = `10.0.0.${100 + index}`;
      await service.control.add('sims', { iccid: `89810000000000001${index}`, activated: true, gateway: 'depot', ip });
    }
    await service.control.advance(3600);
    const query = encodeURIComponent('{"Include":["Status.sim.traffic_bytes_of_current_month","Status.sim"]}');
    const kindsIn = async (extended: boolean) => {
      const { text } = await service.call('GET', `/commonserviceitem?${query}`, undefined, { extended });
      const found = [...text.matchAll(/"uplink_bytes":("?)\d+/g)].map(([, quote]) => (quote ? 'string' : 'number'));
      return [...new Set(found)].sort();
    };
    expect([await kindsIn(false), await kindsIn(true)]).toEqual([['number'], ['number', 'string']]);
  });

  it('metrics are the same whenever they are asked for, and 0 while the session is down', async () => {
    await service.control.advance(600);
    await service.call('PUT', `${truck}/deactivate`);
    await service.control.advance(600);
    const query = encodeURIComponent('{"Start":"2026-01-01T00:00:00.000+00:00","End":"2026-01-01T00:15:00.000+00:00"}');
    const first = (await service.call('GET', `${truck}/metrics?${query}`)).body['Data'];
    await service.control.advance(86_400);
    const second = (await service.call('GET', `${truck}/metrics?${query}`)).body['Data'];
    const busy = { UplinkBps: expect.any(Number), DownlinkBps: expect.any(Number) };
    const idle = { UplinkBps: 0, DownlinkBps: 0 };
    expect(first).toEqual({
      '2026-01-01T09:00:00+09:00': busy,
      '2026-01-01T09:05:00+09:00': busy,
      '2026-01-01T09:10:00+09:00': idle,
      '2026-01-01T09:15:00+09:00': idle,
    });
    expect(first).not.toEqual(expect.objectContaining({ '2026-01-01T09:05:00+09:00': idle }));
    expect(second).toEqual(first);
  });
});
