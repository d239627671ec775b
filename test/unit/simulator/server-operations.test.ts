import { describe, expect, it } from 'vitest';
import { refusal, useService } from './service.ts';

const id = '113300000401';
const path = `/server/${id}`;
const inZone = { zone: 'is1b' };
const service = useService({ seed: { servers: [{ id, name: 'web-1', zone: 'is1b', planID: 2, power: 'up' }] } });
const call = (method: string, word: string, body?: unknown) => service.call(method, `${path}${word}`, body, inZone);
const instance = { Status: 'up', BeforeStatus: null, StatusChangedAt: null };

describe('a server', () => {
  it('can be read, in its zone', async () => {
    expect((await call('GET', '')).body).toEqual({
      is_ok: true,
      Server: {
        ID: id,
        Name: 'web-1',
        Description: '',
        Tags: [],
        HostName: 'web-1',
        Availability: 'available',
        ServiceClass: 'cloud/plan/2',
        ServerPlan: { ID: 2, Name: 'plan 2' },
        Zone: { Name: 'is1b' },
        Instance: instance,
        Disks: [],
        Interfaces: [],
        CreatedAt: '2026-01-01T09:00:00+09:00',
      },
    });
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('stops and boots', async () => {
    const seen = [(await call('GET', '/power')).body['Instance']];
    await call('DELETE', '/power', { Force: true });
    seen.push((await call('GET', '/power')).body['Instance']);
    await call('PUT', '/power');
    seen.push((await call('GET', '/power')).body['Instance']);
    const at = '2026-01-01T09:00:00+09:00';
    expect(seen).toEqual([
      instance,
      { Status: 'down', BeforeStatus: 'up', StatusChangedAt: at },
      { Status: 'up', BeforeStatus: 'down', StatusChangedAt: at },
    ]);
  });

  it('gets a new ID with a new plan, once it is down', async () => {
    expect(refusal(await call('PUT', '/to/plan/4'))).toBe(`409 conflict: server ${id} is up: power it off first`);
    await call('DELETE', '/power');
    const { body } = await call('PUT', '/to/plan/4');
    const [newID] = Object.keys((await service.control.state()).servers);
    expect(body['Server']).toEqual(expect.objectContaining({ ID: newID, ServerPlan: { ID: 4, Name: 'plan 4' } }));
    expect([newID === id, (await call('GET', '')).status]).toEqual([false, 404]);
  });

  it('shows its load at five-minute steps', async () => {
    const span = { Start: '2026-01-01T00:00:00.000+00:00', End: '2026-01-01T00:05:00.000+00:00' };
    const { body } = await call('GET', `/monitor?${encodeURIComponent(JSON.stringify(span))}`);
    expect(body['Data']).toEqual({
      '2026-01-01T09:00:00+09:00': { 'CPU-TIME': expect.any(Number) },
      '2026-01-01T09:05:00+09:00': { 'CPU-TIME': expect.any(Number) },
    });
  });

  it('takes the reset button and keys', async () => {
    for (const [word, body] of [
      ['/reset', undefined],
      ['/keyboard', { Key: 'enter' }],
      ['/keyboard', { Keys: ['ctrl', 'alt', 'delete'] }],
    ] as const) {
      expect((await call('PUT', word, body)).body).toEqual({ is_ok: true, Success: true });
    }
    const { servers } = await service.control.state();
    expect(servers[id]).toEqual(expect.objectContaining({ resets: 1, keys: ['enter', 'ctrl+alt+delete'] }));
  });

  it('shows its screen, as base64 and as the picture itself', async () => {
    const { Image } = (await call('GET', '/vnc/snapshot')).body;
    const png = await call('GET', '/vnc/snapshot.png');
    expect(Buffer.from(String(Image), 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect([png.status, png.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it.each<[string, string, unknown, string]>([
    ['PUT', '/power', undefined, `409 conflict: server ${id} is up already`],
    ['DELETE', '/power', { Force: 'yes' }, '400 bad_request: Force: write true or false'],
    ['PUT', '/keyboard', {}, '400 bad_request: the top level: write either Key or Keys'],
    ['PUT', '/to/plan/x', undefined, '400 bad_request: plan_id: write the number of a plan'],
  ])('refuses %s %s %j', async (method, word, body, expected) => {
    expect(refusal(await call(method, word, body))).toBe(expected);
  });

  it.each([
    ['PUT', '/reset', undefined],
    ['PUT', '/keyboard', { Key: 'a' }],
    ['GET', '/vnc/snapshot', undefined],
  ])('refuses %s %s while it is down', async (method, word, body) => {
    await call('DELETE', '/power');
    expect(refusal(await call(method, word, body))).toBe(`409 conflict: server ${id} is not up`);
  });
});
