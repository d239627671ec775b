import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../src/operator/start.ts';
import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET, PASS_CODE, secret } from '../support/manifests.ts';
import { startTestOperator } from '../support/operator.ts';
import { createWorld } from '../support/world.ts';

let operator: Operator;
beforeAll(async () => {
  operator = await startTestOperator();
});
afterAll(() => operator.stop());

const API = 'edgeline.dev/v1alpha1';
const manifests = [
  {
    apiVersion: API,
    kind: 'Sim',
    metadata: { name: 'truck-17' },
    spec: { iccid: '8981040000000000017', passCodeSecretRef: { name: 'files', key: 'passCode' } },
  },
  {
    apiVersion: API,
    kind: 'MobileGateway',
    metadata: { name: 'depot' },
    spec: {
      zone: 'is1b',
      planID: 2,
      trafficMonitoring: { quotaMB: 500, chatWebhookSecretRef: { name: 'files', key: 'url' } },
    },
  },
  {
    apiVersion: API,
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: {
      domain: 'www.example.jp',
      oneTimeURLSecretRef: { name: 'files', key: 'oneTime' },
      origin: {
        objectStorage: {
          bucket: 'www',
          endpoint: 's3.example.jp',
          region: 'jp-north-1',
          credentialsSecretRef: { name: 'files' },
        },
      },
    },
  },
];

it.each([
  ['a line break', '\n'],
  ['a line break of Windows', '\r\n'],
  ['several', '\n\n'],
])('values from files that end with %s are taken', async (_, end) => {
  const world = await createWorld({ seed: { sites: [{ id: '113300000301', name: 'www', domain: 'www.example.jp' }] } });
  const credentials = {
    accessToken: `\uFEFF${ACCESS_TOKEN}${end}`,
    accessTokenSecret: ` ${ACCESS_TOKEN_SECRET}${end}`,
  };
  await world.apply(secret('service-credentials', credentials));
  await world.apply(
    secret('files', {
      passCode: `${PASS_CODE}${end}`,
      url: `https://chat.example/hook${end}`,
      oneTime: ` any text ${end}`,
      accessKeyID: `id${end}`,
      secretAccessKey: `key${end}`,
    }),
  );
  await world.condition('CloudAccount', 'default', { type: 'Ready', status: 'True', reason: 'Verified' });
  for (const manifest of manifests) await world.apply(structuredClone(manifest));
  await world.ready('Sim', 'truck-17');
  await world.ready('MobileGateway', 'depot');
  await world.condition('WebAccelSite', 'www', { type: 'Ready', status: 'True', reason: 'Available' });
  const { conditions } = (await world.get('CloudAccount', 'default')).status ?? {};
  expect(conditions?.map(({ reason }) => reason)).toEqual(['Verified']);
  await world.stop();
});
