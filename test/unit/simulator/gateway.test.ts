import { describe, expect, it } from 'vitest';
import { fleet, gatewayID, refusal, truckICCID, truckID, useService } from './service.ts';

const service = useService({ seed: fleet });
const bareID = '113300000202';
const spareID = '113300000102';
const bare = `/applience/${bareID}`;
const depot = `/applience/${gatewayID}`;
const inDepot = { zone: 'is1b' };
const tail = { Success: true, ReturnCode: 0, ResponseHeaders: { Status: '200 OK', Cause: null }, Out: null };

function newGateway(change: Record<string, unknown> = {}) {
  return {
    Appliance: {
      Name: 'new',
      Class: 'mobilegateway',
      Plan: { ID: 2 },
      Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
      ...change,
    },
  };
}

function settings(MobileGateway: unknown) {
  return { Appliance: { Settings: { MobileGateway } } };
}

const wholeSettings = {
  InternetConnection: { Enabled: 'True' },
  Interfaces: [null, { IPAddress: ['192.168.0.1'], NetworkMaskLen: 24 }],
  StaticRoutes: [{ Prefix: '10.1.0.0/16', NextHop: '192.168.0.254' }],
  InterDeviceCommunication: { Enabled: 'False' },
};

async function create(change: Record<string, unknown> = {}): Promise<string> {
  await service.call('POST', '/appliance', newGateway(change));
  return Object.keys((await service.control.state()).gateways).at(-1) ?? '';
}

async function gateway(path: string, extended = false): Promise<unknown> {
  return (await service.call('GET', path, undefined, { extended })).body['Appliance'];
}

describe('POST /appliance', () => {
  it('answers a gateway that migrates, becomes available in time and is not running', async () => {
    await service.control.changeSettings({ migratingTime: 10_000 });
    const answer = await service.call('POST', '/appliance', newGateway({ Plan: { ID: '2' } }));
    const id = Object.keys((await service.control.state()).gateways).at(-1) ?? '';
    const appliance = {
      ID: id,
      Class: 'mobilegateway',
      Name: 'new',
      Description: '',
      Plan: { ID: 2 },
      Settings: null,
      SettingsHash: null,
      Remark: { Servers: [{}], Switch: { Scope: 'shared' }, Zone: { ID: '31001' } },
      Availability: 'migrating',
      Instance: null,
      ServiceClass: 'cloud/appliance/mobilegateway/1',
      CreatedAt: '2026-01-01T09:00:00+09:00',
      Icon: null,
      Switch: null,
      Interfaces: [],
      Tags: [],
    };
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        is_ok: true,
        Appliance: appliance,
        ...tail,
        Success: 'Accepted',
        ResponseHeaders: { Status: '202 Accepted', Cause: null },
      },
    ]);
    expect(await gateway(`/applience/${id}`)).toEqual(appliance);
    await service.control.advance(10);
    const publicSide = {
      IPAddress: expect.stringMatching(/^203\.0\.113\.\d+$/),
      UserIPAddress: null,
      HostName: null,
      Switch: {
        ID: '113300000000',
        Name: 'shared',
        Scope: 'shared',
        Subnet: {
          NetworkAddress: '203.0.113.0',
          NetworkMaskLen: 24,
          DefaultRoute: '203.0.113.1',
          Internet: { BandWidthMbps: 100 },
        },
        UserSubnet: { DefaultRoute: '203.0.113.1', NetworkMaskLen: 24 },
      },
    };
    expect(await gateway(`/applience/${id}`)).toEqual({
      ...appliance,
      Availability: 'available',
      Instance: { Status: 'down', StatusChangedAt: null },
      Interfaces: [publicSide, null],
    });
  });

  it('ends failed when the name asks for it', async () => {
    const id = await create({ Name: 'simulate-failed-1' });
    expect(await gateway(`/applience/${id}`)).toEqual(expect.objectContaining({ Availability: 'failed' }));
    const answer = await service.call('PUT', `/applience/${id}/config`);
    expect(refusal(answer)).toBe(`409 conflict: mobile gateway ${id} is failed`);
    expect((await service.call('DELETE', `/applience/${id}`)).status).toBe(200);
  });

  it.each<[string, unknown, string]>([
    ['no Name', newGateway({ Name: undefined }), 'Appliance.Name: write a name'],
    ['another class', newGateway({ Class: 'vpcrouter' }), 'Appliance.Class: write mobilegateway'],
    ['no plan', newGateway({ Plan: undefined }), 'Appliance.Plan: write {ID: 2}'],
    ['another plan', newGateway({ Plan: { ID: 1 } }), 'Appliance.Plan.ID: write 2, the only plan there is'],
    ['no Remark', newGateway({ Remark: undefined }), 'Appliance.Remark: write an object with Servers and Switch'],
    [
      'no server in Remark',
      newGateway({ Remark: { Servers: [], Switch: { Scope: 'shared' } } }),
      'Appliance.Remark.Servers: write a list of one empty object',
    ],
    [
      'another scope',
      newGateway({ Remark: { Servers: [{}], Switch: { Scope: 'user' } } }),
      'Appliance.Remark.Switch.Scope: write shared',
    ],
  ])('refuses %s', async (_, body, message) => {
    expect(refusal(await service.call('POST', '/appliance', body))).toBe(`400 bad_request: ${message}`);
  });

  it('refuses work while it migrates, but can be deleted', async () => {
    await service.control.changeSettings({ migratingTime: 10_000 });
    const id = await create();
    const answers = [];
    for (const [method, path, body] of [
      ['PUT', '', settings(wholeSettings)],
      ['PUT', '/config', undefined],
      ['POST', '/mobilegateway/sims', { sim: { resource_id: spareID } }],
    ] as const) {
      answers.push(refusal(await service.call(method, `/applience/${id}${path}`, body)));
    }
    expect(answers).toEqual(
      Array.from({ length: 3 }, () => `409 still_creating: mobile gateway ${id} is still being created`),
    );
    expect((await service.call('DELETE', `/applience/${id}`)).body).toEqual({
      is_ok: true,
      Success: true,
      Appliance: expect.objectContaining({ ID: id, Instance: null, Interfaces: [] }),
    });
  });
});

