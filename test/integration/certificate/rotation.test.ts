import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import {
  createIntermediate,
  createRoot,
  type Issued,
  type Issuer,
  issue,
  tlsSecret,
} from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { lookAgain, SITE_ID, seededSite, settleSites, site, siteWorld } from '../site/support.ts';

const DOMAIN = 'www.example.jp';
let operator: Operator;
let issuer: Issuer;
beforeAll(async () => {
  issuer = await createIntermediate(await createRoot());
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

function certificate(spec: object = {}, name = 'www'): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name },
    spec: { ...('siteID' in spec ? {} : { siteRef: { name: 'www' } }), secretRef: { name: 'www-tls' }, ...spec },
  };
}

/** Routes of the uploads so far. */
async function uploads(world: World): Promise<string[]> {
  return (await world.writes()).map((call) => call.split(' ').slice(0, 2).join(' '));
}

/** The uploads, once there are so many and the list was taken twice more. */
async function settledUploads(world: World, count: number): Promise<string[]> {
  await eventually(async () => expect((await uploads(world)).length).toBeGreaterThanOrEqual(count));
  await settleSites(world);
  return uploads(world);
}

/** The fingerprints the status shows of the site. */
async function generations(world: World): Promise<(string | undefined)[]> {
  const { status } = await world.get('SiteCertificate', 'www');
  return [fingerprintIn(status?.['current']), fingerprintIn(status?.['previous'])];
}

function fingerprintIn(generation: unknown): string | undefined {
  if (typeof generation !== 'object' || generation === null || !('sha256Fingerprint' in generation)) return undefined;
  return String(generation.sha256Fingerprint);
}

async function expectGenerations(world: World, current: Issued, previous?: Issued): Promise<void> {
  await eventually(async () => expect(await generations(world)).toEqual([current.fingerprint, previous?.fingerprint]));
}

const POST = 'POST webaccel/site/:id/certificate';
const PUT = 'PUT webaccel/site/:id/certificate';

