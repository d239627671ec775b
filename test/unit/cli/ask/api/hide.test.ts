import { expect, it } from 'vitest';
import { hidden, secretsOf } from '../../../../../src/cli/ask/api/hide.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----';
const REMOVED = '(removed)';

it.each([
  ['a pass code', { CommonServiceItem: { Remark: { PassCode: 'canary' } } }],
  ['a private key', { Certificate: { Key: KEY } }],
  ['a private key in what has another name', { Note: { Content: `x ${KEY}` } }],
  ['keys of object storage', { Site: { AccessKeyID: 'canary', SecretAccessKey: 'canary' } }],
  ['the secret of one-time URLs', { Site: { OnetimeURLSecrets: 'canary' } }],
  ['the same as a list', { Site: { OnetimeURLSecrets: ['canary', 'canary'] } }],
  ['the tokens of an origin guard', { Site: { OriginGuardToken: 'canary', NextOriginGuardToken: 'canary' } }],
  [
    'a webhook',
    { traffic_monitoring_config: { chat_config: { enabled: true, chat_url: 'https://a.example/canary' } } },
  ],
  ['a webhook of Extended', { traffic_monitoring_config: { slack_config: { slack_url: 'https://a.example/canary' } } }],
  ['a password', { Appliance: { Remark: { password: 'canary' } } }],
  ['a number', { pass_code: 1234567 }],
  ['a secret that has parts', { api_token: { id: 'canary', parts: [{ of: 'canary' }] } }],
  ['a secret in JSON within JSON', { Message: '{"PassCode":"canary","Name":"truck"}' }],
  ['a name and a value', { Env: [{ name: 'DB_PASSWORD', value: 'canary' }] }],
])('%s is not shown', (_, value) => {
  expect(JSON.stringify(hidden(value))).not.toMatch(/canary|MIIEvQ|1234567/);
  expect(JSON.stringify(hidden(value))).toContain(REMOVED);
});

it('what is no secret is shown as it came', () => {
  const answer = {
    is_ok: true,
    CommonServiceItem: {
      ID: '113300000017',
      Settings: null,
      SettingsHash: 'abc',
      Tags: ['key'],
      Status: { ICCID: '8981' },
    },
    Site: { OriginGuardToken: '', OnetimeURLSecrets: [], PublicKey: 'ssh-ed25519 AAAA', HasCertificate: true },
    Certificate: { CertificateChain: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' },
  };
  expect(hidden(answer)).toEqual(answer);
});

it('what is sent is known to the client, so that no error repeats it', () => {
  const sent = { Site: { Name: 'www', AccessKeyID: 'id', OnetimeURLSecrets: ['a', 'b'], Tags: ['x'] }, Key: KEY };
  expect(secretsOf(sent)).toEqual(['id', 'a', 'b', KEY]);
});
