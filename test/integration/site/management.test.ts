import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { secretDigest } from '../../../src/simulator/redact.ts';
import { eventually } from '../../support/kubernetes.ts';
import { secret } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { put, SITE_ID, seededSite, settleSites, site, siteWorld } from './support.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

/** The calls that change something, once there are so many and the list was taken twice more. */
async function settledWrites(world: World, count: number): Promise<string[]> {
  await eventually(async () => expect((await world.writes()).length).toBeGreaterThanOrEqual(count));
  await settleSites(world);
  return world.writes();
}

const siteGETs = (world: World) =>
  world
    .counts()
    .then((counts) => Object.entries(counts).filter(([route]) => route.startsWith('GET webaccel/site/:id')));

describe.concurrent('a WebAccelSite', () => {
  it.each([
    ['its domain', { domain: '日本語.jp' }],
    ['its domain in another form', { domain: 'XN--wgv71a119e.JP.' }],
    ['its ID', { siteID: SITE_ID }],
  ])('is found by %s, and nothing is written', async (_, spec) => {
    const world = await siteWorld({ seed: { sites: [{ ...seededSite, domain: '日本語.jp' }] } });
    await world.apply(site(spec));
    await world.ready('WebAccelSite', 'www');
    expect(await settledWrites(world, 0)).toEqual([]);
    await eventually(async () =>
      expect((await world.get('WebAccelSite', 'www')).status).toMatchObject({
        id: SITE_ID,
        ownership: 'Adopted',
        siteID: SITE_ID,
        domain: '日本語.jp',
        asciiDomain: 'xn--wgv71a119e.jp',
        domainType: 'own_domain',
        status: 'enabled',
        settings: {
          displayName: 'www',
          requestProtocol: 'HTTPAndHTTPS',
          originType: 'WebServer',
          webServer: { host: 'origin.example.jp', hostHeader: 'www.example.jp', protocol: 'HTTP' },
          normalizeAcceptEncoding: 'Gzip',
          vary: false,
          cors: {},
        },
        accessControl: [],
      }),
    );
    await world.stop();
  });

  it('is found by its subdomain', async () => {
    const world = await siteWorld({ seed: { sites: [{ id: SITE_ID, name: 'plain' }] } });
    const { sites } = await world.simulator.state();
    await world.apply(site({ domain: sites[SITE_ID]?.['subdomain'] }));
    const { status } = await world.ready('WebAccelSite', 'www');
    expect(status).toMatchObject({ id: SITE_ID, domainType: 'subdomain' });
    await world.stop();
  });

  it('shows every difference and writes nothing while it observes', async () => {
    const world = await siteWorld();
    await world.apply(
      site({ managementPolicy: 'Observe', displayName: 'Shop', vary: true, accessControl: ['deny all'] }),
    );
    await world.condition('WebAccelSite', 'www', { type: 'Synced', status: 'False', reason: 'DriftObserved' });
    const { status } = await world.get('WebAccelSite', 'www');
    expect(status).toMatchObject({
      drift: [
        { field: 'displayName', desired: 'Shop', observed: 'www' },
        { field: 'vary', desired: 'true', observed: 'false' },
        { field: 'accessControl', desired: 'deny all', observed: 'none' },
      ],
    });
    expect(await settledWrites(world, 0)).toEqual([]);
    await world.stop();
  });

  it('sends a Secret again when it changes', async () => {
    const world = await siteWorld();
    await world.apply(secret('one-time', { secret: 'first' }));
    await world.apply(site({ oneTimeURLSecretRef: { name: 'one-time', key: 'secret' } }));
    await world.ready('WebAccelSite', 'www');
    await world.apply(secret('one-time', { secret: 'second' }));
    expect(await settledWrites(world, 2)).toEqual([
      put({ OnetimeURLSecrets: secretDigest('first') }),
      put({ OnetimeURLSecrets: secretDigest('second') }),
    ]);
    await world.stop();
  });

  it('lets go of the site when it is deleted, and leaves it as it is', async () => {
    const world = await siteWorld();
    await world.apply(site({ displayName: 'Shop' }));
    await world.ready('WebAccelSite', 'www');
    await world.delete('WebAccelSite', 'www');
    await world.gone('WebAccelSite', 'www');
    expect(await settledWrites(world, 1)).toEqual([put({ Name: 'Shop' })]);
    await world.stop();
  });

  it('that the list is too short to show is reached by its ID, and says so', async () => {
    const other = { id: '113300000302', name: 'other', domain: 'other.example.jp' };
    const world = await siteWorld({ seed: { sites: [seededSite, other] }, settings: { siteCountLimit: 1 } });
    await world.apply(site({ domain: 'other.example.jp' }, 'by-domain'));
    await world.condition('WebAccelSite', 'by-domain', { type: 'Ready', status: 'False', reason: 'SiteNotListed' });
    await world.apply(site({ siteID: other.id, vary: true }, 'by-id'));
    const { message } = await world.condition('WebAccelSite', 'by-id', {
      type: 'Ready',
      status: 'True',
      reason: 'Available',
    });
    expect(message).toBe(
      "Site 113300000302 is at the service. The service's list of sites is too short to show it, so changes made elsewhere are noticed only when its turn comes (docs/reference/drift.md).",
    );
    expect(await settledWrites(world, 1)).toEqual([put({ VarySupport: 1 })]);
    await world.stop();
  });

  it('takes back what somebody sets elsewhere', async () => {
    const world = await siteWorld();
    await world.apply(site({ displayName: 'Shop' }));
    await world.ready('WebAccelSite', 'www');
    await world.simulator.patch({ sites: { [SITE_ID]: { settings: { Name: 'mine' } } } });
    expect(await settledWrites(world, 2)).toEqual([put({ Name: 'Shop' }), put({ Name: 'Shop' })]);
    await world.stop();
  });
});

describe('after a restart', () => {
  it('twenty sites in order cost a list, and no details', async () => {
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const sites = numbers.map((n) => ({ ...seededSite, id: `1133000003${n + 10}`, domain: `${n}.example.jp` }));
    const world = await siteWorld({ seed: { sites } });
    for (const n of numbers)
      await world.apply(site({ domain: `${n}.example.jp`, vary: true, accessControl: ['allow all'] }, `site-${n}`));
    for (const n of numbers)
      await eventually(async () => world.ready('WebAccelSite', `site-${n}`), { timeoutSeconds: 40 });
    await operator.stop();
    await world.forget();
    operator = await startTestOperator();
    await settleSites(world);
    expect(await siteGETs(world)).toEqual([]);
    expect(await world.writes()).toEqual([]);
    const account = await world.get('CloudAccount', 'default');
    expect(account.status).toMatchObject({ budget: { used: expect.any(Number), reserved: expect.any(Number) } });
    await world.stop();
  });
});
