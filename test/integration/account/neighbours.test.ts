import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { createIntermediate, createRoot, issue, tlsSecret } from '../../support/certificates.ts';
import { eventually } from '../../support/kubernetes.ts';
import { ACCESS_TOKEN } from '../../support/manifests.ts';
import { startTestOperator } from '../../support/operator.ts';
import { createWorld } from '../../support/world.ts';

const ICCID = '8981040000000000017';
const SIM = ['Sim', 'truck-17'] as const;

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator({ detailPace: 100 });
});
afterAll(() => operator.stop());

it('thousands of annotations that are not known are told as a few, once', async () => {
  const world = await createWorld({ seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'truck-17' }] } });
  const annotations = Object.fromEntries(
    Array.from({ length: 12_000 }, (_, number) => [`edgeline.dev/x${number.toString(36)}`, 'true']),
  );
  await world.apply({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17', annotations },
    spec: { iccid: ICCID, adoption: 'Required' },
  });
  await world.ready(...SIM);
  await world.settle();
  const told = async () => (await world.events('truck-17')).filter(({ reason }) => reason === 'Questionable');
  const before = await told();
  expect(before.map(({ count }) => count)).toEqual([1, 1, 1, 1]);

  await world.annotate(...SIM, { 'edgeline.dev/reconcile-at': 'now' });
  await world.settle();
  expect(await told()).toEqual(before);
  await world.stop();
});

it('sites that the service fails keep no certificate of another from its site', async () => {
  const broken = ['1', '2', '3'].map((number) => ({ id: `11330000040${number}`, domain: `${number}.example.jp` }));
  const sound = { id: '113300000409', domain: 'sound.example.jp' };
  const settings = { Origin: 'origin.example.jp' };
  const world = await createWorld({
    seed: { sites: [...broken, sound].map((one) => ({ ...one, name: one.domain, settings })) },
    settings: { webAccelLimit: 100_000 },
  });
  const route = 'POST webaccel/site/:id/certificate';
  for (const { id } of broken) await world.simulator.fault({ route, of: id, code: 500 });
  await world.apply(tlsSecret('tls', await issue(await createIntermediate(await createRoot()), ['*.example.jp'])));
  const certificate = ({ id, domain }: { id: string; domain: string }) =>
    world.apply({
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'SiteCertificate',
      metadata: { name: domain },
      spec: { siteID: id, secretRef: { name: 'tls' } },
    });
  await Promise.all(broken.map(certificate));
  const posts = async () => (await world.counts())[route] ?? 0;
  await eventually(async () => expect(await posts()).toBeGreaterThanOrEqual(5));
  await certificate(sound);
  const told = new Set<string>();
  await eventually(
    async () => {
      const { conditions } = (await world.get('SiteCertificate', sound.domain)).status ?? {};
      for (const { message } of conditions ?? []) told.add(message);
      expect(conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
    },
    { timeoutSeconds: 60 },
  );
  expect([...told].filter((message) => broken.some(({ id }) => message.includes(id)))).toEqual([]);
  await world.stop();
}, 150_000);

it('an account that only names the token keeps nobody’s details from being read', async () => {
  const world = await createWorld({ seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'truck-17' }] } });
  const credentials = { accessToken: ACCESS_TOKEN, accessTokenSecret: 'guessed', passCode: 'none' };
  const stranger = await createWorld({ at: world, credentials });
  const sim = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck-17' },
    spec: { iccid: ICCID, adoption: 'Required' },
  };
  // First, so that it comes first wherever Sims are gone through.
  await stranger.apply(structuredClone(sim));
  await stranger.condition(...SIM, { type: 'Ready', status: 'False', reason: '*' });
  await world.apply(structuredClone(sim));
  await world.ready(...SIM);
  await world.settle();
  await world.forget();
  const details = 'GET /commonserviceitem/:id/sim/network_operator_config';
  await eventually(async () => expect((await world.counts())[details]).toBeGreaterThan(2));
  await stranger.stop();
  await world.stop();
});
