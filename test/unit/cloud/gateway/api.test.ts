import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import type { DialectName } from '../../../../src/cloud/dialect.ts';
import { type DialectClients, startDialectClients } from '../../../support/dialect-clients.ts';

const o = { lane: 'write' } as const;
const prefix = '/cloud/zone/is1b/api/cloud/1.1';
const [zone, id, sim] = ['is1b', '113300000009', '113300000001'];
const dialects = ['Documented', 'Extended'] as const;
const word: Record<DialectName, string> = { Documented: 'applience', Extended: 'appliance' };

let service: DialectClients;
beforeAll(async () => {
  service = await startDialectClients();
});
afterAll(() => service.close());
beforeEach(() => {
  service.server.requests.length = 0;
});

type Operation = [string, (c: CloudClient) => Promise<unknown>, object | undefined, [string, string, unknown]];
const answer = { Appliance: { ID: id } };

describe('what each operation sends, below the path word of the dialect', () => {
  const operations: Operation[] = [
    ['read', (c) => c.gateways.read(zone, id, o), answer, ['GET', `/${id}`, null]],
    [
      'updateSettings with everything',
      (c) =>
        c.gateways.updateSettings(
          zone,
          id,
          {
            internetConnection: true,
            interDeviceCommunication: false,
            privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
            staticRoutes: [{ prefix: '192.0.2.0/24', nextHop: '10.0.0.2' }],
          },
          o,
        ),
      answer,
      [
        'PUT',
        `/${id}`,
        {
          Appliance: {
            Settings: {
              MobileGateway: {
                InternetConnection: { Enabled: 'True' },
                InterDeviceCommunication: { Enabled: 'False' },
                Interfaces: [null, { IPAddress: ['10.0.0.1'], NetworkMaskLen: 24 }],
                StaticRoutes: [{ Prefix: '192.0.2.0/24', NextHop: '10.0.0.2' }],
              },
            },
          },
        },
      ],
    ],
    [
      'updateSettings without a private interface',
      (c) => c.gateways.updateSettings(zone, id, { privateInterface: null }, o),
      answer,
      ['PUT', `/${id}`, { Appliance: { Settings: { MobileGateway: { Interfaces: [null] } } } }],
    ],
    ['config', (c) => c.gateways.config(zone, id, o), undefined, ['PUT', `/${id}/config`, null]],
    ['delete', (c) => c.gateways.delete(zone, id, o), undefined, ['DELETE', `/${id}`, null]],
    [
      'setDNS',
      (c) => c.gateways.setDNS(zone, id, { primary: '192.0.2.1', secondary: '192.0.2.2' }, o),
      undefined,
      ['PUT', `/${id}/mobilegateway/dnsresolver`, { sim_group: { dns_1: '192.0.2.1', dns_2: '192.0.2.2' } }],
    ],
    ['simRoutes', (c) => c.gateways.simRoutes(zone, id, o), {}, ['GET', `/${id}/mobilegateway/simroutes`, null]],
    [
      'setSimRoutes',
      (c) => c.gateways.setSimRoutes(zone, id, [{ resourceID: sim, prefix: '192.0.2.0/28' }], o),
      undefined,
      ['PUT', `/${id}/mobilegateway/simroutes`, { sim_routes: [{ resource_id: sim, prefix: '192.0.2.0/28' }] }],
    ],
    [
      'setSimRoutes to none',
      (c) => c.gateways.setSimRoutes(zone, id, [], o),
      undefined,
      ['PUT', `/${id}/mobilegateway/simroutes`, { sim_routes: [] }],
    ],
    [
      'trafficMonitoring',
      (c) => c.gateways.trafficMonitoring(zone, id, o),
      {},
      ['GET', `/${id}/mobilegateway/traffic_monitoring`, null],
    ],
    [
      'deleteTrafficMonitoring',
      (c) => c.gateways.deleteTrafficMonitoring(zone, id, o),
      undefined,
      ['DELETE', `/${id}/mobilegateway/traffic_monitoring`, null],
    ],
    [
      'trafficStatus',
      (c) => c.gateways.trafficStatus(zone, id, o),
      {},
      ['GET', `/${id}/mobilegateway/traffic_status`, null],
    ],
    [
      'sims',
      (c) => c.gateways.sims(zone, id, { from: 10, count: 5 }, o),
      {},
      ['GET', `/${id}/mobilegateway/sims?{"From":10,"Count":5}`, null],
    ],
    [
      'registerSim',
      (c) => c.gateways.registerSim(zone, id, sim, o),
      undefined,
      ['POST', `/${id}/mobilegateway/sims`, { sim: { resource_id: sim } }],
    ],
    [
      'unregisterSim',
      (c) => c.gateways.unregisterSim(zone, id, sim, o),
      undefined,
      ['DELETE', `/${id}/mobilegateway/sims/${sim}`, null],
    ],
    [
      'sessionLog',
      (c) => c.gateways.sessionLog(zone, id, { count: 3 }, o),
      {},
      ['GET', `/${id}/mobilegateway/sessionlog?{"Count":3}`, null],
    ],
  ];

  test.each(operations)('%s', async (_, call, json, [method, path, body]) => {
    for (const dialect of dialects) {
      service.server.requests.length = 0;
      service.server.answer({
        json: { is_ok: true, sim_routes: [], sim: [], logs: [], traffic_monitoring_config: [], ...json },
      });
      await call(service.client(dialect));
      expect(service.sent()).toEqual([[method, `${prefix}/${word[dialect]}${path}`, body]]);
    }
  });

  test.each(dialects)('create always spells appliance (%s)', async (dialect) => {
    service.server.answer({ status: 202, json: { is_ok: true, Success: 'Accepted', ...answer } });
    const created = await service.client(dialect).gateways.create(zone, { name: 'gw', planID: 2 }, o);
    expect(created.id).toBe(id);
    const appliance = {
      Name: 'gw',
      Class: 'mobilegateway',
      Plan: { ID: 2 },
      Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
    };
    expect(service.sent()).toEqual([['POST', `${prefix}/appliance`, { Appliance: appliance }]]);
  });

  test.each([
    ['Documented', 'Appliances.Class'],
    ['Extended', 'Class'],
  ] as const)('list filters by class (%s)', async (dialect, key) => {
    service.server.answer({ json: { is_ok: true, From: 0, Count: 0, Total: 0, Appliances: [] } });
    await service.client(dialect).gateways.list(zone, { from: 0, count: 100 }, o);
    expect(service.sent()).toEqual([
      [
        'GET',
        `${prefix}/${word[dialect]}?{"From":0,"Count":100,"Sort":["ID"],"Filter":{"${key}":"mobilegateway"}}`,
        null,
      ],
    ]);
  });

  test.each([
    ['Documented', { chat_config: { enabled: true, chat_url: 'https://chat.example/hook' } }],
    ['Extended', { slack_config: { enabled: true, slack_url: 'https://chat.example/hook' } }],
  ] as const)('setTrafficMonitoring names the chat as %s', async (dialect, chat) => {
    service.server.answer({});
    const monitoring = { quotaMB: 100, autoTrafficShaping: true, bandwidthLimitKbps: 64, email: false, chat: true };
    const chatWebhookURL = 'https://chat.example/hook';
    await service.client(dialect).gateways.setTrafficMonitoring(zone, id, { ...monitoring, chatWebhookURL }, o);
    const config = {
      traffic_quota_in_mb: 100,
      auto_traffic_shaping: true,
      bandwidth_limit_in_kbps: 64,
      email_config: { enabled: false },
      ...chat,
    };
    expect(service.sent()[0]?.[2]).toEqual({ traffic_monitoring_config: config });

    service.server.answer({
      json: { is_ok: true, traffic_monitoring_config: { ...config, traffic_quota_in_mb: '100' } },
    });
    expect(await service.client(dialect).gateways.trafficMonitoring(zone, id, o)).toEqual({
      ...monitoring,
      chatWebhookURL,
    });
  });

  const extensions: Operation[] = [
    ['dns', (c) => c.gateways.dns(zone, id, o), { sim_group: [] }, ['GET', `/${id}/mobilegateway/dnsresolver`, null]],
    ['boot', (c) => c.gateways.boot(zone, id, o), undefined, ['PUT', `/${id}/power`, null]],
    ['stop gracefully', (c) => c.gateways.stop(zone, id, {}, o), undefined, ['DELETE', `/${id}/power`, {}]],
    [
      'stop by force',
      (c) => c.gateways.stop(zone, id, { force: true }, o),
      undefined,
      ['DELETE', `/${id}/power`, { Force: true }],
    ],
    ['reset', (c) => c.gateways.reset(zone, id, o), undefined, ['PUT', `/${id}/reset`, null]],
    [
      'connectSwitch',
      (c) => c.gateways.connectSwitch(zone, id, '77', o),
      undefined,
      ['PUT', `/${id}/interface/1/to/switch/77`, null],
    ],
    [
      'disconnectSwitch',
      (c) => c.gateways.disconnectSwitch(zone, id, o),
      undefined,
      ['DELETE', `/${id}/interface/1/to/switch`, null],
    ],
  ];

  test.each(extensions)('%s exists in the Extended dialect only', async (_, call, json, [method, path, body]) => {
    service.server.answer({ json: { is_ok: true, ...json } });
    await call(service.client('Extended'));
    expect(service.sent()).toEqual([[method, `${prefix}/appliance${path}`, body]]);
    await expect(async () => call(service.client('Documented'))).rejects.toMatchObject({
      code: 'NotInDialect',
      class: 'Rejected',
    });
    expect(service.server.requests).toHaveLength(1);
  });
});

