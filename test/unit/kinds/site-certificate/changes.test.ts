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

function planOf(current: ObservedCertificate | undefined, now = 0) {
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
    now,
  };
  return planCertificate(facts);
}

function told(current: ObservedCertificate | undefined): string[] {
  return planOf(current).steps.flatMap(({ changes }) =>
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

describe('a certificate that was not renewed is told of', () => {
  const DAY = 86_400_000;

  it.each([
    ['two weeks before its end, where it is valid for a year', 365, 351],
    ['in the last fifth of its time, where that is short', 5, 4],
  ])('%s', (_, days, noticeDay) => {
    const current = { ...on(NEW, 'new chain'), notBefore: 0, notAfter: days * DAY };
    const [before, then] = [planOf(current, noticeDay * DAY - 1), planOf(current, noticeDay * DAY)];
    expect([before.notice, before.lookAgainAt]).toEqual([undefined, noticeDay * DAY]);
    expect([then.notice?.reason, then.lookAgainAt]).toEqual(['ExpiresSoon', days * DAY]);
  });
});
