import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { createIntermediate, createRoot, type Issuer, issue, tlsSecret } from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { startTestOperator } from '../../support/operator.ts';
import type { World } from '../../support/world.ts';
import { DOMAIN, SITE_ID, seededSite, site, siteWorld } from '../site/support.ts';

/** Fewer workers than there are certificates: where one waits for the hour in a worker, they run out at once. */
const WORKERS = 4;
const FLEET = 60;
const WITHOUT_LIMIT = 500;
const UPLOAD = /^(POST|PUT) webaccel\/site\/:id\/certificate$/;

let operator: Operator;
let issuer: Issuer;
beforeAll(async () => {
  issuer = await createIntermediate(await createRoot());
  operator = await startTestOperator({ workers: WORKERS });
});
afterAll(() => operator.stop());

function certificate(name: string, siteID: string, secret = 'www-tls'): object {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name },
    spec: { siteID, secretRef: { name: secret } },
  };
}

const fleetID = (number: number) => String(113_300_001_000 + number);

/** An account whose certificates share one Secret, and that may ask for so much an hour. */
async function fleet(webAccelRequestsPerHour: number, size = FLEET): Promise<World> {
  const sites = Array.from({ length: size }, (_, number) => ({
    ...seededSite,
    id: fleetID(number),
    name: `u${number}`,
    domain: `u${number}.example.jp`,
  }));
  const world = await siteWorld({ seed: { sites } });
  await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour } } });
  await world.apply(tlsSecret('www-tls', await issue(issuer, ['*.example.jp'])));
  await Promise.all(sites.map(({ id, name }) => world.apply(certificate(name, id))));
  return world;
}

/** An account with one certificate that is on its site, and nothing else to do. */
async function quiet(): Promise<World> {
  const world = await siteWorld();
  await world.apply(tlsSecret('www-tls', await issue(issuer, [DOMAIN])));
  await world.apply(certificate('www', SITE_ID));
  await world.ready('SiteCertificate', 'www');
  return world;
}

async function uploads(world: World): Promise<number> {
  return (await world.requests()).filter(({ route }) => UPLOAD.test(route)).length;
}

/** Resolves when so much of the hour is used, or what may go beyond it, such as the look of an account at its credentials. */
async function usedUp(world: World, requests: number): Promise<void> {
  const asked = async () => (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;
  await eventually(async () => expect(await asked()).toBeGreaterThanOrEqual(requests), { timeoutSeconds: 60 });
}

describe('an hour that one account has used up', () => {
  it('keeps no renewal of another account waiting, in whatever lane sixty certificates and a site wait', {
    timeout: 300_000,
  }, async () => {
    const other = await quiet();
    const limit = 60;
    const world = await fleet(limit);
    await world.apply(site({ siteID: fleetID(0) }, 'u0'));
    // What is new may use nine tenths; the rest goes to those that are on their sites and are renewed.
    await usedUp(world, limit * 0.9);
    await world.apply(tlsSecret('www-tls', await issue(issuer, ['*.example.jp'])));
    await usedUp(world, limit);
    await world.patch('WebAccelSite', 'u0', { spec: { displayName: 'renamed' } });
    await world.delete('SiteCertificate', 'u1');
    const before = await uploads(other);
    const renewed = await issue(issuer, [DOMAIN]);
    await other.apply(tlsSecret('www-tls', renewed));
    await eventually(async () => {
      const { status } = await other.get('SiteCertificate', 'www');
      expect(status?.['current']).toMatchObject({ sha256Fingerprint: renewed.fingerprint });
    });
    expect(await uploads(other)).toBe(before + 1);
    await world.stop();
    await other.stop();
  });

  it('lets a renewed certificate that waits say so, and until when, while the site serves the one before', {
    timeout: 300_000,
  }, async () => {
    const size = 8;
    const world = await fleet(WITHOUT_LIMIT, size);
    const names = Array.from({ length: size }, (_, number) => `u${number}`);
    for (const name of names) await world.ready('SiteCertificate', name);
    const asked = (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;
    await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour: asked } } });
    await world.apply(site({ siteID: fleetID(0) }, 'u0'));
    await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'True', reason: '*' });
    await world.apply(tlsSecret('www-tls', await issue(issuer, ['*.example.jp'])));
    for (const name of names) {
      await world.condition('SiteCertificate', name, { type: 'Reconciling', status: 'True', reason: 'Queued' });
      const { message } = await world.condition('SiteCertificate', name, {
        type: 'Synced',
        status: 'False',
        reason: 'Queued',
      });
      expect(message).toMatch(
        new RegExp(
          `^Waiting for its turn: the account has used up the ${asked} web acceleration requests of an hour\\. It continues at about \\S+Z\\.$`,
        ),
      );
      const ready = await world.condition('SiteCertificate', name, { type: 'Ready', status: 'True', reason: '*' });
      expect(ready.message).toMatch(/^u\d\.example\.jp serves the certificate [0-9a-f]{12}, valid until \S+Z\.$/);
    }
    await world.stop();
  });
});

