import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import type { DialectName } from '../../../../src/cloud/dialect.ts';
import { NotInDialectError } from '../../../../src/cloud/errors.ts';
import { type DialectClients, startDialectClients } from '../../../support/dialect-clients.ts';

const o = { lane: 'write' } as const;
const prefix = '/cloud/zone/is1a/api/cloud/1.1';
const sim = '113300000001';

let service: DialectClients;
beforeAll(async () => {
  service = await startDialectClients();
});
afterAll(() => service.close());
beforeEach(() => {
  service.server.requests.length = 0;
});
const client = (dialect?: DialectName) => service.client(dialect);
const sent = () => service.sent();

describe('what each operation sends', () => {
  const item = { is_ok: true, CommonServiceItem: { ID: sim, Name: 'truck-17', Status: { ICCID: '8981' } } };
  const query = (text: string) => `?${text}`;

  const operations: [string, (c: CloudClient) => Promise<unknown>, object | undefined, [string, string, unknown]][] = [
    ['read', (c) => c.sims.read(sim, o), item, ['GET', `/commonserviceitem/${sim}`, null]],
    [
      'create',
      (c) => c.sims.create({ name: 'truck-17', iccid: '8981', passCode: 'code', description: 'a truck' }, o),
      item,
      [
        'POST',
        '/commonserviceitem',
        {
          CommonServiceItem: {
            Name: 'truck-17',
            Description: 'a truck',
            Status: { ICCID: '8981' },
            Remark: { PassCode: 'code' },
            Provider: { Class: 'sim' },
          },
        },
      ],
    ],
    ['delete', (c) => c.sims.delete(sim, o), undefined, ['DELETE', `/commonserviceitem/${sim}`, null]],
    ['status', (c) => c.sims.status(sim, o), { sim: {} }, ['GET', `/commonserviceitem/${sim}/sim/status`, null]],
    ['activate', (c) => c.sims.activate(sim, o), undefined, ['PUT', `/commonserviceitem/${sim}/sim/activate`, null]],
    [
      'deactivate',
      (c) => c.sims.deactivate(sim, o),
      undefined,
      ['PUT', `/commonserviceitem/${sim}/sim/deactivate`, null],
    ],
    ['reconnect', (c) => c.sims.reconnect(sim, o), undefined, ['PUT', `/commonserviceitem/${sim}/sim/reconnect`, null]],
    [
      'setCarriers',
      (c) => c.sims.setCarriers(sim, [{ name: 'KDDI', allow: true }], o),
      undefined,
      [
        'PUT',
        `/commonserviceitem/${sim}/sim/network_operator_config`,
        { network_operator_config: [{ name: 'KDDI', allow: true }] },
      ],
    ],
    [
      'carriers',
      (c) => c.sims.carriers(sim, o),
      {},
      ['GET', `/commonserviceitem/${sim}/sim/network_operator_config`, null],
    ],
    [
      'setIP',
      (c) => c.sims.setIP(sim, '10.0.0.17', o),
      undefined,
      ['PUT', `/commonserviceitem/${sim}/sim/ip`, { sim: { ip: '10.0.0.17' } }],
    ],
    ['clearIP', (c) => c.sims.clearIP(sim, o), undefined, ['DELETE', `/commonserviceitem/${sim}/sim/ip`, null]],
    [
      'lockIMEI',
      (c) => c.sims.lockIMEI(sim, '356938035643809', o),
      undefined,
      ['PUT', `/commonserviceitem/${sim}/sim/imeilock`, { sim: { imei: '356938035643809' } }],
    ],
    [
      'unlockIMEI',
      (c) => c.sims.unlockIMEI(sim, o),
      undefined,
      ['DELETE', `/commonserviceitem/${sim}/sim/imeilock`, null],
    ],
    [
      'sessionLog',
      (c) => c.sims.sessionLog(sim, { count: 5 }, o),
      { logs: [] },
      ['GET', `/commonserviceitem/${sim}/sim/sessionlog${query('{"Count":5}')}`, null],
    ],
    [
      'list',
      (c) => c.sims.list({ from: 100, count: 50, filter: { Name: 'truck' } }, o),
      { From: 100, Count: 0, Total: 100, CommonServiceItems: [] },
      [
        'GET',
        `/commonserviceitem${query('{"From":100,"Count":50,"Sort":["ID"],"Include":["*","Status.sim"],"Filter":{"Provider.Class":"sim","Name":"truck"}}')}`,
        null,
      ],
    ],
  ];

  test.each(operations)('%s, the same in both dialects', async (_, call, answer, [method, path, body]) => {
    for (const dialect of ['Documented', 'Extended'] as const) {
      service.server.requests.length = 0;
      service.server.answer({ json: { is_ok: true, network_operator_config: [], logs: [], ...answer } });
      await call(client(dialect));
      expect(sent()).toEqual([[method, prefix + path, body]]);
    }
  });

  test.each([
    ['Documented', 'sim/metrics'],
    ['Extended', 'sim/metrics/monitor'],
  ] as const)('metrics in the dialect %s', async (dialect, path) => {
    service.server.answer({ json: { is_ok: true, Data: {} } });
    const range = { start: new Date('2026-11-01T00:00:00Z'), end: new Date('2026-11-01T01:00:00Z') };
    await client(dialect).sims.metrics(sim, range, o);
    const expected = '{"Start":"2026-11-01T00:00:00.000+00:00","End":"2026-11-01T01:00:00.000+00:00"}';
    expect(sent()).toEqual([['GET', `${prefix}/commonserviceitem/${sim}/${path}?${expected}`, null]]);
  });

  test('rename exists in the Extended dialect only', async () => {
    service.server.answer({ json: item });
    await client('Extended').sims.rename(sim, { name: 'truck-18', tags: ['fleet'] }, o);
    expect(sent()).toEqual([
      ['PUT', `${prefix}/commonserviceitem/${sim}`, { CommonServiceItem: { Name: 'truck-18', Tags: ['fleet'] } }],
    ]);
    await expect(client('Documented').sims.rename(sim, { name: 'x' }, o)).rejects.toThrow(NotInDialectError);
    expect(service.server.requests).toHaveLength(1);
  });

  test.each([
    ['Documented', undefined],
    ['Extended', '1'],
  ] as const)('the headers of the dialect %s', async (dialect, bigint) => {
    service.server.answer({});
    await client(dialect).sims.setIP(sim, '10.0.0.1', o);
    expect(service.server.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'edgeline-test',
      authorization: `Basic ${Buffer.from('token:token-secret').toString('base64')}`,
    });
    expect(service.server.requests[0]?.headers['x-sakura-bigint-as-int']).toBe(bigint);
  });

  test('an ID cannot lead to another path', async () => {
    for (const id of ['', '.', '..'])
      await expect(client().sims.delete(id, o)).rejects.toMatchObject({ class: 'Rejected' });
    expect(service.server.requests).toEqual([]);
    service.server.answer({});
    await client().sims.delete('../site/x?y#z', o);
    expect(service.server.requests[0]?.target).toBe(`${prefix}/commonserviceitem/..%2Fsite%2Fx%3Fy%23z`);
  });
});