describe('settings', () => {
  it('are shown at once, and take effect by the config update', async () => {
    const put = await service.call('PUT', bare, settings(wholeSettings));
    const hash = expect.stringMatching(/^[0-9a-f]{32}$/);
    const shown = { Settings: { MobileGateway: wholeSettings }, SettingsHash: hash };
    expect(put.body).toEqual({ is_ok: true, ...tail, Appliance: expect.objectContaining(shown) });
    expect(await gateway(bare)).toEqual(expect.objectContaining(shown));
    const inEffect = async () => {
      const { pending, applied, configPending } = (await service.control.state()).gateways[bareID] ?? {};
      return { pending, applied, configPending };
    };
    const pending = {
      internetConnection: true,
      interDeviceCommunication: false,
      privateInterface: { ipAddress: '192.168.0.1', networkMaskLength: 24 },
      staticRoutes: [{ prefix: '10.1.0.0/16', nextHop: '192.168.0.254' }],
    };
    expect(await inEffect()).toEqual({ pending, applied: null, configPending: true });
    expect((await service.call('PUT', `${bare}/config`)).body).toEqual({ is_ok: true, ...tail });
    expect(await inEffect()).toEqual({ pending, applied: pending, configPending: false });
    expect(await gateway(bare)).toEqual(
      expect.objectContaining({
        Interfaces: [expect.anything(), expect.objectContaining({ UserIPAddress: '192.168.0.1' })],
      }),
    );
  });

  it('are replaced as a whole', async () => {
    await service.call('PUT', bare, settings(wholeSettings));
    await service.call('PUT', bare, settings({ InternetConnection: { Enabled: 'False' } }));
    expect(await gateway(bare)).toEqual(
      expect.objectContaining({ Settings: { MobileGateway: { InternetConnection: { Enabled: 'False' } } } }),
    );
  });

  it('are refused when they changed since the hash that is sent', async () => {
    const change = (SettingsHash: string) => ({
      Appliance: { ...settings(wholeSettings).Appliance, SettingsHash },
    });
    expect(refusal(await service.call('PUT', bare, change('0'.repeat(32))))).toBe(
      '409 original_hash_mismatch: Appliance.SettingsHash: the settings have changed since',
    );
    expect((await service.call('PUT', bare, change(''))).status).toBe(200);
  });

  const at = 'Appliance.Settings.MobileGateway';
  it.each<[string, unknown, string]>([
    [
      'a boolean switch',
      { InternetConnection: { Enabled: true } },
      `${at}.InternetConnection.Enabled: write "True" or "False"`,
    ],
    ['a public interface', { Interfaces: [wholeSettings.Interfaces[1]] }, `${at}.Interfaces: write null at index 0`],
    [
      'an address that is none',
      { Interfaces: [null, { IPAddress: ['x'], NetworkMaskLen: 24 }] },
      `${at}.Interfaces[1].IPAddress[0]: write an IPv4 address such as 192.0.2.10`,
    ],
    [
      'an address that is no list',
      { Interfaces: [null, { IPAddress: '192.168.0.1', NetworkMaskLen: 24 }] },
      `${at}.Interfaces[1].IPAddress: write a list of one IPv4 address`,
    ],
    [
      'a mask length as a string',
      { Interfaces: [null, { IPAddress: ['192.168.0.1'], NetworkMaskLen: '24' }] },
      `${at}.Interfaces[1].NetworkMaskLen: write a whole number`,
    ],
    [
      'static routes without the private interface',
      { StaticRoutes: wholeSettings.StaticRoutes },
      `${at}.StaticRoutes: they need the private interface, Interfaces[1]`,
    ],
    [
      'a route to no network',
      { ...wholeSettings, StaticRoutes: [{ Prefix: '10.1.0.0', NextHop: '192.168.0.254' }] },
      `${at}.StaticRoutes[0].Prefix: write an IPv4 network in CIDR form, such as 192.0.2.0/24`,
    ],
  ])('refuse %s', async (_, given, message) => {
    expect(refusal(await service.call('PUT', bare, settings(given)))).toBe(`400 bad_request: ${message}`);
  });
});

