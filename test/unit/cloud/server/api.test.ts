import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import { type DialectClients, startDialectClients } from '../../../support/dialect-clients.ts';

const o = { lane: 'verify' } as const;
const [zone, id] = ['tk1a', '113300000055'];
const prefix = `/cloud/zone/tk1a/api/cloud/1.1/server/${id}`;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 1]);

let service: DialectClients;
beforeAll(async () => {
  service = await startDialectClients();
});
afterAll(() => service.close());
beforeEach(() => {
  service.server.requests.length = 0;
});

const operations: [string, (c: CloudClient) => Promise<unknown>, object, [string, string, unknown], unknown][] = [
  [
    'read',
    (c) => c.servers.read(zone, id, o),
    {
      Server: {
        ID: id,
        Name: 'web',
        Availability: 'available',
        Instance: { Status: 'up' },
        ServerPlan: { ID: 1, CPU: 2, MemoryMB: '4096' },
        Disks: [{ ID: '9' }],
      },
    },
    ['GET', '', null],
    expect.objectContaining({
      id,
      name: 'web',
      availability: 'available',
      instanceStatus: 'up',
      plan: { id: '1', cpu: 2, memoryMB: 4096 },
      tags: [],
      raw: expect.objectContaining({ Disks: [{ ID: '9' }] }),
    }),
  ],
  [
    'changePlan, with the new ID of the answer',
    (c) => c.servers.changePlan(zone, id, '100004', o).then((server) => server.id),
    { Server: { ID: '113300000056' } },
    ['PUT', '/to/plan/100004', null],
    '113300000056',
  ],
  [
    'monitor',
    (c) => c.servers.monitor(zone, id, { start: new Date(0), end: new Date(300_000) }, o),
    {
      Data: {
        '1970-01-01T00:05:00Z': { 'CPU-TIME': '0.5' },
        '1970-01-01T00:00:00Z': { 'CPU-TIME': 1 },
        '1970-01-01T00:10:00Z': {},
      },
    },
    ['GET', '/monitor?{"Start":"1970-01-01T00:00:00.000Z","End":"1970-01-01T00:05:00.000Z"}', null],
    [
      { at: '1970-01-01T00:00:00Z', cpuTime: 1 },
      { at: '1970-01-01T00:05:00Z', cpuTime: 0.5 },
    ],
  ],
  ['monitor without a range', (c) => c.servers.monitor(zone, id, {}, o), { Data: [] }, ['GET', '/monitor', null], []],
  [
    'power',
    (c) => c.servers.power(zone, id, o),
    { Instance: { Status: 'up', BeforeStatus: 'down', StatusChangedAt: '2026-01-01T00:00:00+09:00' } },
    ['GET', '/power', null],
    { status: 'up', beforeStatus: 'down', changedAt: '2026-01-01T00:00:00+09:00' },
  ],
  ['powerOn', (c) => c.servers.powerOn(zone, id, o), {}, ['PUT', '/power', null], undefined],
  ['powerOff', (c) => c.servers.powerOff(zone, id, {}, o), {}, ['DELETE', '/power', { Force: false }], undefined],
  [
    'powerOff by force',
    (c) => c.servers.powerOff(zone, id, { force: true }, o),
    {},
    ['DELETE', '/power', { Force: true }],
    undefined,
  ],
  ['reset', (c) => c.servers.reset(zone, id, o), {}, ['PUT', '/reset', null], undefined],
  [
    'pressKeys, one',
    (c) => c.servers.pressKeys(zone, id, ['enter'], o),
    {},
    ['PUT', '/keyboard', { Key: 'enter' }],
    undefined,
  ],
  [
    'pressKeys, several',
    (c) => c.servers.pressKeys(zone, id, ['ctrl', 'alt', 'delete'], o),
    {},
    ['PUT', '/keyboard', { Keys: ['ctrl', 'alt', 'delete'] }],
    undefined,
  ],
  [
    'snapshot, as base64 of a PNG',
    (c) => c.servers.snapshot(zone, id, o),
    { Image: png.toString('base64') },
    ['GET', '/vnc/snapshot', null],
    { image: png, contentType: 'image/png' },
  ],
  [
    'snapshot, as base64 of a JPEG',
    (c) => c.servers.snapshot(zone, id, o),
    { Image: jpeg.toString('base64') },
    ['GET', '/vnc/snapshot', null],
    { image: jpeg, contentType: 'image/jpeg' },
  ],
];

test.each(operations)('%s', async (_, call, json, [method, path, body], expected) => {
  for (const dialect of ['Documented', 'Extended'] as const) {
    service.server.requests.length = 0;
    service.server.answer({ json: { is_ok: true, ...json } });
    expect(await call(service.client(dialect))).toEqual(expected);
    expect(service.sent()).toEqual([[method, prefix + path, body]]);
  }
});

test('a snapshot that comes as the picture itself', async () => {
  service.server.answer({
    raw(response) {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(png);
    },
  });
  expect(await service.client().servers.snapshot(zone, id, o)).toEqual({ image: png, contentType: 'image/png' });
});