describe('what each answer becomes', () => {
  test('a list with live status, in every form numbers, IDs and empty values come in', async () => {
    const wire = (id: unknown, simStatus: unknown) => ({
      Index: 0,
      ID: id,
      Name: 'truck-17',
      Description: null,
      Availability: 'available',
      Tags: [],
      CreatedAt: '2026-01-02T03:04:05+09:00',
      ModifiedAt: null,
      SomethingNew: { deep: true },
      Status: { ICCID: '8981', ...(simStatus === undefined ? {} : { sim: simStatus }) },
    });
    service.server.answer({
      json: {
        is_ok: true,
        From: '0',
        Count: 4,
        Total: '4',
        CommonServiceItems: [
          wire('1', {
            iccid: '8981',
            imsi: ['44010'],
            ip: '10.0.0.17',
            session_status: 'SOMETHING_NEW',
            imei_lock: true,
            imei: '3569',
            connected_imei: '',
            registered: true,
            activated: true,
            resource_id: 1,
            registered_date: '2026-01-01T00:00:00+00:00',
            activated_date: null,
            deactivated_date: '',
            simgroup_id: 77,
            traffic_bytes_of_current_month: { uplink_bytes: '12', downlink_bytes: 34 },
          }),
          wire(2, { traffic_bytes_of_current_month: [], imsi: null, registered_date: '0001-01-01T00:00:00Z' }),
          wire('3', []),
          null,
          wire('4', undefined),
        ],
      },
    });
    const base = {
      name: 'truck-17',
      iccid: '8981',
      availability: 'available',
      tags: [],
      createdAt: '2026-01-02T03:04:05+09:00',
    };
    expect(await client().sims.list({ from: 0, count: 1000 }, o)).toEqual({
      from: 0,
      count: 4,
      total: 4,
      items: [
        {
          id: '1',
          ...base,
          status: {
            iccid: '8981',
            imsi: ['44010'],
            ip: '10.0.0.17',
            sessionStatus: 'SOMETHING_NEW',
            imeiLock: true,
            imei: '3569',
            registered: true,
            activated: true,
            resourceID: '1',
            registeredAt: '2026-01-01T00:00:00+00:00',
            simgroupID: '77',
            traffic: { uplinkBytes: 12, downlinkBytes: 34 },
          },
        },
        {
          id: '2',
          ...base,
          status: {
            iccid: '',
            imsi: [],
            imeiLock: false,
            registered: false,
            activated: false,
            resourceID: '2',
            // An empty array says that nothing went through, and no member that it is not known.
            traffic: { uplinkBytes: 0, downlinkBytes: 0 },
          },
        },
        { id: '3', ...base },
        { id: '4', ...base },
      ],
    });
  });

  test('carriers, session log and metrics', async () => {
    service.server.answer({
      json: { is_ok: true, network_operator_config: [{ name: 'KDDI', country_code: 'JP', allow: true }] },
    });
    expect(await client().sims.carriers(sim, o)).toEqual([{ name: 'KDDI', allow: true, countryCode: 'JP' }]);

    service.server.answer({
      json: {
        is_ok: true,
        Count: 2,
        logs: [
          { date: '2026-01-02T00:00:00+00:00', session_status: 'Deleted', resource_id: sim, imsi: '440' },
          { date: '2026-01-01T00:00:00+00:00', session_status: 'Created', resource_id: sim, imei: '35', imsi: '440' },
        ],
      },
    });
    expect(await client().sims.sessionLog(sim, {}, o)).toEqual([
      { at: '2026-01-02T00:00:00+00:00', sessionStatus: 'Deleted', resourceID: sim, imsi: '440' },
      { at: '2026-01-01T00:00:00+00:00', sessionStatus: 'Created', resourceID: sim, imei: '35', imsi: '440' },
    ]);

    service.server.answer({
      json: {
        is_ok: true,
        Data: {
          '2026-01-01T00:05:00+09:00': { UplinkBps: 2, DownlinkBps: '3.5' },
          '2026-01-01T00:00:00+09:00': { UplinkBps: 1, DownlinkBps: 0 },
          '2026-01-01T00:10:00+09:00': null,
        },
      },
    });
    expect(await client().sims.metrics(sim, { start: new Date(0), end: new Date(1) }, o)).toEqual([
      { at: '2026-01-01T00:00:00+09:00', uplinkBps: 1, downlinkBps: 0 },
      { at: '2026-01-01T00:05:00+09:00', uplinkBps: 2, downlinkBps: 3.5 },
    ]);
  });

  test('an answer that cannot be read names the path and never the value', async () => {
    service.server.answer({
      json: { is_ok: true, CommonServiceItems: [{ ID: '1' }, { ID: '2', Status: { sim: { registered: 'hunter2' } } }] },
    });
    const error = await client()
      .sims.list({ from: 0, count: 10 }, o)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      class: 'UnexpectedResponse',
      path: 'CommonServiceItems[1].Status.sim.registered',
      message:
        'GET /commonserviceitem: the answer cannot be read at CommonServiceItems[1].Status.sim.registered: expected a boolean',
    });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});