describe('registered SIMs', () => {
  const sims = `${bare}/mobilegateway/sims`;

  it('are listed with their IP, by pages', async () => {
    const { body } = await service.call(
      'GET',
      `${depot}/mobilegateway/sims?${encodeURI('{"From":0,"Count":1}')}`,
      undefined,
      inDepot,
    );
    expect(body).toEqual({
      is_ok: true,
      sim: [expect.objectContaining({ resource_id: truckID, ip: '10.0.0.17', session_status: 'UP' })],
      Total: 1,
      From: 0,
      Count: 1,
    });
    const beyond = await service.call(
      'GET',
      `${depot}/mobilegateway/sims?${encodeURI('{"From":1}')}`,
      undefined,
      inDepot,
    );
    expect(beyond.body).toEqual({ is_ok: true, sim: [], Total: 1, From: 1, Count: 0 });
  });

  it.each([spareID, Number(spareID)])('are named by an ID such as %j', async (resource_id) => {
    expect((await service.call('POST', sims, { sim: { resource_id } })).body).toEqual({ is_ok: true });
  });

  it.each<[string, string, string, unknown, string]>([
    [
      'a SIM registered elsewhere',
      'POST',
      sims,
      { sim: { resource_id: truckID } },
      `409 res_already_connected: SIM ${truckID} is registered to mobile gateway ${gatewayID}`,
    ],
    [
      'a SIM that does not exist',
      'POST',
      sims,
      { sim: { resource_id: '999' } },
      '404 not_found: SIM 999 does not exist',
    ],
    ['no SIM', 'POST', sims, {}, '400 bad_request: sim: write an object with resource_id'],
    [
      'to remove a SIM that is not there',
      'DELETE',
      `${sims}/${truckID}`,
      undefined,
      `404 not_found: SIM ${truckID} on mobile gateway ${bareID} does not exist`,
    ],
  ])('refuse %s', async (_, method, path, body, expected) => {
    expect(refusal(await service.call(method, path, body))).toBe(expected);
  });

  it('stay while they have an IP', async () => {
    const answer = await service.call('DELETE', `${depot}/mobilegateway/sims/${truckID}`, undefined, inDepot);
    expect(refusal(answer)).toBe(`409 conflict: SIM ${truckID} has the address 10.0.0.17: IP must be deleted first`);
  });

  it('keep their gateway from being deleted', async () => {
    const answer = await service.call('DELETE', depot, undefined, inDepot);
    expect(refusal(answer)).toBe(`409 conflict: mobile gateway ${gatewayID} has 1 SIMs registered: remove them first`);
  });
});

