import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../../src/cloud/http/without-secrets.ts';

const webhook = 'https://hooks.example.jp/services/T00/B00?key=a b';
const line = 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQ';
const key = `-----BEGIN PRIVATE KEY-----\n${line}\nabc=\n-----END PRIVATE KEY-----\n`;

test.each([
  ['as it is', webhook, `to ${webhook}!`],
  ['in JSON', 'pass"word\\1', String.raw`{"PassCode":"pass\"word\\1"}`],
  ['in JSON of those that escape slashes', webhook, String.raw`"${webhook.replaceAll('/', String.raw`\/`)}"`],
  ['in a URL', webhook, `/notify?to=${encodeURIComponent(webhook)}`],
  ['in a URL in small letters', webhook, encodeURIComponent(webhook).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['in a form', webhook, `to=${new URLSearchParams({ to: webhook }).toString().slice(3)}`],
  ['in Base64', 'hunter2', 'aHVudGVyMg=='],
  ['line by line', key, `no key: -----BEGIN PRIVATE KEY----- ${line} abc= -----END PRIVATE KEY-----`],
  ['with lines written as \\n', key, JSON.stringify(key)],
])('a secret is hidden %s', (_, secret, text) => {
  const hidden = withoutSecrets(text, [secret, '']);
  expect(hidden).toContain('[hidden]');
  for (const part of ['hooks', 'B00', 'word', 'hunter', 'aHVud', 'MIGH']) expect(hidden).not.toContain(part);
});

test('of two secrets one of which is a part of the other nothing is left', () => {
  expect(withoutSecrets('token-east-secret is wrong', ['token-east', 'token-east-secret'])).toBe('[hidden] is wrong');
});

test('text without them stays as it is', () => {
  expect(withoutSecrets('ip: not in the subnet 100%', ['hunter2', ''])).toBe('ip: not in the subnet 100%');
});
