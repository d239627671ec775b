import { expect, it } from 'vitest';
import { scrub, scrubLog, scrubText } from '../../../../src/cli/support/scrub.ts';

const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\nIBADAN\n-----END PRIVATE KEY-----';

it.each([
  ['a private key', `before ${PRIVATE_KEY} after`, 'before (removed) after'],
  ['a private key that was cut off', 'x -----BEGIN RSA PRIVATE KEY-----\nMIIE', 'x (removed)'],
  ['a bearer token', 'Authorization: Bearer abc.def-ghi_jkl', 'Authorization: (removed) (removed)'],
  ['a JWT', 'got eyJhbGciOiJSUzI1.eyJzdWIiOiIxMjM0.sig', 'got (removed).(removed).sig'],
  ['the password of a URL', 'https://me:hunter2@proxy.example:3128/', 'https://(removed)@proxy.example:3128/'],
  ['a webhook', 'to https://hooks.slack.com/services/T0/B0/x', 'to https://hooks.slack.com/(removed)'],
  ['a flag', '--access-token=0123456789 --poll=30s', '--access-token=(removed) --poll=30s'],
  ['JSON within JSON', '{\\"accessTokenSecret\\": \\"hunter2\\"}', '{\\"accessTokenSecret\\": \\"(removed)\\"}'],
])('%s is taken out of a text', (_, text, expected) => {
  expect(scrubText(text)).toBe(expected);
});

it.each([
  'The Secret fleet/pass-codes has no key "code".',
  'Reason SecretNotFound: create the Secret service-credentials.',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'GET https://api.example.jp/cloud/zone/is1a/api/cloud/1.1/commonserviceitem 503',
])('a text without a secret stays: %s', (text) => {
  expect(scrubText(text)).toBe(text);
});

it('values that are secrets by their name are taken out of objects, and what refers to them stays', () => {
  const object = {
    metadata: {
      name: 'truck-17',
      managedFields: [{ manager: 'kubectl' }],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'token: hunter2' },
    },
    spec: { passCodeSecretRef: { name: 'pass-codes', key: 'code' }, passCode: 'hunter2', topologyKey: 'zone' },
    containers: [
      {
        args: ['--token=hunter2'],
        env: [
          { name: 'ACCESS_TOKEN', value: 'hunter2' },
          { name: 'LOG_LEVEL', value: 'info' },
          { name: 'FROM', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
        ],
      },
    ],
  };
  expect(scrub(object)).toEqual({
    metadata: { name: 'truck-17', annotations: { note: 'token: (removed)' } },
    spec: { passCodeSecretRef: { name: 'pass-codes', key: 'code' }, passCode: '(removed)', topologyKey: 'zone' },
    containers: [
      {
        args: ['--token=(removed)'],
        env: [
          { name: 'ACCESS_TOKEN', value: '(removed)' },
          { name: 'LOG_LEVEL', value: 'info' },
          { name: 'FROM', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
        ],
      },
    ],
  });
});

it('a log stays one of lines, of JSON where it was', () => {
  const log = '{"level":30,"msg":"x","accessToken":"hunter2"}\nplain token=hunter2\n{"cut": "o';
  expect(scrubLog(log)).toBe('{"level":30,"msg":"x","accessToken":"(removed)"}\nplain token=(removed)\n{"cut": "o');
});
