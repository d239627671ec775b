import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkCertificate } from '../../../src/kinds/site-certificate/checks.ts';
import { SecretValue } from '../../../src/reconcile/secret-value.ts';
import { certificateNamed, certificates } from '../../simulation/certificates.ts';
import { answered, requestOf, startService } from './service-requests.ts';

describe('a certificate', () => {
  it.each([
    ['a-1', 200, undefined],
    ['a-4', 200, undefined],
    ['a-and-b-2', 200, undefined],
    ['wildcard-2', 200, undefined],
    ['a-with-root', 200, undefined],
    ['a-expires-after-an-hour', 200, undefined],
    ['a-expires-after-a-day', 200, undefined],
    ['b-1', 200, 'DomainNotCovered'],
    ['japanese-2', 200, 'DomainNotCovered'],
    ['subdomain-1', 200, 'DomainNotCovered'],
    ['a-valid-after-half-an-hour', 200, 'NotYetValid'],
    ['a-valid-after-two-days', 200, 'NotYetValid'],
    ['a-temporary', 200, 'TemporaryCertificate'],
    ['a-expired', 400, 'Expired'],
    ['a-self-signed', 400, undefined],
  ])('%s for a.example.jp is %d to the service, and held by the operator because of %s', (name, status, reason) => {
    const { service, time } = startService();
    const { chain, key } = certificateNamed(name);
    const body = JSON.stringify({ Certificate: { CertificateChain: chain, Key: key } });
    const answer = service.handle(requestOf('POST webaccel/site/:id/certificate', { body }));
    const checked = checkCertificate({
      namespace: 'n',
      secretName: 's',
      secret: { name: 's', type: 'kubernetes.io/tls', certificate: chain, key: new SecretValue(key) },
      site: { domain: 'a.example.jp', served: ['a.example.jp'] },
      current: undefined,
      allowRollback: false,
      allowTemporary: false,
      now: time.now,
    });
    expect([answered(answer).status, 'hold' in checked ? checked.hold.reason : undefined]).toEqual([status, reason]);
  });

  it.each(certificates)('$name has the key and the dates it says it has', ({ chain, key, fingerprint, ...rest }) => {
    const leaf = new X509Certificate(chain);
    expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect([leaf.fingerprint256.replaceAll(':', '').toLowerCase(), leaf.validFromDate.getTime()]).toEqual([
      fingerprint,
      rest.notBefore,
    ]);
    expect(leaf.validToDate.getTime()).toBe(rest.notAfter);
    expect(leaf.subjectAltName).toBe(rest.domains.map((domain) => `DNS:${domain}`).join(', '));
  });
});
