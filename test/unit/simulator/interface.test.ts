import { beforeAll, describe, expect, it } from 'vitest';
import { createRoot, type Issued, issue } from '../../support/certificates.ts';
import { fleet, gatewayID, refusal, truckID, useService } from './service.ts';

const siteID = '113300000301';
const serverID = '113300000401';
const day = 86_400_000;
const service = useService({
  seed: {
    ...fleet,
    sims: [...fleet.sims, { iccid: '3', name: 'both', tags: ['spare', 'blue'] }],
    sites: [{ id: siteID, name: 'www', domain: 'www.example.jp' }],
    servers: [{ id: serverID, name: 'web', zone: 'is1a', power: 'down' }],
  },
});
let issued: Issued;
beforeAll(async () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  issued = await issue(await createRoot(), ['www.example.jp'], { notBefore: now - day, notAfter: now + 90 * day });
});

const member = (body: Record<string, unknown>, name: string) => {
  const value = body[name];
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
};

describe('what api.md and facts.md say', () => {
  it('a site in detail says what went out in the last week, as the list does', async () => {
    const [list, detail] = [await service.web('GET', '/site'), await service.web('GET', `/site/${siteID}`)];
    const gib = member(detail.body, 'Site')['GibSentInLastWeek'];
    expect([Number.isInteger(gib), list.body['Sites']]).toEqual([
      true,
      [expect.objectContaining({ GibSentInLastWeek: gib })],
    ]);
  });

  it.each([
    [[{ AllowsAnyOrigin: true, AllowedOrigins: null }], [{ AllowsAnyOrigin: true }]],
    [[{ AllowsAnyOrigin: true, AllowedOrigins: [] }], [{ AllowsAnyOrigin: true }]],
    [[{ AllowsAnyOrigin: null, AllowedOrigins: ['https://a.jp'] }], [{ AllowedOrigins: ['https://a.jp'] }]],
    [[{ AllowsAnyOrigin: false, AllowedOrigins: ['https://a.jp'] }], [{ AllowedOrigins: ['https://a.jp'] }]],
    [[], []],
    [null, [{ AllowsAnyOrigin: true }]],
  ])('CORSRules %j is taken, what says nothing is ignored', async (CORSRules, shown) => {
    await service.web('PUT', `/site/${siteID}`, { Site: { CORSRules: [{ AllowsAnyOrigin: true }] } });
    const { status, body } = await service.web('PUT', `/site/${siteID}`, { Site: { CORSRules } });
    expect([status, member(body, 'Site')['CORSRules']]).toEqual([200, shown]);
  });

  it.each([
    [[{ AllowsAnyOrigin: true, AllowedOrigins: ['https://a.jp'] }]],
    [[{ AllowsAnyOrigin: false, AllowedOrigins: [] }]],
    [[{}]],
  ])('CORSRules %j says nothing or too much', async (CORSRules) => {
    expect(refusal(await service.web('PUT', `/site/${siteID}`, { Site: { CORSRules } }))).toBe(
      '400 bad_request: Site.CORSRules[0]: write either AllowsAnyOrigin: true or AllowedOrigins, at least one',
    );
  });

  it('the log upload is called SiteLogUploadConfig', async () => {
    const config = { Bucket: 'logs', Endpoint: 's3.example.jp', Region: 'r', Status: 'enabled', AccessKeyID: 'id' };
    const path = `/site/${siteID}/log-upload-config`;
    const put = await service.web('PUT', path, { SiteLogUploadConfig: { ...config, SecretAccessKey: 'hidden' } });
    const { body } = await service.web('GET', path);
    expect([put.status, body]).toEqual([200, { is_ok: true, SiteLogUploadConfig: config }]);
  });

  it('PUT of a certificate with an empty Key takes the key that is stored; POST needs one', async () => {
    const given = (Key: string) => ({ Certificate: { CertificateChain: issued.chain, Key } });
    const path = `/site/${siteID}/certificate`;
    const answers = [
      await service.web('POST', path, given('')),
      await service.web('POST', path, given(issued.key)),
      await service.web('PUT', path, given('')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 200]);
  });

  it.each(['PUT /power', 'PUT /config', 'PUT /mobilegateway/dnsresolver'])(
    '%s of a gateway that is being made meets still_creating, of one that moves in_migration',
    async (operation) => {
      const [method = '', path = ''] = operation.split(' ');
      const ask = async (id: string, zone: string) =>
        (await service.call(method, `/appliance/${id}${path}`, undefined, { zone })).body['error_code'];
      await service.control.changeSettings({ migratingTime: 10_000 });
      const made = await service.call('POST', '/appliance', {
        Appliance: {
          Name: 'n',
          Class: 'mobilegateway',
          Plan: { ID: 2 },
          Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
        },
      });
      await service.control.patch({ gateways: { [gatewayID]: { availability: 'migrating' } } });
      const id = String(member(made.body, 'Appliance')['ID']);
      expect([await ask(id, 'is1a'), await ask(gatewayID, 'is1b')]).toEqual(['still_creating', 'in_migration']);
    },
  );

  it('traffic is integers in the Documented dialect, whatever the SIM', async () => {
    for (let index = 0; index < 6; index++) {
      await service.control.add('sims', {
        iccid: `10${index}`,
        activated: true,
        gateway: 'depot',
        ip: `10.0.0.${30 + index}`,
      });
    }
    await service.control.advance(3600);
    const query = encodeURIComponent('{"From":0,"Count":100}');
    const { body } = await service.call('GET', `/applience/${gatewayID}/mobilegateway/sims?${query}`, undefined, {
      zone: 'is1b',
    });
    const single = await service.call('GET', `/commonserviceitem/113300000102/sim/status`);
    expect(body['sim']).toEqual(
      Array.from({ length: 7 }, () =>
        expect.objectContaining({
          traffic_bytes_of_current_month: { uplink_bytes: expect.any(Number), downlink_bytes: expect.any(Number) },
        }),
      ),
    );
    expect(member(single.body, 'sim')['traffic_bytes_of_current_month']).toEqual({
      uplink_bytes: 0,
      downlink_bytes: 0,
    });
  });

  it.each([
    [[['spare']], ['truck-2', 'both']],
    [[['spare', 'blue']], ['both']],
    [['blue'], ['both']],
    [[['none'], ['blue']], ['both']],
  ])('tags are found by %j', async (tags, names) => {
    const query = encodeURIComponent(JSON.stringify({ Filter: { 'Tags.Name': tags }, Include: ['Name'] }));
    const { body } = await service.call('GET', `/commonserviceitem?${query}`);
    expect(body['CommonServiceItems']).toEqual(names.map((Name) => expect.objectContaining({ Name })));
  });

  it.each(['1e3', '0x10', '+2', ' 2', '2.0', '0', '-1', '1e400', ''])('%j is no plan of a server', async (plan) => {
    const { status } = await service.call('PUT', `/server/${serverID}/to/plan/${encodeURIComponent(plan)}`);
    expect(status).toBe(plan === '' ? 404 : 400);
  });

  it('a page holds ten thousand', async () => {
    expect((await service.control.settings()).pageLimit).toBe(10_000);
  });
});

describe('the request log', () => {
  it('is bounded by bytes: the oldest go, and a long body is left out', async () => {
    await service.control.changeSettings({ requestLogBytes: 100_000 });
    const change = (length: number) =>
      service.call('PUT', `/commonserviceitem/${truckID}`, { CommonServiceItem: { Description: 'x'.repeat(length) } });
    for (let index = 0; index < 30; index++) await change(5_000);
    await change(50_000);
    const { requests } = await service.control.requests();
    expect(requests.length).toBeLessThan(20);
    expect(requests.at(-1)).toEqual(expect.objectContaining({ bodyLeftOut: 50_040, status: 200 }));
    expect(requests.at(-1)).not.toHaveProperty('body');
    expect((await service.control.counts()).total).toBe(31);
  });
});
