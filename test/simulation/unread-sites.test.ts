import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { certificateNamed, tlsSecret } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

/** Sites, and certificates, that cannot be read for hours. */

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const SITES = `${GROUP}/webaccelsites`;
const BROKEN = 20;
const seeds = Array.from({ length: BROKEN + 4 }, (_, index) => ({
  id: String(113_300_010_001 + index),
  name: `s${index}`,
  domain: `s${index}.example.jp`,
}));
const broken = seeds.slice(0, BROKEN);
const idOf = ({ target }: Message) => /site\/(\d+)/.exec(target)?.[1] ?? '';
const askFor = (value: string | null, annotation = 'edgeline.dev/reconcile-at') => ({
  metadata: { annotations: { [annotation]: value } },
});

async function createSites(spec: object) {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: seeds } } });
  const { world } = fleet;
  const counts = { requests: 0, statuses: 0 };
  const ids = new Set(broken.map(({ id }) => id));
  world.onMessage((moment, message) => {
    if (moment !== 'written') return;
    if (message.to === 'service' && ids.has(idOf(message))) counts.requests++;
    if (message.route === 'patch webaccelsites/status') counts.statuses++;
  });
  const operator = world.start('operator');
  return {
    fleet,
    world,
    operator,
    counts,
    waiting: () => fleet.waiting('fleet', 'webaccelsites'),
    letPass: (milliseconds: number) => world.run(world.now() + milliseconds),
    make() {
      for (const { id, name } of seeds) {
        const all = { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0, ...spec };
        fleet.create(SITES, {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'WebAccelSite',
          metadata: { name },
          spec: all,
        });
      }
    },
    breakReads() {
      const fits = (message: Message) => message.route === 'GET webaccel/site/:id' && ids.has(idOf(message));
      world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'conflict' } });
    },
  };
}

it('sites that are only observed are Ready within minutes once they can be read', async () => {
  const { world, make, breakReads, letPass, waiting } = await createSites({ managementPolicy: 'Observe' });
  breakReads();
  make();
  await letPass(3 * HOUR);
  expect(waiting().size).toBe(BROKEN);
  world.calm();
  await letPass(HOUR / 10);
  expect(waiting().size).toBe(0);
});

it('those that a person asked to be looked at, and cannot be read, take a fifth of the hour, and say the same all the time', async () => {
  const { fleet, counts, make, breakReads, letPass } = await createSites({});
  make();
  await letPass(2 * HOUR);
  breakReads();
  for (const { name } of broken) fleet.patch(`${SITES}/${name}`, askFor('now'));
  await letPass(HOUR);
  Object.assign(counts, { requests: 0, statuses: 0 });
  await letPass(HOUR);
  expect(counts.requests).toBeLessThanOrEqual(100);
  expect(counts.statuses).toBeLessThanOrEqual(10);
});

it('one that goes on after a pause, or that failed once beside many that fail for hours, is Ready within seconds', async () => {
  const { fleet, world, make, breakReads, letPass, waiting } = await createSites({});
  make();
  await letPass(2 * HOUR);
  breakReads();
  for (const { name } of broken.slice(1)) fleet.patch(`${SITES}/${name}`, askFor('now'));
  await letPass(2 * HOUR);
  fleet.patch(`${SITES}/s7`, askFor('true', 'edgeline.dev/paused'));
  fleet.patch(`${SITES}/s0`, askFor('now'));
  await letPass(0.3 * SECOND);
  world.calm();
  fleet.patch(`${SITES}/s7`, askFor(null, 'edgeline.dev/paused'));
  await letPass(5 * SECOND);
  expect([waiting().has('s7'), waiting().has('s0')]).toEqual([false, false]);
});

it('certificates whose sites cannot be read before an upload take a fifth of the hour, and one that is renewed then goes at once', async () => {
  const { fleet, world, counts, letPass } = await createSites({});
  const certificateOf = (name: string) => `${GROUP}/sitecertificates/${name}`;
  for (const { id, name } of broken) {
    fleet.create('/api/v1/namespaces/fleet/secrets', tlsSecret(name, 'wildcard-1'));
    const spec = { siteID: id, secretRef: { name } };
    const kind = { apiVersion: 'edgeline.dev/v1alpha1', kind: 'SiteCertificate' };
    fleet.create(`${GROUP}/sitecertificates`, { ...kind, metadata: { name }, spec });
  }
  await letPass(2 * HOUR);
  const renew = (name: string, to: string) =>
    fleet.patch(`/api/v1/namespaces/fleet/secrets/${name}`, { data: tlsSecret(name, to).data });
  const ids = new Set(broken.map(({ id }) => id));
  const fits = (message: Message) => message.route === 'GET webaccel/site/:id/certificate' && ids.has(idOf(message));
  world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'conflict' } });
  for (const { name } of broken) renew(name, 'wildcard-2');
  await letPass(HOUR);
  counts.requests = 0;
  await letPass(HOUR);
  // What is looked at now and then is among them.
  expect(counts.requests).toBeLessThanOrEqual(100 + 2 * BROKEN);
  renew('s3', 'wildcard-3');
  await letPass(0.3 * SECOND);
  world.calm();
  await letPass(5 * SECOND);
  const { status } = fleet.read(certificateOf('s3'));
  expect(status['current']).toMatchObject({ sha256Fingerprint: certificateNamed('wildcard-3').fingerprint });
});

it('what cannot be read is not Synced after a restart, and is put right once it can be', async () => {
  const { fleet, world, operator, make, breakReads, letPass, waiting } = await createSites({});
  make();
  await letPass(2 * HOUR);
  breakReads();
  for (const { name } of broken) fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR / 3);
  const [{ domain } = { domain: '' }] = broken;
  world.service.edit({ sites: { [domain]: { settings: { DefaultCacheTTL: 999 } } } });
  const unread = waiting();
  expect(unread.size).toBeGreaterThan(5);
  operator.kill(5 * SECOND);
  for (const part of [60, 600, 3000]) {
    await letPass(part * SECOND);
    const still = waiting();
    expect([...unread.keys()].filter((name) => !still.has(name))).toEqual([]);
  }
  world.calm();
  await letPass(HOUR / 4);
  const site = [...world.service.world('fleet').sites.values()].find((one) => one.domain === domain);
  expect([waiting().size, site?.settings]).toMatchObject([0, { DefaultCacheTTL: 60 }]);
});
