import { expect, it } from 'vitest';
import { refuseUntrusted } from '../../../../src/cli/service/trust.ts';

function open(baseURL: string, identity: string | undefined, trusted?: string): string {
  const account = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default', namespace: 'fleet', uid: 'u', resourceVersion: '1' },
    spec: { baseURL, credentialsSecretRef: { name: 'service-credentials' } },
    status: { ...(identity !== undefined && { identity }) },
  };
  try {
    refuseUntrusted({ ref: { kind: 'CloudAccount', name: 'default' }, account }, 'verified', trusted);
    return 'sent';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

const unverified =
  'no operator has verified the credentials of the CloudAccount default at api.example.jp yet, so they are not sent there';
const notAllowed =
  'the CloudAccount default leads to evil.example, and EDGELINE_ALLOWED_HOSTS allows api.example.jp only, so its credentials are not sent';

it.each<[string, Parameters<typeof open>, string]>([
  ['where the operator has verified them', ['https://api.example.jp', 'verified'], 'sent'],
  ['where it has verified nothing', ['https://api.example.jp', undefined], unverified],
  ['where it has verified others', ['https://api.example.jp', 'of another host'], unverified],
  ['to a host that is allowed', ['https://API.example.jp:443/', undefined, 'a.example, api.example.jp'], 'sent'],
  ['to one that is not', ['https://evil.example', 'verified', 'api.example.jp'], notAllowed],
  ['where a variable without a host allows nothing', ['https://api.example.jp', undefined, ' , '], unverified],
])('credentials go %s', (_, [baseURL, identity, trusted], expected) => {
  expect(open(baseURL, identity, trusted)).toBe(expected);
});
