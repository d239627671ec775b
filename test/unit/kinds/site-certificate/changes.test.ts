import { describe, expect, it } from 'vitest';
import type { CertificateFacts, ObservedCertificate } from '../../../../src/kinds/site-certificate/facts.ts';
import { planCertificate } from '../../../../src/kinds/site-certificate/plan.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const [OLD, NEW] = ['a'.repeat(64), 'b'.repeat(64)];
const on = (fingerprint: string, chain?: string): ObservedCertificate => ({
  id: '1',
  fingerprint,
  issuer: '',
  subject: '',
  dnsNames: [],
  ...(chain && { chain }),
});

function told(current: ObservedCertificate | undefined): string[] {
  const candidate = {
    chain: 'PEM',
    chainDigest: 'new chain',
    key: new SecretValue('canary'),
    fingerprint: NEW,
    notBefore: 0,
    notAfter: 1,
  };
  const facts: CertificateFacts = {
    siteID: '1',
    site: { domain: 'www.example.jp', served: [] },
    checked: { candidate },
    current,
    previous: undefined,
    readAt: 0,
    mayHaveArrived: false,
    applied: {},
    now: 0,
  };
  return planCertificate(facts).steps.flatMap(({ changes }) =>
    changes.map(({ field, before, after }) => `${field} ${before} → ${after}`),
  );
}

describe('what an upload changes, by the start of each fingerprint', () => {
  it.each([
    ['the first certificate', undefined, ['secretRef none → bbbbbbbbbbbb']],
    ['another one', on(OLD), ['secretRef aaaaaaaaaaaa → bbbbbbbbbbbb']],
    ['its chain', on(NEW, 'old chain'), ['secretRef bbbbbbbbbbbb with another chain → bbbbbbbbbbbb']],
    ['nothing', on(NEW, 'new chain'), []],
  ] as const)('%s', (_, current, expected) => {
    expect(told(current)).toEqual(expected);
  });
});