describe('SIM routes', () => {
  const routes = (path: string, sim_routes: unknown, zone = 'is1b') =>
    service.call('PUT', `${path}/mobilegateway/simroutes`, { sim_routes }, { zone });

  it('are stored and shown with the ICCID', async () => {
    await routes(depot, [{ resource_id: truckID, prefix: '10.9.0.0/24' }]);
    const { body } = await service.call('GET', `${depot}/mobilegateway/simroutes`, undefined, inDepot);
    expect(body['sim_routes']).toEqual([{ iccid: truckICCID, prefix: '10.9.0.0/24', resource_id: truckID }]);
  });

  it('go with the registration of their SIM', async () => {
    await routes(depot, [{ resource_id: truckID, prefix: '10.9.0.0/24' }]);
    await service.call('DELETE', `/commonserviceitem/${truckID}/sim/ip`);
    await service.call('DELETE', `${depot}/mobilegateway/sims/${truckID}`, undefined, inDepot);
    const { body } = await service.call('GET', `${depot}/mobilegateway/simroutes`, undefined, inDepot);
    expect(body['sim_routes']).toEqual([]);
  });

  it('wait for the first config update', async () => {
    const id = await create();
    const path = `/applience/${id}`;
    expect(refusal(await routes(path, [], 'is1a'))).toBe(
      `409 conflict: mobile gateway ${id} has never had its config updated: do that first`,
    );
    await service.call('PUT', `${path}/config`);
    expect((await routes(path, [], 'is1a')).status).toBe(200);
  });

  it.each<[string, unknown, string]>([
    [
      'a SIM of no gateway',
      [{ resource_id: spareID, prefix: '10.9.0.0/24' }],
      `sim_routes[0].resource_id: SIM ${spareID} is not registered to this gateway`,
    ],
    [
      'a prefix twice',
      [1, 2].map(() => ({ resource_id: truckID, prefix: '10.9.0.0/24' })),
      'sim_routes[1].prefix: 10.9.0.0/24 has a route already',
    ],
    [
      'a prefix that is none',
      [{ resource_id: truckID, prefix: 'x' }],
      'sim_routes[0].prefix: write an IPv4 network in CIDR form, such as 192.0.2.0/24',
    ],
    ['what is no list', {}, 'sim_routes: write a list of {resource_id, prefix}'],
  ])('refuse %s', async (_, given, message) => {
    expect(refusal(await routes(depot, given))).toBe(`400 bad_request: ${message}`);
  });
});

describe('DNS', () => {
  const path = `${bare}/mobilegateway/dnsresolver`;

  it('is an empty list until it is set', async () => {
    const before = (await service.call('GET', path)).body['sim_group'];
    await service.call('PUT', path, { sim_group: { dns_1: '192.0.2.1', dns_2: '192.0.2.2' } });
    expect([before, (await service.call('GET', path)).body['sim_group']]).toEqual([
      [],
      { dns_1: '192.0.2.1', dns_2: '192.0.2.2' },
    ]);
  });

  it('needs both addresses', async () => {
    const answer = await service.call('PUT', path, { sim_group: { dns_1: '192.0.2.1' } });
    expect(refusal(answer)).toBe('400 bad_request: sim_group.dns_2: write an IPv4 address');
  });
});

