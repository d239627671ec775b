import { expect, it } from 'vitest';
import * as z from 'zod';
import type { ServiceRequest } from '../../src/shadow/service/types.ts';
import { certificateNamed } from './certificates.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
const SITES = Array.from({ length: 12 }, (_, index) => ({
  id: String(113_300_002_000 + index),
  name: `e${index}`,
  domain: `e${index}.example.jp`,
}));

/** What a test looks at of a status. */
const statusSchema = z.object({
  current: z.object({ sha256Fingerprint: z.string() }).optional(),
  budget: z.object({ used: z.number(), limit: z.number() }).optional(),
  conditions: z.array(z.object({ type: z.string(), message: z.string() })).default([]),
});

/**
 * Two namespaces share an account, in which one has twelve sites and `good` one certificate, which is on its site. Gives
 * how long it takes until a renewed one is there, in seconds, after the first has done what it likes for so long, and goes on.
 */
async function play(
  minutes: number,
  eachSecond: (second: number, act: ReturnType<typeof actsOf>) => void,
  { sitesIn = 'evil', restarts = false } = {},
) {
  const sent: number[] = [];
  const { world, ...fleet } = createVirtualFleet({
    seeds: { good: { sites: [{ id: '113300001001', name: 'www', domain: 'a.example.jp' }, ...SITES] }, evil: {} },
    shared: 'good',
    broken({ target }: ServiceRequest) {
      if (target.includes('/webaccel/')) sent.push(world.now());
      return undefined;
    },
  });
  const statusOf = (path: string) => statusSchema.parse(fleet.read(path).status);
  const secret = (name: string) => {
    const { chain, key } = certificateNamed(name);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    return { type: 'kubernetes.io/tls', data: { 'tls.crt': base64(chain), 'tls.key': base64(key) } };
  };
  const act = actsOf(fleet, sitesIn);
  for (const { name, domain } of SITES) act.createSite(name, domain);
  fleet.create('/api/v1/namespaces/good/secrets', { metadata: { name: 'www-tls' }, ...secret('a-1') });
  fleet.create(`${GROUP}/good/sitecertificates`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name: 'www' },
    spec: { siteID: '113300001001', secretRef: { name: 'www-tls' } },
  });
  const operator = world.start('operator');
  await world.run(10 * MINUTE);
  expect([fleet.waiting('good', 'sitecertificates').size, fleet.waiting(sitesIn, 'webaccelsites').size]).toEqual([
    0, 0,
  ]);
  const began = world.now();
  for (let second = 0; second < minutes * 60; second++) {
    eachSecond(second, act);
    await world.run(began + (second + 1) * SECOND);
  }
  if (restarts) {
    operator.kill(SECOND);
    await world.run(world.now() + 10 * SECOND);
  }
  const renewedAt = world.now();
  fleet.patch('/api/v1/namespaces/good/secrets/www-tls', secret('a-2'));
  const isThere = () =>
    statusOf(`${GROUP}/good/sitecertificates/www`).current?.sha256Fingerprint === certificateNamed('a-2').fingerprint;
  for (let second = minutes * 60; !isThere() && world.now() < renewedAt + 90 * MINUTE; second++) {
    eachSecond(second, act);
    await world.run(world.now() + SECOND, isThere);
  }
  const took = (world.now() - renewedAt) / SECOND;
  const messages = SITES.flatMap(({ name }) =>
    statusOf(`${GROUP}/${sitesIn}/webaccelsites/${name}`).conditions.flatMap(({ type, message }) =>
      type === 'Synced' ? message : [],
    ),
  );
  await world.run(world.now() + 2 * MINUTE);
  const { budget } = statusOf('/apis/edgeline.dev/v1alpha1/clustercloudaccounts/default');
  const most = Math.max(...sent.map((at) => sent.filter((other) => other > at - 60 * MINUTE && other <= at).length));
  return { took, messages, budget, most };
}

function actsOf(fleet: Pick<ReturnType<typeof createVirtualFleet>, 'create' | 'patch'>, namespace: string) {
  return {
    createSite: (name: string, domain: string) =>
      fleet.create(`${GROUP}/${namespace}/webaccelsites`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'WebAccelSite',
        metadata: { name },
        spec: { domain, displayName: name },
      }),
    rename: (name: string, displayName: string) =>
      fleet.patch(`${GROUP}/${namespace}/webaccelsites/${name}`, { spec: { displayName } }),
  };
}

it('a namespace that changes its sites without end leaves the one certificate of another its place in the hour, and is told', async () => {
  const { took, messages, budget, most } = await play(3, (second, { rename }) => {
    for (const { name } of SITES) rename(name, `${name} ${second}`);
  });
  expect(took).toBeLessThan(20);
  expect(most).toBeLessThanOrEqual(500);
  expect(budget?.used).toBeGreaterThanOrEqual(455);
  const kinds = messages.map((message) => message.replace(/\d{4}-\S+Z/, 'TIME'));
  expect(kinds).toContain(
    'Waiting for its turn: the account has used 455 of the 500 web acceleration requests of an hour, and the rest is kept for namespaces that had less of it than this one. It continues at about TIME.',
  );
}, 180_000);

it.each([false, true])(
  'sites that are changed without end leave a certificate of the same namespace its place in the hour; the operator begins anew: %s',
  async (restarts) => {
    const renameAll = (second: number, { rename }: ReturnType<typeof actsOf>) => {
      for (const { name } of SITES) rename(name, `${name} ${second}`);
    };
    const { took, messages, most } = await play(8, renameAll, { sitesIn: 'good', restarts });
    expect(took).toBeLessThan(restarts ? 240 : 20);
    expect(most).toBeLessThanOrEqual(500);
    expect(messages.filter((message) => message.startsWith('Waiting for its turn: the account has used'))).toHaveLength(
      SITES.length,
    );
  },
  180_000,
);

it('a namespace that names sites that do not exist without end leaves most of the hour', async () => {
  const { took, budget } = await play(15, (second, { createSite }) => {
    if (second % 2 === 0) createSite(`made-up-${second}`, `made-up-${second}.example.jp`);
  });
  expect(took).toBeLessThan(20);
  expect(budget?.used).toBeLessThan(130);
}, 180_000);
