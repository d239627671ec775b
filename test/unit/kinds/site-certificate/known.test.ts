import { expect, test } from 'vitest';
import type { CallOptions } from '../../../../src/cloud/limiter/lanes.ts';
import type { Certificates } from '../../../../src/cloud/site/types.ts';
import { createCertificateKnowledge, nextLook } from '../../../../src/kinds/site-certificate/known.ts';
import type { SiteCertificate } from '../../../../src/kinds/site-certificate/schema.ts';
import type { AccountSession } from '../../../../src/reconcile/session.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const LATE = 180_000;

function certificate(): SiteCertificate {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the apiserver adds as defaults does not matter here
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'SiteCertificate',
    metadata: { name: 'www', namespace: 'web', uid: 'one' },
    spec: { siteID: '1', secretRef: { name: 'tls' } },
  } as unknown as SiteCertificate;
}

const ACCOUNT = { service: 'https://shop.example.jp' };

test('an upload that nobody answered is looked for three times before another may go, and then once more', () => {
  const knowledge = createCertificateKnowledge(new ManualClock(), LATE);
  knowledge.forget(certificate(), ACCOUNT, '1', 'late');
  const arrivals = knowledge.arrivals(certificate(), ACCOUNT, '1');
  const looks: number[] = [];
  for (let now = 0, readAt: number | undefined; now < arrivals.until; readAt = now) {
    now = nextLook(arrivals, readAt, now);
    looks.push(now);
  }
  expect(looks).toEqual([5000, 65_000, 125_000, LATE]);
});

test('one that was answered with an error arrives soon or never, and one that was refused is not waited for', () => {
  const knowledge = createCertificateKnowledge(new ManualClock(), LATE);
  knowledge.forget(certificate(), ACCOUNT, '1', 'never');
  expect(knowledge.arrivals(certificate(), ACCOUNT, '1').until).toBe(Number.NEGATIVE_INFINITY);
  knowledge.forget(certificate(), ACCOUNT, '1', 'soon');
  expect(knowledge.arrivals(certificate(), ACCOUNT, '1')).toEqual({ from: 5000, until: 5000 });
});

test('what was sent to a site is waited for whichever resource it was for, and not in another account or on another site', () => {
  const knowledge = createCertificateKnowledge(new ManualClock(), LATE);
  knowledge.forget(certificate(), ACCOUNT, '1', 'late');
  knowledge.drop('one');
  const anew = { ...certificate(), metadata: { ...certificate().metadata, uid: 'two' } };
  const untilOf = (account: typeof ACCOUNT, id: string) => knowledge.arrivals(anew, account, id).until;
  expect([untilOf(ACCOUNT, '1'), untilOf(ACCOUNT, '2'), untilOf({ service: 'https://other.example.jp' }, '1')]).toEqual(
    [LATE, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
});

test('after a restart the upload of an earlier process may arrive as late, and is looked for once, when that is over', () => {
  const object = certificate();
  object.metadata.finalizers = ['edgeline.dev/adopt'];
  const arrivals = createCertificateKnowledge(new ManualClock(), LATE).arrivals(object, ACCOUNT, '1');
  expect(nextLook(arrivals, undefined, 0)).toBe(LATE);
});

test('a reading that waits for its turn while its Secret changes is not taken twice', async () => {
  const calls: { readonly call: CallOptions; answer(certificates: Certificates): void }[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of an account as is asked
  const session = {
    client: {
      sites: {
        certificate: (_id: string, _query: object, call: CallOptions) =>
          new Promise<Certificates>((answer) => calls.push({ call, answer })),
      },
    },
  } as unknown as AccountSession;
  const knowledge = createCertificateKnowledge(new ManualClock(), LATE);
  const read = (wanted: string) => knowledge.read(certificate(), session, '1', wanted, { lane: 'list' });
  const before = [read('first'), read('second')];
  expect(calls).toHaveLength(1);
  calls[0]?.call.onSent?.();
  const after = read('third');
  expect(calls).toHaveLength(2);
  calls[0]?.answer({ old: [] });
  await Promise.all(before);
  expect(knowledge.known(certificate(), '1')?.value.readFor).toBe('second');
  calls[1]?.answer({ old: [] });
  await after;
  expect(knowledge.known(certificate(), '1')?.value.readFor).toBe('third');
});
