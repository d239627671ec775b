import { expect, test } from 'vitest';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import { readSettings } from '../../../../src/kinds/cloud-account/settings.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const get = (key: string) => new SecretValue(key);
const secrets = { read: async () => ({ type: 'Opaque', resourceVersion: '1', get, word: get, line: get }) };

const accountAt = (baseURL: string): Account => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'CloudAccount',
  metadata: { name: 'default', namespace: 'fleet', uid: 'u', resourceVersion: '1' },
  spec: { baseURL, credentialsSecretRef: { name: 'credentials' } },
});

test.each([
  ['https://api.example.jp', 'api.example.jp', true],
  ['https://API.example.jp', 'api.example.jp', true],
  ['https://api.example.jp', 'API.EXAMPLE.JP', true],
  ['https://api.example.jp.', 'api.example.jp', true],
  ['https://api.example.jp:443', 'api.example.jp', true],
  ['https://api.example.jp', 'api.example.jp:443', true],
  ['https://api.example.jp', 'https://api.example.jp', true],
  ['https://api.example.jp:8443', 'api.example.jp:8443', true],
  ['https://api.example.jp:8443', 'api.example.jp', false],
  ['https://api.example.jp@evil.example', 'api.example.jp', false],
  ['https://evil.example/api.example.jp', 'api.example.jp', false],
  ['https://api.example.jp.evil.example', 'api.example.jp', false],
  ['https://evilapi.example.jp', 'api.example.jp', false],
])('%s where %s is allowed: %s', async (baseURL, allowed, is) => {
  expect('settings' in (await readSettings(accountAt(baseURL), secrets, [allowed]))).toBe(is);
});

test('who follows the advice shuts out no other account', async () => {
  const allowed = ['a.example.jp', 'b.example.jp:8443'];
  const [refused, ...others] = ['https://c.example.jp', 'https://a.example.jp', 'https://b.example.jp:8443'].map(
    accountAt,
  );
  const told = refused && (await readSettings(refused, secrets, allowed));
  const message = told && 'hold' in told ? told.hold.message : '';
  expect(message).toBe(
    'This operator may talk to a.example.jp, b.example.jp:8443 only, not to c.example.jp. Correct baseURL, or start the operator with --allowed-hosts a.example.jp,b.example.jp:8443,c.example.jp (of the chart: allowedHosts: [a.example.jp, b.example.jp:8443, c.example.jp]).',
  );
  const advised = /--allowed-hosts (\S+)/.exec(message)?.[1]?.split(',');
  for (const account of others) expect(await readSettings(account, secrets, advised)).toHaveProperty('settings');
});
