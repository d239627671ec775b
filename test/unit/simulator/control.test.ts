import { describe, expect, it } from 'vitest';
import { fleet, gatewayID, truckICCID, truckID, useService } from './service.ts';

const siteID = '113300000301';
const service = useService({
  seed: {
    ...fleet,
    sites: [{ id: siteID, name: 'www', domain: 'www.example.jp' }],
    servers: [{ id: '113300000401', name: 'web-1', zone: 'is1a' }],
    accounts: [{ name: 'other', accessToken: 'other', accessTokenSecret: 'secret' }],
  },
});
const truck = `/commonserviceitem/${truckID}`;
const prefix = '/cloud/zone/is1a/api/cloud/1.1';

describe('the request log', () => {
  it('tells each request by its route, secrets as digests', async () => {
    const body = {
      CommonServiceItem: {
        Name: 'n',
        Status: { ICCID: '1' },
        Remark: { PassCode: 'hidden' },
        Provider: { Class: 'sim' },
      },
    };
    await service.call('POST', '/commonserviceitem', body);
    await service.call('GET', `/applience/${gatewayID}?${encodeURIComponent('{}')}`, undefined, { zone: 'is1b' });
    await service.web('GET', `/site/${siteID}/acl`, undefined, { as: ['nobody', 'x'] });
    await service.call('GET', '/nothing');
    const common = { time: '2026-01-01T00:00:00.000Z', durationMs: expect.any(Number), account: 'default' };
    const { requests, next } = await service.control.requests();
    const first = requests[0]?.seq ?? 0;
    expect(requests).toEqual([
      {
        ...common,
        seq: first,
        method: 'POST',
        path: `${prefix}/commonserviceitem`,
        route: 'POST /commonserviceitem',
        status: 201,
        body: {
          CommonServiceItem: {
            ...body.CommonServiceItem,
            Remark: { PassCode: expect.stringMatching(/^sha256:[0-9a-f]{12}$/) },
          },
        },
      },
      {
        ...common,
        seq: first + 1,
        method: 'GET',
        path: `/cloud/zone/is1b/api/cloud/1.1/applience/${gatewayID}`,
        query: '%7B%7D',
        route: 'GET /appliance/:id',
        status: 200,
      },
      {
        ...common,
        seq: first + 2,
        method: 'GET',
        path: `/cloud/zone/is1a/api/webaccel/1.0/site/${siteID}/acl`,
        route: 'GET webaccel/site/:id/acl',
        status: 401,
        account: null,
      },
      {
        ...common,
        seq: first + 3,
        method: 'GET',
        path: `${prefix}/nothing`,
        route: 'GET (unknown)',
        status: 404,
      },
    ]);
    expect(next).toBe(first + 3);
    expect((await service.control.requests(first + 2)).requests.map(({ seq }) => seq)).toEqual([first + 3]);
  });

  it('is counted by route and by status, and cleared', async () => {
    for (const path of [truck, truck, `${truck}/sim/status`]) await service.call('GET', path);
    const counts = await service.control.counts();
    await service.control.clearRequests();
    expect([counts, await service.control.counts()]).toEqual([
      {
        total: 3,
        byRoute: { 'GET /commonserviceitem/:id': 2, 'GET /commonserviceitem/:id/sim/status': 1 },
        byStatus: { '200': 3 },
      },
      { total: 0, byRoute: {}, byStatus: {} },
    ]);
  });

  it('keeps the last ones only, and counts all', async () => {
    await service.control.changeSettings({ requestLogLimit: 10 });
    for (let request = 0; request < 120; request++) await service.call('GET', truck);
    const { requests } = await service.control.requests();
    expect(requests).toHaveLength(10);
    expect((await service.control.counts()).total).toBe(120);
  });
});

describe('time', () => {
  it('moves and is set', async () => {
    const seen = [await service.control.clock()];
    await service.control.advance(90);
    seen.push(await service.control.clock());
    await service.control.setClock('2026-02-01T00:00:00Z');
    seen.push(await service.control.clock());
    expect(seen).toEqual([
      { now: '2026-01-01T00:00:00.000Z', offsetSeconds: 0 },
      { now: '2026-01-01T00:01:30.000Z', offsetSeconds: 90 },
      { now: '2026-02-01T00:00:00.000Z', offsetSeconds: 31 * 86_400 },
    ]);
  });
});

