import { createSecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { createSecureContexts } from '../../../../src/cloud/http/secure-contexts.ts';
import { secureContextWith } from '../../../../src/cloud/http/tls.ts';
import { makeCertificates } from '../../../support/https-server.ts';

test('a bundle is parsed once, and again after it was used longest ago of too many', () => {
  const made: string[] = [];
  const contexts = createSecureContexts((bundle) => {
    made.push(bundle);
    return createSecureContext();
  }, 2);
  const first = contexts.of('a');
  contexts.of('b');
  expect(contexts.of('a')).toBe(first);
  contexts.of('c');
  expect(contexts.of('a')).toBe(first);
  contexts.of('b');
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('accounts with one bundle share its context', async () => {
  const [one, other] = await Promise.all([makeCertificates(), makeCertificates()]);
  expect(secureContextWith(one.ca)).toBe(secureContextWith(one.ca));
  expect(secureContextWith(one.ca)).not.toBe(secureContextWith(other.ca));
});