describe('traffic', () => {
  const path = `${bare}/mobilegateway/traffic_monitoring`;
  const config = {
    traffic_quota_in_mb: 10,
    auto_traffic_shaping: true,
    bandwidth_limit_in_kbps: 64,
    email_config: { enabled: true },
  };
  const url = 'https://chat.example.jp/hook';

  it.each([
    [
      'Documented',
      false,
      { chat_config: { enabled: true, chat_url: url } },
      { slack_config: { enabled: true, slack_url: url } },
    ],
    [
      'Extended',
      true,
      { slack_config: { enabled: true, slack_url: url } },
      { chat_config: { enabled: true, chat_url: url } },
    ],
  ] as const)('monitoring has the word of the %s dialect for the chat', async (_, extended, own, foreign) => {
    const put = (chat: object) =>
      service.call('PUT', path, { traffic_monitoring_config: { ...config, ...chat } }, { extended });
    const get = async () =>
      (await service.call('GET', path, undefined, { extended })).body['traffic_monitoring_config'];
    await put(own);
    const after = await get();
    await put(foreign);
    const disabled = extended
      ? { slack_config: { enabled: false, slack_url: '' } }
      : { chat_config: { enabled: false, chat_url: '' } };
    expect([after, await get()]).toEqual([
      { ...config, ...own },
      { ...config, ...disabled },
    ]);
  });

  it('monitoring is 404 until it is set and after it is deleted', async () => {
    const get = async () => (await service.call('GET', path)).status;
    const seen = [await get(), (await service.call('DELETE', path)).status];
    await service.call('PUT', path, { traffic_monitoring_config: config });
    seen.push(await get(), (await service.call('DELETE', path)).status, await get());
    expect(seen).toEqual([404, 404, 200, 200, 404]);
  });

  it.each<[unknown, string]>([
    [{ ...config, traffic_quota_in_mb: '10' }, 'traffic_quota_in_mb: write a whole number'],
    [{ ...config, auto_traffic_shaping: 'True' }, 'auto_traffic_shaping: write true or false'],
    [{ ...config, email_config: true }, 'email_config: write an object with enabled'],
    [{ ...config, chat_config: { enabled: true } }, 'chat_config.chat_url: write the URL to notify'],
  ])('monitoring refuses %j', async (given, message) => {
    const answer = await service.call('PUT', path, { traffic_monitoring_config: given });
    expect(refusal(answer)).toBe(`400 bad_request: traffic_monitoring_config.${message}`);
  });

  it('grows while sessions are up, and is shaped beyond the quota', async () => {
    const status = async () =>
      (await service.call('GET', `${depot}/mobilegateway/traffic_status`, undefined, inDepot)).body['traffic_status'];
    const before = await status();
    await service.call(
      'PUT',
      `${depot}/mobilegateway/traffic_monitoring`,
      { traffic_monitoring_config: config },
      inDepot,
    );
    await service.control.advance(20 * 86_400);
    expect([before, await status()]).toEqual([
      { uplink_bytes: '0', downlink_bytes: '0', traffic_shaping: false },
      {
        uplink_bytes: expect.stringMatching(/^[1-9]\d+$/),
        downlink_bytes: expect.stringMatching(/^[1-9]\d+$/),
        traffic_shaping: true,
      },
    ]);
  });
});

describe('power and interfaces, of the Extended dialect', () => {
  const extended = { extended: true };

  it('boots and stops, and takes the sessions along', async () => {
    const seen = [];
    for (const [method, word, body] of [
      ['PUT', 'power', undefined],
      ['PUT', 'power', undefined],
      ['PUT', 'reset', undefined],
      ['DELETE', 'power', {}],
      ['PUT', 'reset', undefined],
      ['PUT', 'power', undefined],
    ] as const) {
      const { status } = await service.call(method, `/appliance/${gatewayID}/${word}`, body, {
        ...extended,
        ...inDepot,
      });
      const { instanceStatus } = (await service.control.state()).gateways[gatewayID] ?? {};
      seen.push([status, instanceStatus, (await service.control.state()).sims[truckID]?.['sessionUp']]);
    }
    expect(seen).toEqual([
      [200, 'up', true],
      [409, 'up', true],
      [200, 'up', true],
      [200, 'down', false],
      [409, 'down', false],
      [200, 'up', true],
    ]);
  });

  it('refuses to delete a gateway that is up, which the Documented dialect does not', async () => {
    await service.call('PUT', `/appliance/${bareID}/power`, undefined, extended);
    const refused = await service.call('DELETE', `/appliance/${bareID}`, undefined, extended);
    expect(refusal(refused)).toBe(`409 conflict: mobile gateway ${bareID} is up: stop it first`);
    expect((await service.call('DELETE', bare)).status).toBe(200);
  });

  it('connects interface 1 to a switch', async () => {
    const path = `/appliance/${bareID}/interface/1/to/switch`;
    const statuses = [];
    for (const [method, end] of [
      ['PUT', '/113300000900'],
      ['PUT', '/113300000900'],
      ['DELETE', ''],
      ['DELETE', ''],
    ]) {
      statuses.push((await service.call(method ?? '', `${path}${end}`, undefined, extended)).status);
    }
    expect(statuses).toEqual([200, 409, 200, 409]);
  });
});