describe('a restart in an hour that is used up', () => {
  it('keeps what was known of sites and certificates, and says since when they wait to be looked at', {
    timeout: 300_000,
  }, async () => {
    const world = await fleet(WITHOUT_LIMIT, 3);
    await world.apply(tlsSecret('other-tls', await issue(issuer, ['u2.example.jp'])));
    await world.apply(certificate('u2', fleetID(2), 'other-tls'));
    await world.apply(site({ siteID: fleetID(0), displayName: 'u0' }, 'u0'));
    const unchanged = [
      ['WebAccelSite', 'u0'],
      ['SiteCertificate', 'u0'],
      ['SiteCertificate', 'u1'],
    ] as const;
    const available = { status: 'True', reason: 'Available' } as const;
    for (const [kind, name] of [...unchanged, ['SiteCertificate', 'u2'] as const]) {
      await world.ready(kind, name);
      await world.condition(kind, name, { type: 'Synced', ...available });
    }
    await eventually(async () => {
      const { status } = await world.get('SiteCertificate', 'u2');
      expect(status?.['current']).toMatchObject({ dnsNames: ['u2.example.jp'] });
    });
    const readySince = async (kind: string, name: string) =>
      (await world.condition(kind, name, { type: 'Ready', ...available })).lastTransitionTime;
    const before = await Promise.all(unchanged.map(([kind, name]) => readySince(kind, name)));
    // At rest a crash would cost two requests; a regular end costs none.
    await eventually(async () => {
      const { status } = await world.get('CloudAccount', 'default');
      expect(status?.['budget']).toMatchObject({ reserved: 2 });
    });
    await operator.stop();
    const sent = (await world.requests()).filter(({ route }) => route.includes('webaccel')).length;
    const { status } = await world.get('CloudAccount', 'default');
    expect(status?.['budget']).toEqual({
      used: sent,
      limit: WITHOUT_LIMIT,
      resetsAt: expect.any(String),
      identity: expect.any(String),
      recordedAt: expect.any(String),
    });
    // One Secret has another certificate now, which nobody has looked at.
    await world.apply(tlsSecret('other-tls', await issue(issuer, ['u2.example.jp'])));
    await world.patch('CloudAccount', 'default', { spec: { limits: { webAccelRequestsPerHour: 2 } } });
    operator = await startTestOperator({ workers: WORKERS });
    await world.condition('SiteCertificate', 'u2', { type: 'Synced', status: 'False', reason: 'Queued' });
    for (const [kind, name] of unchanged) {
      await eventually(async () => {
        const { message } = await world.condition(kind, name, { type: 'Synced', ...available });
        expect(message).toMatch(
          /^It was as the spec says when it was looked at last; it waits to be looked at since \S+Z\. Waiting for its turn: /,
        );
      });
    }
    expect(await Promise.all(unchanged.map(([kind, name]) => readySince(kind, name)))).toEqual(before);
    await world.stop();
  });
});

describe('a service that answers 500', () => {
  it('does not cost the hour, and forty renewed certificates go on once it answers', { timeout: 300_000 }, async () => {
    const world = await fleet(WITHOUT_LIMIT, 40);
    await eventually(async () => expect(await uploads(world)).toBe(40), { timeoutSeconds: 60 });
    await world.simulator.fault({ route: '*webaccel*', code: 500 });
    await world.forget();
    const renewed = await issue(issuer, ['*.example.jp']);
    await world.apply(tlsSecret('www-tls', renewed));
    await sleep(15_000);
    const { message } = await world.condition('SiteCertificate', 'u39', {
      type: 'Synced',
      status: 'False',
      reason: 'ServiceUnavailable',
    });
    expect(message).toMatch(/the service answered 500/);
    expect((await world.requests()).filter(({ route }) => route.includes('webaccel')).length).toBeLessThan(30);
    await world.simulator.clearFaults();
    await eventually(
      async () => {
        const all = await Promise.all(
          Array.from({ length: 40 }, (_, number) => world.get('SiteCertificate', `u${number}`)),
        );
        for (const { status } of all)
          expect(status?.['current']).toMatchObject({ sha256Fingerprint: renewed.fingerprint });
      },
      { timeoutSeconds: 90 },
    );
    await world.stop();
  });
});
