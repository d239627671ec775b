import { expect, test } from 'vitest';
import type { Account } from '../../../../src/kinds/cloud-account/schema.ts';
import { readSettings } from '../../../../src/kinds/cloud-account/settings.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const get = (key: string) => new SecretValue(key);
const secrets = { read: async () => ({ type: 'Opaque', resourceVersion: '1', get, word: get, line: get }) };

async function isAllowed(baseURL: string, allowed: string): Promise<boolean> {
  const account: Account = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default', namespace: 'fleet', uid: 'u', resourceVersion: '1' },
    spec: { baseURL, credentialsSecretRef: { name: 'credentials' } },
  };
  return 'settings' in (await readSettings(account, secrets, [allowed]));
}

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
  expect(await isAllowed(baseURL, allowed)).toBe(is);
});
