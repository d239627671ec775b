import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RawRequest } from '../../../../src/cloud/raw/api.ts';
import { type DialectClients, startDialectClients } from '../../../support/dialect-clients.ts';

const o = { lane: 'verify' } as const;
let service: DialectClients;
beforeAll(async () => {
  service = await startDialectClients();
});
afterAll(() => service.close());
beforeEach(() => {
  service.server.requests.length = 0;
});

const zone = 'tk1b';
const prefix = '/cloud/zone/tk1b/api/cloud/1.1';
const requests: [string, RawRequest, [string, string, unknown]][] = [
  [
    'a list',
    { method: 'GET', api: 'cloud', zone, segments: ['server'], query: { Count: 1 } },
    ['GET', `${prefix}/server?{"Count":1}`, null],
  ],
  [
    'a query that is written',
    { method: 'GET', api: 'webaccel', zone: 'is1a', segments: ['monthlyusage'], query: 'target=202610' },
    ['GET', '/cloud/zone/is1a/api/webaccel/1.0/monthlyusage?target=202610', null],
  ],
  [
    'several IDs',
    { method: 'PUT', api: 'cloud', zone, segments: ['a', '113300000001', 'to', '113300000002'], body: { b: 1 } },
    ['PUT', `${prefix}/a/113300000001/to/113300000002`, { b: 1 }],
  ],
];

it.each(requests)('%s is sent as it is, and answered as it came', async (_, request, sent) => {
  const answer = { is_ok: true, Anything: [{ at: 'all' }] };
  service.server.answer({ json: answer });
  expect(await service.client().raw.send(request, o)).toEqual(answer);
  expect(service.sent()).toEqual([sent]);
});

it('an appliance is spelled as the dialect does', async () => {
  for (const [dialect, spelled] of [
    ['Documented', 'applience'],
    ['Extended', 'appliance'],
  ] as const) {
    service.server.requests.length = 0;
    service.server.answer({ json: { is_ok: true } });
    await service.client(dialect).raw.send({ method: 'GET', api: 'cloud', zone, segments: ['appliance'] }, o);
    expect(service.sent()).toEqual([['GET', `${prefix}/${spelled}`, null]]);
  }
});

it.each([
  ['PUT', 1, 'OutcomeUnknown'],
  ['DELETE', 1, 'OutcomeUnknown'],
  ['GET', 3, 'Retryable'],
] as const)('a %s that fails is sent %i times in all', async (method, times, errorClass) => {
  service.server.answer({ status: 500, json: { is_ok: false } });
  const request = { method, api: 'cloud', zone, segments: ['server', '113300000301', 'power'] } as const;
  await expect(service.client().raw.send(request, o)).rejects.toMatchObject({ class: errorClass });
  expect(service.sent().length).toBe(times);
});

it('no error repeats a secret that was sent', async () => {
  service.server.answer({ status: 400, json: { is_ok: false, error_code: 'bad', error_msg: 'no canary here' } });
  const request = {
    method: 'POST',
    api: 'cloud',
    zone,
    segments: ['x'],
    body: { Key: 'canary' },
    secrets: ['canary'],
  } as const;
  await expect(service.client().raw.send(request, o)).rejects.toThrow('no [hidden] here');
});
