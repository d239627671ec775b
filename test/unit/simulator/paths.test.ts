import { connect } from 'node:net';
import { connect as connectTLS } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { credentials, fleet, gatewayID, refusal, truckID, useService } from './service.ts';

const service = useService({
  seed: { ...fleet, sites: [{ id: '113300000301', name: 'www', domain: 'www.example.jp' }] },
});

describe('zones', () => {
  it.each(['is1a', 'is1b', 'tk1a', 'tk1v'])('shows a SIM in %s', async (zone) => {
    expect((await service.call('GET', `/commonserviceitem/${truckID}`, undefined, { zone })).status).toBe(200);
  });

  it('shows a gateway in its own zone only', async () => {
    const statuses = [];
    for (const zone of ['is1b', 'is1a']) {
      statuses.push((await service.call('GET', `/applience/${gatewayID}`, undefined, { zone })).status);
    }
    expect(statuses).toEqual([200, 404]);
  });

  it('lists the gateways of the zone only', async () => {
    const { body } = await service.call('GET', '/applience', undefined, { zone: 'is1b' });
    expect(body['Appliances']).toEqual([expect.objectContaining({ ID: gatewayID })]);
  });

  it('knows no other zone', async () => {
    const answer = await service.call('GET', '/commonserviceitem', undefined, { zone: 'is9z' });
    expect(refusal(answer)).toMatch(/^404 not_found: operation GET .* does not exist$/);
  });

  it('serves web acceleration in is1a only', async () => {
    const statuses = [];
    for (const zone of ['is1a', 'is1b']) statuses.push((await service.web('GET', '/site', undefined, { zone })).status);
    expect(statuses).toEqual([200, 404]);
  });
});

describe('paths', () => {
  it.each(['applience', 'appliance'])('takes the word %s', async (word) => {
    expect((await service.call('GET', `/${word}/${gatewayID}`, undefined, { zone: 'is1b' })).status).toBe(200);
  });

  it.each([
    ['GET', '/cloud/zone/is1a/api/cloud/1.0/commonserviceitem'],
    ['GET', '/cloud/zone/is1a/api/cloud/1.1/site'],
    ['GET', '/cloud/zone/is1a/api/webaccel/1.1/site'],
    ['PATCH', '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem'],
    ['GET', '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem/'],
    ['GET', '/'],
  ])('answers %s %s with 404', async (method, path) => {
    expect((await service.call(method, path.startsWith('/cloud/') ? path : `/cloud/..${path}`)).status).toBe(404);
  });

  it('answers a body that is no JSON with 400', async () => {
    const answer = await service.call('POST', '/commonserviceitem', '{"CommonServiceItem":');
    expect(refusal(answer)).toBe('400 bad_request: the body: write JSON');
  });
});

describe('the port', () => {
  it('drops plain HTTP', async () => {
    const { port } = new URL(service.baseURL);
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      let text = '';
      socket.on('data', (data) => (text += data.toString('latin1')));
      socket.on('close', () => resolve(text));
      socket.on('error', reject);
    });
    expect(received).not.toContain('HTTP/');
  });

  it('takes a query with raw braces, quotes and a plus', async () => {
    const { port } = new URL(service.baseURL);
    const authorization = Buffer.from(credentials.join(':')).toString('base64');
    const query = '{"Start":"2026-01-01T08:50:00.000+09:00","End":"2026-01-01T09:00:00.000+09:00"}';
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connectTLS(Number(port), '127.0.0.1', { ca: service.ca, servername: 'localhost' }, () =>
        socket.write(
          `GET /cloud/zone/is1a/api/cloud/1.1/commonserviceitem/${truckID}/sim/metrics?${query} HTTP/1.1\r\n` +
            `Host: localhost\r\nAuthorization: Basic ${authorization}\r\nConnection: close\r\n\r\n`,
        ),
      );
      let text = '';
      socket.on('data', (data) => (text += data.toString('utf8')));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(Object.keys(JSON.parse(received.split('\r\n\r\n')[1] ?? '{}').Data)).toEqual([
      '2026-01-01T08:50:00+09:00',
      '2026-01-01T08:55:00+09:00',
      '2026-01-01T09:00:00+09:00',
    ]);
  });
});