describe.concurrent('a SiteCertificate', () => {
  it('that waits for its turn is not put on the site once its Secret has another', async () => {
    const world = await siteWorld();
    const [first, second, third] = [
      await issue(issuer, [DOMAIN]),
      await issue(issuer, [DOMAIN]),
      await issue(issuer, [DOMAIN]),
    ];
    await world.apply(tlsSecret('www-tls', first));
    await world.apply(site({}));
    await world.apply(certificate());
    await world.ready('SiteCertificate', 'www');
    await world.simulator.fault({ route: 'GET webaccel/site', code: 429, retryAfter: 5, count: 1 });
    await eventually(async () => expect((await world.simulator.faults())[0]?.fired).toBe(1));
    await world.forget();
    await world.apply(tlsSecret('www-tls', second));
    await sleep(1000);
    await world.apply(tlsSecret('www-tls', third));
    await expectGenerations(world, third, first);
    expect(await settledUploads(world, 1)).toEqual([PUT]);
    await world.stop();
  });

  it.each(['Documented', 'Extended'] as const)(
    'puts the first certificate on the site by POST and each renewed one by PUT, once (%s)',
    async (dialect) => {
      const world = await siteWorld({ dialect });
      const [first, second, third] = [
        await issue(issuer, [DOMAIN]),
        await issue(issuer, [DOMAIN]),
        await issue(issuer, [DOMAIN]),
      ];
      // In the worst order: the certificate before its Secret and its site.
      await world.apply(certificate());
      await world.apply(tlsSecret('www-tls', first));
      await world.apply(site({}));
      await world.ready('SiteCertificate', 'www');
      expect(await settledUploads(world, 1)).toEqual([POST]);
      await expectGenerations(world, first);

      await world.apply(tlsSecret('www-tls', second));
      expect(await settledUploads(world, 2)).toEqual([POST, PUT]);
      await expectGenerations(world, second, first);

      await world.apply(tlsSecret('www-tls', third));
      expect(await settledUploads(world, 3)).toEqual([POST, PUT, PUT]);
      await expectGenerations(world, third, second);
      const { status } = await world.ready('SiteCertificate', 'www');
      expect(status).toMatchObject({
        id: SITE_ID,
        ownership: 'Adopted',
        siteID: SITE_ID,
        site: DOMAIN,
        applied: { certificate: third.fingerprint, chain: expect.any(String) },
        current: { dnsNames: [DOMAIN], issuer: 'CN=Test intermediate', subject: 'CN=Test site' },
        lastUploadAt: expect.any(String),
      });
      expect(status).not.toHaveProperty('pending');
      await eventually(async () =>
        expect(
          (await world.events('www')).filter(({ reason }) => reason === 'Updated').map(({ note }) => note),
        ).toEqual([
          `Uploaded the certificate ${first.fingerprint.slice(0, 12)}, valid until ${dateOf(first)}, the first on the site.`,
          `Uploaded the certificate ${second.fingerprint.slice(0, 12)}, valid until ${dateOf(second)}, in place of ${first.fingerprint.slice(0, 12)}. Because the certificate was renewed: secretRef.`,
          `Uploaded the certificate ${third.fingerprint.slice(0, 12)}, valid until ${dateOf(third)}, in place of ${second.fingerprint.slice(0, 12)}. Because the certificate was renewed: secretRef.`,
        ]),
      );
      await world.stop();
    },
  );

  it.each([
    ['ecdsa', 'sec1'],
    ['ecdsa', 'pkcs8'],
    ['rsa', 'pkcs1'],
    ['rsa', 'pkcs8'],
  ] as const)('takes %s keys as %s', async (algorithm, keyFormat) => {
    const world = await siteWorld();
    const issued = await issue(issuer, ['*.example.jp'], { algorithm, keyFormat });
    await world.apply(tlsSecret('www-tls', issued));
    await world.apply(certificate({ siteID: SITE_ID }));
    await world.ready('SiteCertificate', 'www');
    expect(await settledUploads(world, 1)).toEqual([POST]);
    await expectGenerations(world, issued);
    await world.stop();
  });

  it('writes nothing when the certificate is on the site already', async () => {
    const issued = await issue(issuer, [DOMAIN]);
    const world = await siteWorld();
    await world.simulator.patch({ sites: { [SITE_ID]: { certificate: { chain: issued.chain, key: issued.key } } } });
    await world.apply(tlsSecret('www-tls', issued));
    await world.apply(certificate({ siteID: SITE_ID }));
    await world.ready('SiteCertificate', 'www');
    expect(await settledUploads(world, 0)).toEqual([]);
    await world.stop();
  });

  it('puts its certificate back when somebody puts an older one on the site, and leaves a newer one', async () => {
    const world = await siteWorld();
    const now = Date.now();
    const own = await issue(issuer, [DOMAIN], { notBefore: now - 3_600_000 });
    const older = await issue(issuer, [DOMAIN], { notBefore: now - 7_200_000, notAfter: now + 1_000_000_000 });
    const newer = await issue(issuer, [DOMAIN], { notBefore: now - 60_000, notAfter: now + 91 * 86_400_000 });
    const put = (issued: Issued) =>
      world.simulator.patch({ sites: { [SITE_ID]: { certificate: { chain: issued.chain, key: issued.key } } } });
    await world.apply(tlsSecret('www-tls', own));
    await world.apply(certificate({ siteID: SITE_ID }));
    await world.ready('SiteCertificate', 'www');
    await put(older);
    expect(await settledUploads(world, 2)).toEqual([POST, PUT]);
    await expectGenerations(world, own, older);

    await put(newer);
    await world.condition('SiteCertificate', 'www', { type: 'Ready', status: 'False', reason: 'OlderThanCurrent' });
    expect(await settledUploads(world, 2)).toEqual([POST, PUT]);
    await world.apply(certificate({ siteID: SITE_ID, allowRollback: true }));
    expect(await settledUploads(world, 3)).toEqual([POST, PUT, PUT]);
    await expectGenerations(world, own, newer);
    await world.stop();
  });

  it('has the true certificate take the place of a temporary one, which began later and lasts longer', async () => {
    const world = await siteWorld();
    const now = Date.now();
    const authority = await createRoot('cert-manager.local');
    const temporary = await issue(authority, [DOMAIN], { notBefore: now - 60_000, notAfter: now + 90 * 86_400_000 });
    const dated = { notBefore: now - 3_600_000, notAfter: now + 90 * 86_400_000 - 3_600_000 };
    const authentic = await issue(issuer, [DOMAIN], dated);
    await world.apply(tlsSecret('www-tls', temporary));
    await world.apply(certificate({ siteID: SITE_ID, allowTemporary: true }));
    await world.ready('SiteCertificate', 'www');
    await expectGenerations(world, temporary);

    await world.apply(tlsSecret('www-tls', authentic));
    await expectGenerations(world, authentic, temporary);
    expect(await settledUploads(world, 2)).toEqual([POST, PUT]);
    await world.stop();
  });

  it('shows the difference and writes nothing while it observes', async () => {
    const world = await siteWorld();
    const issued = await issue(issuer, [DOMAIN]);
    await world.apply(tlsSecret('www-tls', issued));
    await world.apply(certificate({ siteID: SITE_ID, managementPolicy: 'Observe' }));
    await world.condition('SiteCertificate', 'www', { type: 'Synced', status: 'False', reason: 'DriftObserved' });
    const { status } = await world.get('SiteCertificate', 'www');
    expect(status).toMatchObject({
      drift: [{ field: 'secretRef', desired: issued.fingerprint.slice(0, 12), observed: 'none' }],
    });
    expect(await settledUploads(world, 0)).toEqual([]);
    await world.stop();
  });

  it('leaves the certificate on the site when it is deleted', async () => {
    const world = await siteWorld();
    await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
    await world.apply(certificate({ siteID: SITE_ID }));
    await world.ready('SiteCertificate', 'www');
    await world.delete('SiteCertificate', 'www');
    await world.gone('SiteCertificate', 'www');
    expect(await uploads(world)).toEqual([POST]);
    await world.stop();
  });

  it.each(['before', 'after'] as const)(
    'uploads once, and keeps the true previous generation, when the answer is cut off %s the service acted',
    async (when) => {
      const world = await siteWorld();
      const [first, second] = [await issue(issuer, [DOMAIN]), await issue(issuer, [DOMAIN])];
      await world.apply(tlsSecret('www-tls', first));
      await world.apply(certificate({ siteID: SITE_ID }));
      await world.ready('SiteCertificate', 'www');
      await world.simulator.fault({ route: PUT, cut: true, when, count: 1 });
      await world.apply(tlsSecret('www-tls', second));
      await eventually(async () => expect(await generations(world)).toEqual([second.fingerprint, first.fingerprint]), {
        timeoutSeconds: 20,
      });
      const sent = (await world.requests()).filter(({ route }) => route === PUT);
      await settleSites(world);
      // Cut before, the service never took it; then it takes two to arrive once.
      expect(sent.length).toBe(when === 'before' ? 2 : 1);
      await world.stop();
    },
  );

  describe('whose siteRef comes to mean another site', () => {
    const OTHER_ID = '113300000302';
    const OTHER = 'blog.example.jp';

    /** A SiteCertificate `www` that is on its site, in a world with another one; `issued` serves both. */
    async function twoSites(): Promise<{ world: World; issued: Issued }> {
      const other = { ...seededSite, id: OTHER_ID, name: 'blog', domain: OTHER };
      const world = await siteWorld({ seed: { sites: [seededSite, other] } });
      const issued = await issue(issuer, [DOMAIN, OTHER]);
      await world.apply(tlsSecret('www-tls', issued));
      await world.apply(site({}));
      await world.apply(certificate());
      await world.ready('SiteCertificate', 'www');
      return { world, issued };
    }

    async function pointElsewhere(world: World): Promise<void> {
      await world.forget();
      await world.delete('WebAccelSite', 'www');
      await world.gone('WebAccelSite', 'www');
      await world.apply(site({ domain: OTHER }));
      await world.ready('WebAccelSite', 'www');
    }

    it('puts its certificate there', async () => {
      const { world, issued } = await twoSites();
      await pointElsewhere(world);
      await eventually(async () => expect((await world.get('SiteCertificate', 'www')).status?.['id']).toBe(OTHER_ID));
      await world.ready('SiteCertificate', 'www');
      expect(await settledUploads(world, 1)).toEqual([POST]);
      await expectGenerations(world, issued);
      const { sites } = JSON.parse(JSON.stringify(await world.simulator.state()));
      expect(sites[OTHER_ID].current).not.toBeNull();
      await world.stop();
    });

    it('leaves it to the SiteCertificate that looks after that site already, though it is younger', async () => {
      const { world } = await twoSites();
      await world.apply(tlsSecret('blog-tls', await issue(issuer, [OTHER])));
      await world.apply(certificate({ siteID: OTHER_ID, secretRef: { name: 'blog-tls' } }, 'blog'));
      await world.ready('SiteCertificate', 'blog');
      await pointElsewhere(world);
      await world.condition('SiteCertificate', 'www', { type: 'Stalled', status: 'True', reason: 'AlreadyManaged' });
      expect(await settledUploads(world, 0)).toEqual([]);
      await world.stop();
    });
  });

  it('says that it waits for the hour, and until when, when the account has used it up', async () => {
    const world = await siteWorld();
    await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour: 3 } } });
    await world.apply(site({}));
    // Looking at the site uses up what is not kept for changes.
    await eventually(async () => {
      const { status } = await world.get('CloudAccount', 'default');
      const requests = (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;
      expect([requests >= 2, status?.conditions !== undefined]).toEqual([true, true]);
    });
    await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
    await world.apply(certificate({ siteID: SITE_ID }));
    const { message } = await world.condition('SiteCertificate', 'www', {
      type: 'Reconciling',
      status: 'True',
      reason: 'Queued',
    });
    expect(message).toMatch(
      /^Waiting for its turn: the account has used \d+ of the 3 web acceleration requests of an hour, and the rest is kept for changes\. It continues at about \S+Z\.$/,
    );
    await world.stop();
  });

  it('puts a chain that changed under the same certificate on the site, once', async () => {
    const world = await siteWorld();
    const issued = await issue(issuer, [DOMAIN]);
    await world.apply(tlsSecret('www-tls', { ...issued, chain: issued.leaf }));
    await world.apply(site({}));
    await world.apply(certificate());
    await world.ready('SiteCertificate', 'www');
    expect(await settledUploads(world, 1)).toEqual([POST]);
    await world.apply(tlsSecret('www-tls', issued));
    expect(await settledUploads(world, 2)).toEqual([POST, PUT]);
    const { sites } = JSON.parse(JSON.stringify(await world.simulator.state()));
    expect(sites[SITE_ID].current.chain).toBe(issued.chain);
    await expectGenerations(world, issued, issued);
    await lookAgain(world, 'SiteCertificate', 'www');
    await settleSites(world);
    expect(await uploads(world)).toEqual([POST, PUT]);
    expect((await world.events('www')).at(-1)?.note).toBe(
      `Uploaded the certificate ${issued.fingerprint.slice(0, 12)}, valid until ${dateOf(issued)}, in place of itself, with another chain. Because the certificate was renewed: secretRef.`,
    );
    await world.stop();
  });

  it('looks again when it is asked to', async () => {
    const world = await siteWorld();
    await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
    await world.apply(certificate({ siteID: SITE_ID }));
    await world.ready('SiteCertificate', 'www');
    await settleSites(world);
    await world.forget();
    await lookAgain(world, 'SiteCertificate', 'www');
    await eventually(async () => expect((await world.counts())['GET webaccel/site/:id/certificate']).toBe(1));
    await world.stop();
  });
});

function dateOf({ notAfter }: Issued): string {
  return new Date(notAfter).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