describe('GET /state/KIND/NAME', () => {
  const get = async (path: string) => {
    const answer = await fetch(`${service.controlURL}/state${path}`);
    return [answer.status, await answer.json()];
  };

  it.each([
    ['sims', truckICCID, truckID],
    ['sims', truckID, truckID],
    ['gateways', 'depot', gatewayID],
    ['sites', 'www.example.jp', siteID],
    ['servers', 'web-1', '113300000401'],
  ] as const)('shows of %s %s what the whole state does', async (kind, name, id) => {
    const state = await service.control.state();
    expect(await get(`/${kind}/${name}`)).toEqual([200, state[kind][id]]);
  });

  it.each([
    [`/sims/${truckICCID}/ip`, 200, '10.0.0.17'],
    [`/sims/${truckICCID}/imeiLock`, 200, null],
    [`/sims/${truckICCID}/colour`, 404, { error: `sims: ${truckICCID} has no colour` }],
    ['/sims/999', 404, { error: 'sims: there is no 999' }],
    ['/trucks/1', 404, { error: 'there is no trucks: write sims, gateways, sites, servers' }],
  ])('answers %s with %d %j', async (path, status, body) => {
    expect(await get(path)).toEqual([status, body]);
  });
});

describe('PATCH /state', () => {
  const sim = async () => {
    const { sims } = await service.control.state();
    const { activated, ip, imeiLock, gatewayID, name, sessionUp } = sims[truckID] ?? {};
    return { activated, ip, imeiLock, gatewayID, name, sessionUp };
  };
  const before = { activated: true, ip: '10.0.0.17', imeiLock: null, gatewayID, name: 'truck-1', sessionUp: true };

  it.each([
    [{ activated: false }, { ...before, activated: false, sessionUp: false }],
    [{ ip: null }, { ...before, ip: null, sessionUp: false }],
    [{ ip: '10.5.5.5' }, { ...before, ip: '10.5.5.5' }],
    [{ imeiLock: '35' }, { ...before, imeiLock: '35', sessionUp: false }],
    [{ gatewayID: null }, { ...before, gatewayID: null, ip: null, sessionUp: false }],
    [
      { gatewayID: 'bare', ip: '10.1.0.1' },
      { ...before, gatewayID: '113300000202', ip: '10.1.0.1' },
    ],
    [{ name: 'lorry' }, { ...before, name: 'lorry' }],
  ])('changes a SIM by %j', async (change, after) => {
    await service.control.patch({ sims: { [truckICCID]: change } });
    expect(await sim()).toEqual(after);
  });

  it('changes gateways, sites and servers', async () => {
    await service.control.patch({
      gateways: { depot: { availability: 'failed', settings: { internetConnection: false } } },
      sites: {
        'www.example.jp': { status: 'disabled', settings: { DefaultCacheTTL: 5 }, accessControl: ['deny all'] },
      },
      servers: { 'web-1': { power: 'down' } },
    });
    const { gateways, sims, sites, servers } = await service.control.state();
    expect([gateways[gatewayID], sims[truckID], sites[siteID], servers['113300000401']]).toEqual([
      expect.objectContaining({
        availability: 'failed',
        configPending: true,
        pending: expect.objectContaining({ internetConnection: false, privateInterface: null }),
        applied: expect.objectContaining({ internetConnection: true }),
      }),
      expect.objectContaining({ sessionUp: false }),
      expect.objectContaining({
        status: 'disabled',
        acl: 'deny all',
        settings: expect.objectContaining({ DefaultCacheTTL: 5 }),
      }),
      expect.objectContaining({ power: 'down' }),
    ]);
  });

  it.each([
    [{ sims: { '999': { activated: true } } }, 'PATCH /state: sims: there is no 999'],
    [{ sims: { [truckID]: { colour: 1 } } }, `PATCH /state: sims.${truckID}: no such member: colour`],
    [{ sims: { [truckID]: { gatewayID: 'x' } } }, 'PATCH /state: gatewayID: there is no gateway x'],
    [
      { sims: { [truckID]: { gatewayID: null, ip: '10.0.0.9' } } },
      `PATCH /state: ip: SIM ${truckID} is on no gateway, and has no address: write its gatewayID, too`,
    ],
    [{ sites: { [siteID]: { settings: { DefaultCacheTTL: '5' } } } }, 'PATCH /state: Site.DefaultCacheTTL: write -1'],
    [{ trucks: {} }, 'PATCH /state: the top level: no such member: trucks'],
  ])('refuses %j', async (patch, message) => {
    await expect(service.control.patch(JSON.parse(JSON.stringify(patch)))).rejects.toThrow(message);
  });
});

