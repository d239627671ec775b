import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRawClient } from '../../support/hostile/raw-client.ts';
import { runHostileRequests } from '../../support/hostile/run.ts';
import { hostileSeed } from '../../support/hostile/templates.ts';
import { credentials, refusal, truckICCID, truckID, useService } from './service.ts';

const service = useService({
  seed: {
    gateways: [{ name: 'depot', zone: 'is1a' as const }],
    sims: [{ id: truckID, iccid: truckICCID, activated: true, gateway: 'depot', ip: '10.0.0.17' }],
  },
});
const basic = `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`;
const sims = '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem';
const truck = `/commonserviceitem/${truckID}`;

/** Writes a request as it stands here to one of the ports. */
async function raw(to: 'service' | 'control', lines: readonly string[], body = '') {
  const url = new URL(to === 'service' ? service.baseURL : service.controlURL);
  const server = { port: Number(url.port), ...(to === 'service' && { ca: service.ca }) };
  const client = createRawClient(server, 30_000);
  const head = [...lines, 'Host: localhost', `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n');
  const answer = await client.send(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]));
  client.close();
  return answer.status;
}

describe('requests that nobody expects', () => {
  it('none of many, at either port, ends the process or meets a 500', async () => {
    const seedFile = join(await mkdtemp(join(tmpdir(), 'simulator-')), 'seed.json');
    await writeFile(seedFile, JSON.stringify(hostileSeed));
    const report = await runHostileRequests({ requests: 6_000, seed: 1, lanes: 4, patience: 60_000, seedFile });
    expect([report.violations, report.ended]).toEqual([[], undefined]);
    expect(report.byStatus[200]).toBeGreaterThan(1_000);
  });

  it.each([65, 3_050, 200_000])(
    'JSON of %i levels is a 400, in a body, a query and at the control port',
    async (levels) => {
      const deep = `{"Deep":${'['.repeat(levels)}${']'.repeat(levels)}}`;
      const line = { authorization: basic };
      expect([
        await raw('service', [`POST ${sims} HTTP/1.1`, `Authorization: ${basic}`], deep),
        levels > 5_000
          ? 400
          : (await service.call('GET', `/commonserviceitem?${deep}`, undefined, { headers: line })).status,
        await raw('control', ['PATCH /state HTTP/1.1'], deep),
      ]).toEqual([400, 400, 400]);
    },
  );

  it('members of the prototype of all objects are members like any other', async () => {
    const query = encodeURIComponent(
      JSON.stringify({ Include: ['__proto__.polluted', 'constructor.prototype', 'ID'], Filter: { toString: 'x' } }),
    );
    await service.call('GET', `/commonserviceitem?${query}`);
    const { body } = await service.call(
      'GET',
      `/commonserviceitem?${encodeURIComponent('{"Include":["__proto__.x.y"]}')}`,
    );
    expect(body['CommonServiceItems']).toEqual([{ Index: 0, ID: truckID }]);
    const answer = await raw(
      'service',
      [`PUT ${sims}/${truckID} HTTP/1.1`, `Authorization: ${basic}`],
      '{"__proto__":{"a":1}}',
    );
    expect(answer).toBe(400);
  });

  it.each([
    ['response', 'nonce="a.b.c", response="é0000000000000000000000000000000"'],
    ['nonce', 'nonce="é.é.éééééééééééééééééééééééééééééééé", response="0"'],
  ])('a Digest whose %s is not ASCII is a 401', async (_, text) => {
    const rest = `username="${credentials[0]}", realm="Simulated service", uri="${sims}", qop=auth, nc=00000001, cnonce="c"`;
    expect(await raw('service', [`GET ${sims} HTTP/1.1`, `Authorization: Digest ${rest}, ${text}`])).toBe(401);
  });

  it.each([
    '+275760-09-13T00:00:00.000Z',
    '+010000-01-01T00:00:00.000Z',
    '-271821-04-20T00:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
  ])('a span up to %s is a 400', async (End) => {
    const answer = await service.call('GET', `${truck}/sim/metrics?${encodeURIComponent(JSON.stringify({ End }))}`);
    expect(refusal(answer)).toBe('400 bad_request: End: write a datetime from 1970-01-02 to 9000-01-01');
  });

  it.each([
    { set: '+275760-09-13T00:00:00.000Z' },
    { set: '9999-12-31T23:59:59Z' },
    { advanceSeconds: 1e300 },
    { advanceSeconds: -1e10 },
    { set: '9000-01-01T00:00:00Z', advanceSeconds: 1 },
  ])('the clock stays where times can be written: %j is refused', async (body) => {
    expect(await raw('control', ['POST /clock HTTP/1.1'], JSON.stringify(body))).toBe(400);
    expect((await service.control.clock()).now).toBe('2026-01-01T00:00:00.000Z');
  });

  it('works at the last moment the clock can be set to', async () => {
    await service.control.setClock('9000-01-01T00:00:00Z');
    const paths = [truck, `${truck}/sim/status`, `${truck}/sim/metrics`, '/commonserviceitem', '/applience'];
    const answers = await Promise.all(paths.map((path) => service.call('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('a session of seven thousand years has a log as long as a page', async () => {
    await service.control.changeSettings({ pageLimit: 1_000 });
    await service.control.setClock('9000-01-01T00:00:00Z');
    const query = encodeURIComponent('{"Count":9007199254740991}');
    const state = await service.control.state();
    const gateway = Object.keys(state.gateways)[0] ?? '';
    const [ofSim, ofGateway] = [
      await service.call('GET', `${truck}/sim/sessionlog?${query}`),
      await service.call('GET', `/applience/${gateway}/mobilegateway/sessionlog?${query}`),
    ];
    expect([ofSim.body['Count'], ofGateway.body['Count'], ofSim.body['logs']]).toEqual([
      1_000,
      1_000,
      ofGateway.body['logs'],
    ]);
  });

  it.each([
    ['GET //', 200],
    ['GET /%ff', 404],
    ['GET http://[/', 404],
    ['OPTIONS *', 404],
    ['GET /state/sims/__proto__', 404],
    ['GET /requests?since=%ff', 400],
    ['GET /requests?since=-1', 400],
    ['GET /holds?wait=1e9', 400],
  ])('the control port answers %s with %i', async (line, status) => {
    expect(await raw('control', [`${line} HTTP/1.1`])).toBe(status);
  });

  it('a pattern of many stars is matched in no time', async () => {
    const route = `${'*'.repeat(120)}!`;
    await expect(service.control.fault({ route, code: 503 })).rejects.toThrow('route: it fits no operation');
  });

  it('keeps at most a thousand faults', async () => {
    for (let index = 0; index < 1_000; index++) await service.control.fault({ code: 503, rate: 0 });
    await expect(service.control.fault({ code: 503 })).rejects.toThrow('there are 1000 faults: remove some first');
  });

  it('a clock moved by less than a millisecond still makes nonces that are understood', async () => {
    await service.control.advance(0.0004);
    expect(Number.isInteger((await service.control.clock()).offsetSeconds * 1000)).toBe(true);
  });
});
