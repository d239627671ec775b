import { expect, it } from 'vitest';
import { scrub, scrubForBundle, scrubLog } from '../../../../src/cli/support/scrub.ts';
import { scrubText, scrubUnknown } from '../../../../src/cli/support/scrub-text.ts';

const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\nIBADAN\n-----END PRIVATE KEY-----';

it.each([
  ['a private key', `before ${PRIVATE_KEY} after`, 'before (removed) after'],
  ['a private key that was cut off', 'x -----BEGIN RSA PRIVATE KEY-----\nMIIE', 'x (removed)'],
  ['a bearer token', 'Authorization: Bearer abc.def-ghi_jkl', 'Authorization: (removed)'],
  ['a JWT', 'got eyJhbGciOiJSUzI1.eyJzdWIiOiIxMjM0.sig', 'got (removed).(removed).sig'],
  ['the password of a URL', 'https://me:hunter2@proxy.example:3128/', 'https://(removed)@proxy.example:3128/'],
  ['a webhook', 'to https://hooks.slack.com/services/T0/B0/x', 'to https://hooks.slack.com/(removed)'],
  ['a flag', '--access-token=0123456789 --poll=30s', '--access-token=(removed) --poll=30s'],
  ['a flag and a word', 'run --access-token hunter2 --poll 30s', 'run --access-token (removed) --poll 30s'],
  ['a list of arguments', '["--token", "hunter2 x", "--poll"]', '["--token", "(removed)", "--poll"]'],
  ['a phrase in quotes', 'password: "correct horse, battery"', 'password: "(removed)"'],
  ['a value with punctuation', 'token=a,b;c&d}e next', 'token=(removed) next'],
  ['a parameter', '?token=abc&zone=is1a', '?token=(removed)&zone=is1a'],
  [
    'what is encoded for a URL',
    'access_token%3Dhunter2 password%22%3A%22a%22',
    'access_token%3D(removed) password%22%3A%22(removed)%22',
  ],
  ['what is escaped in JSON', 'token\\u003dhunter2', 'token\\u003d(removed)'],
  ['another scheme', 'authorization: Token abc def', 'authorization: (removed)'],
  ['what has spaces around it', 'passwd\t:= hunter2', 'passwd\t:= (removed)'],
  ['the next line', 'token:\n  hunter2\nnext', 'token:\n  (removed)\nnext'],
  [
    'a phrase in JSON within JSON',
    '{"a":"{\\"pwd\\":\\"x \\\\\\"y\\\\\\" z\\"}"}',
    '{"a":"{\\"pwd\\":\\"(removed)\\"}"}',
  ],
  ['a key of a cloud', 'with AKIAIOSFODNN7EXAMPLE', 'with (removed)'],
  ['JSON within JSON', '{\\"accessTokenSecret\\": \\"hunter2\\"}', '{\\"accessTokenSecret\\": \\"(removed)\\"}'],
])('%s is taken out of a text', (_, text, expected) => {
  expect(scrubText(text)).toBe(expected);
});

it.each([
  'The Secret fleet/pass-codes has no key "code".',
  'Reason SecretNotFound: create the Secret service-credentials.',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  '"automountServiceAccountToken": false, "token": null',
  'volumes: [{"secret": {"secretName": "tls"}}]',
  'GET https://api.example.jp/cloud/zone/is1a/api/cloud/1.1/commonserviceitem 503',
])('a text without a secret stays: %s', (text) => {
  expect(scrubText(text)).toBe(text);
});

it.each([
  ['base64', 'key LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t.', 'key (removed).'],
  ['a token of letters and digits', 'x ZjlK3xQ8vBnM1aSd4FgH7jKl0pOiUyTr', 'x (removed)'],
  ['a token by its prefix', 'ghp_abcdefghijklmnopqrstuvwxyz0123', '(removed)'],
])('%s that nothing names is taken out of a bundle', (_, text, expected) => {
  expect(scrubUnknown(text)).toBe(expected);
});

it.each([
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'MobileGateway113300000017 apiextensions.k8s.io/v1/CustomResourceDefinition kube-api-access-x7k2p',
  '7f9c2ba4-e88f-4a67-9c55-0a5b6f0e2d11 8981040000000000017 2026-11-23T13:49:31.123Z edgeline_api_requests_total{code="200"} 5',
  '-----BEGIN CERTIFICATE-----\nMIIBZjlK3xQ8vBnM1aSd4FgH7jKl0pOiUyTr\n-----END CERTIFICATE-----',
])('a bundle keeps what names something: %s', (text) => {
  expect(scrubUnknown(text)).toBe(text);
});

it('a token that is said to be a certificate is none', () => {
  const text = '-----BEGIN CERTIFICATE-----x! ZjlK3xQ8vBnM1aSd4FgH7jKl0pOiUyTr-----END CERTIFICATE-----';
  expect(scrubUnknown(text)).not.toContain('ZjlK3');
});

it('texts of a bundle are as long as a person may want to read', () => {
  const [text] = Object.values(Object(scrubForBundle({ note: 'x'.repeat(200_000) })));
  expect(text).toMatch(/^x{32768}… \(167232 more characters\)$/);
});

it('names are looked at, too, and lists and numbers that are secrets by their name', () => {
  const token = 'ZjlK3xQ8vBnM1aSd4FgH7jKl0pOiUyTr';
  expect(
    scrubForBundle({
      labels: { [token]: 'x' },
      tokens: ['a', 'b'],
      password: 12345678,
      args: ['--access-token', 'hunter2', '--quiet', '--password', '--poll', '30s'],
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'registry' }],
    }),
  ).toEqual({
    labels: { '(removed)': 'x' },
    tokens: '(removed)',
    password: '(removed)',
    args: ['--access-token', '(removed)', '--quiet', '--password', '--poll', '30s'],
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: 'registry' }],
  });
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

it('no line of a log takes out those after it, whatever somebody has had written into it', () => {
  const hiding = JSON.stringify({ msg: 'displayName: → -----BEGIN PRIVATE KEY-----', password: 'a' });
  const deep = `{"a":${'['.repeat(20_000)}"token=hunter2"${']'.repeat(20_000)}}`;
  const after = '{"msg":"deleted"}';
  const shown = scrubLog([hiding, after, deep, after, 'plain token="x', after].join('\n')).split('\n');
  expect([shown[0], shown[1], shown[3], shown[4], shown[5]]).toEqual([
    '{"msg":"displayName: → (removed)","password":"(removed)"}',
    after,
    after,
    'plain token="(removed)',
    after,
  ]);
  expect(shown[2]).not.toContain('hunter2');
});

it.each(['token=', 'token="', '--token ', 'token=\\', '-', '&token=', '-----BEGIN PRIVATE KEY-----', 'a=b,'])(
  'eight times the text takes about eight times as long, and not sixty-four: %s',
  // A busy machine may be slower for the long one than for the short one, but not four times in a row.
  { retry: 3 },
  (part) => {
    const timeOf = (characters: number) =>
      Math.min(
        ...Array.from({ length: 3 }, () => {
          const begun = performance.now();
          scrubUnknown(part.repeat(characters / part.length));
          return performance.now() - begun;
        }),
      );
    expect(timeOf(800_000) / timeOf(100_000)).toBeLessThan(30);
  },
);