describe('adding and removing behind the clients’ back', () => {
  it('adds to the account named', async () => {
    const { id } = await service.control.add('sims', { iccid: '77', account: 'other' });
    const asOther = { as: ['other', 'secret'] as const };
    expect((await service.call('GET', `/commonserviceitem/${id}`, undefined, asOther)).status).toBe(200);
    expect((await service.call('GET', `/commonserviceitem/${id}`)).status).toBe(403);
  });

  it('adds each kind', async () => {
    const ids = [
      await service.control.add('gateways', { name: 'g', zone: 'tk1a' }),
      await service.control.add('sites', { name: 's', domain: 's.example.jp' }),
      await service.control.add('servers', { name: 'v', zone: 'is1a' }),
    ];
    const { gateways, sites, servers } = await service.control.state();
    expect([gateways, sites, servers].map((objects, kind) => ids[kind]?.id && objects[ids[kind].id]?.account)).toEqual([
      'default',
      'default',
      'default',
    ]);
  });

  it('removes whatever the state, and frees what hung on it', async () => {
    await service.control.remove('gateways', 'depot');
    expect((await service.control.state()).sims[truckID]).toEqual(
      expect.objectContaining({ gatewayID: null, ip: null, sessionUp: false }),
    );
    await service.control.remove('sims', truckICCID);
    await service.control.remove('sites', 'www.example.jp');
    await service.control.remove('servers', 'web-1');
    const { sims, gateways, sites, servers } = await service.control.state();
    expect([sims, gateways, sites, servers].map((objects) => Object.keys(objects).length)).toEqual([1, 1, 0, 0]);
  });

  it.each([
    ['sims', { iccid: truckICCID }, 'POST /state/sims: iccid: another SIM has'],
    ['sims', { iccid: '1', id: truckID }, `POST /state/sims: id: ${truckID} is taken`],
    ['sims', { iccid: '1', account: 'nobody' }, 'POST /state/sims: account: there is no account nobody'],
    ['gateways', { name: 'g', zone: 'x' }, 'POST /state/gateways: zone: write one of tk1a'],
  ] as const)('refuses to add to %s: %j', async (kind, seed, message) => {
    await expect(service.control.add(kind, seed)).rejects.toThrow(message);
  });
});

describe('settings', () => {
  it('are changed one at a time', async () => {
    const before = await service.control.settings();
    const after = await service.control.changeSettings({ pageLimit: 1 });
    expect(after).toEqual({ ...before, pageLimit: 1 });
    expect((await service.call('GET', '/commonserviceitem')).body).toEqual(
      expect.objectContaining({ Count: 1, Total: 2 }),
    );
  });

  it('are refused by name', async () => {
    await expect(service.control.changeSettings({ pageLimit: 0 })).rejects.toThrow('pageLimit: write 1 or more');
  });

  it('slow every answer down when told to', async () => {
    await service.control.changeSettings({ delay: 1000 });
    const answer = service.call('GET', truck);
    while (service.clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
    await service.clock.advance(1000);
    expect((await answer).status).toBe(200);
  });
});

describe('POST /reset', () => {
  it('is back at the seed, with everything else gone', async () => {
    await service.control.remove('sims', truckID);
    await service.control.changeSettings({ pageLimit: 1 });
    await service.control.advance(60);
    await service.control.fault({ code: 500 });
    await service.control.reset();
    expect([
      Object.keys((await service.control.state()).sims),
      (await service.control.settings()).pageLimit,
      (await service.control.clock()).offsetSeconds,
      await service.control.faults(),
      (await service.control.counts()).total,
    ]).toEqual([[truckID, '113300000102'], 10_000, 0, [], 0]);
  });

  it('never gives an ID again', async () => {
    const { id } = await service.control.add('sims', { iccid: '5' });
    await service.control.reset();
    expect((await service.control.add('sims', { iccid: '6' })).id).not.toBe(id);
  });
});

describe('the port itself', () => {
  it('documents everything it takes', async () => {
    const text = await (await fetch(service.controlURL)).text();
    for (const word of ['/requests', '/faults', '/holds', '/clock', '/state', '/settings', '/reset', 'curl']) {
      expect(text).toContain(word);
    }
    expect(text).toContain('PUT webaccel/site/:id\n');
  });

  it.each([
    ['GET', '/nothing', {}, undefined, 404],
    ['POST', '/clock', {}, '{', 400],
    ['POST', '/state/trucks', {}, '{}', 404],
    ['POST', '/clock', {}, '{}', 400],
    ['POST', '/clock', {}, '{"set":"2026-02-30T00:00:00Z"}', 400],
    ['GET', '/state', { origin: 'https://example.jp' }, undefined, 403],
  ])('answers %s %s %j %s with %d', async (method, path, headers, body, status) => {
    const answer = await fetch(`${service.controlURL}${path}`, { method, headers, ...(body && { body }) });
    expect([answer.status, await answer.json()]).toEqual([status, { error: expect.any(String) }]);
  });
});