describe('what each answer becomes', () => {
  const read = async (appliance: object) => {
    service.server.answer({ json: { is_ok: true, Appliance: appliance } });
    return service.client().gateways.read(zone, id, o);
  };

  test('a gateway without settings, still being made', async () => {
    const wire = {
      ID: 113300000009,
      Name: 'gw',
      Description: '',
      Plan: { ID: 2 },
      Settings: null,
      SettingsHash: null,
      Availability: 'migrating',
      Instance: null,
      Interfaces: null,
      Tags: [],
      CreatedAt: '2026-01-01T00:00:00+09:00',
    };
    expect(await read(wire)).toEqual({
      id,
      name: 'gw',
      planID: 2,
      availability: 'migrating',
      interfaces: [],
      tags: [],
      createdAt: '2026-01-01T00:00:00+09:00',
    });
  });

  test('a gateway with settings and interfaces', async () => {
    const wire = {
      ID: id,
      Name: 'gw',
      Settings: {
        MobileGateway: {
          InternetConnection: { Enabled: 'True' },
          InterDeviceCommunication: { Enabled: 'False' },
          Interfaces: [null, { IPAddress: ['10.0.0.1'], NetworkMaskLen: '24' }],
          StaticRoutes: [{ Prefix: '192.0.2.0/24', NextHop: '10.0.0.2' }],
        },
      },
      SettingsHash: 'abc',
      Availability: 'available',
      Instance: { Status: 'up', StatusChangedAt: null },
      Interfaces: [
        {
          IPAddress: '203.0.113.7',
          UserIPAddress: null,
          HostName: null,
          Switch: { ID: '5', Name: 'shared', Scope: 'shared' },
        },
        { IPAddress: null, UserIPAddress: '10.0.0.1', HostName: null, Switch: null },
      ],
      Tags: ['a'],
    };
    expect(await read(wire)).toEqual({
      id,
      name: 'gw',
      availability: 'available',
      instanceStatus: 'up',
      settings: {
        internetConnection: true,
        interDeviceCommunication: false,
        privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
        staticRoutes: [{ prefix: '192.0.2.0/24', nextHop: '10.0.0.2' }],
      },
      settingsHash: 'abc',
      interfaces: [
        { ipAddress: '203.0.113.7', switch: { id: '5', name: 'shared', scope: 'shared' } },
        { userIPAddress: '10.0.0.1' },
      ],
      tags: ['a'],
    });
  });

  test.each([
    ['[null]', [null]],
    ['absent', undefined],
    ['null', null],
    ['[null, null]', [null, null]],
  ])('Interfaces given as %s mean no private interface', async (_, Interfaces) => {
    const gateway = await read({ ID: id, Settings: { MobileGateway: { Interfaces } } });
    expect(gateway.settings).toEqual({ privateInterface: null, staticRoutes: [] });
  });

  test.each([
    ['an empty list', []],
    ['null', null],
  ])('DNS resolvers unset come as %s', async (_, group) => {
    service.server.answer({ json: { is_ok: true, sim_group: group } });
    expect(await service.client('Extended').gateways.dns(zone, id, o)).toBeUndefined();
  });

  test('traffic monitoring unset is undefined, whether it comes as 404 or as nothing', async () => {
    for (const answer of [
      { status: 404, json: { is_fatal: true, status: '404 Not Found', error_code: 'not_found', error_msg: '' } },
      { json: { is_ok: true, traffic_monitoring_config: [] } },
    ]) {
      service.server.answer(answer);
      expect(await service.client().gateways.trafficMonitoring(zone, id, o)).toBeUndefined();
    }
  });

  test('traffic status, routes and registered SIMs', async () => {
    const status = { uplink_bytes: '9007199254740991', downlink_bytes: 2, traffic_shaping: true };
    service.server.answer({ json: { is_ok: true, traffic_status: status } });
    expect(await service.client().gateways.trafficStatus(zone, id, o)).toEqual({
      uplinkBytes: 9007199254740991,
      downlinkBytes: 2,
      trafficShaping: true,
    });

    service.server.answer({
      json: { is_ok: true, sim_routes: [{ iccid: '8981', prefix: '192.0.2.0/28', resource_id: 5 }] },
    });
    expect(await service.client().gateways.simRoutes(zone, id, o)).toEqual([
      { resourceID: '5', prefix: '192.0.2.0/28', iccid: '8981' },
    ]);

    service.server.answer({
      json: { is_ok: true, From: 0, Count: 1, Total: 9, sim: [{ resource_id: sim, iccid: '8981', ip: '10.0.0.3' }] },
    });
    expect(await service.client().gateways.sims(zone, id, { from: 0, count: 1 }, o)).toEqual({
      from: 0,
      count: 1,
      total: 9,
      items: [
        {
          iccid: '8981',
          imsi: [],
          ip: '10.0.0.3',
          imeiLock: false,
          registered: false,
          activated: false,
          resourceID: sim,
        },
      ],
    });
  });
});
