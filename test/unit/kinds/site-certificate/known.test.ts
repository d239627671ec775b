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

const knowledgeOf = (earlierActedUntil?: number) =>
  createCertificateKnowledge(new ManualClock(), LATE, () => earlierActedUntil);

const ACCOUNT = { service: 'https://shop.example.jp' };

test('an upload that nobody answered is looked for three times before another may go, and then once more', () => {
  const knowledge = knowledgeOf();
  knowledge.forget(certificate(), ACCOUNT, '1', 'late');
  const arrivals = knowledge.arrivals(certificate(), ACCOUNT, '1', false);
  const looks: number[] = [];
  for (let now = 0, readAt: number | undefined; now < arrivals.until; readAt = now) {
    now = nextLook(arrivals, readAt, now);
    looks.push(now);
  }
  expect(looks).toEqual([5000, 65_000, 125_000, LATE]);
});

test('one that was answered with an error arrives soon or never, and one that was refused is not waited for', () => {
  const knowledge = knowledgeOf();
  knowledge.forget(certificate(), ACCOUNT, '1', 'never');
  expect(knowledge.arrivals(certificate(), ACCOUNT, '1', false).until).toBe(Number.NEGATIVE_INFINITY);
  knowledge.forget(certificate(), ACCOUNT, '1', 'soon');
  expect(knowledge.arrivals(certificate(), ACCOUNT, '1', false)).toEqual({ from: 5000, until: 5000 });
});

test('what was sent to a site is waited for whichever resource it was for, and not in another account or on another site', () => {
  const knowledge = knowledgeOf();
  knowledge.forget(certificate(), ACCOUNT, '1', 'late');
  knowledge.drop('one');
  const anew = { ...certificate(), metadata: { ...certificate().metadata, uid: 'two' } };
  const untilOf = (account: typeof ACCOUNT, id: string) => knowledge.arrivals(anew, account, id, false).until;
  expect([untilOf(ACCOUNT, '1'), untilOf(ACCOUNT, '2'), untilOf({ service: 'https://other.example.jp' }, '1')]).toEqual(
    [LATE, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
});

test('after a restart the upload of an earlier process may arrive as late, and is looked for once, when that is over', () => {
  const object = certificate();
  object.metadata.finalizers = ['edgeline.dev/adopt'];
  const knowledge = knowledgeOf();
  knowledge.met(object);
  expect(nextLook(knowledge.arrivals(object, ACCOUNT, '1', false), undefined, 0)).toBe(LATE);
});

test('what went to a site for a resource that is gone may arrive as late after an earlier process, and costs nothing where there is none', () => {
  const untilOf = (knowledge: ReturnType<typeof knowledgeOf>, isBare: boolean) =>
    knowledge.arrivals(certificate(), ACCOUNT, '1', isBare).until;
  expect([untilOf(knowledgeOf(1000), false), untilOf(knowledgeOf(1000), true), untilOf(knowledgeOf(), false)]).toEqual([
    1000 + LATE,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]);
});

test('what was read at one service says nothing of the site that another has under the same ID', () => {
  const knowledge = knowledgeOf();
  knowledge.none(certificate(), ACCOUNT, '1', 0);
  expect(knowledge.known(certificate(), ACCOUNT, '1')).toBeDefined();
  expect(knowledge.known(certificate(), { service: 'https://other.example.jp' }, '1')).toBeUndefined();
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
  const knowledge = knowledgeOf();
  const read = (wanted: string) => knowledge.read(certificate(), session, '1', wanted, { lane: 'list' });
  const before = [read('first'), read('second')];
  expect(calls).toHaveLength(1);
  calls[0]?.call.onSent?.();
  const after = read('third');
  expect(calls).toHaveLength(2);
  calls[0]?.answer({ old: [] });
  await Promise.all(before);
  expect(knowledge.known(certificate(), session, '1')?.value.readFor).toBe('second');
  calls[1]?.answer({ old: [] });
  await after;
  expect(knowledge.known(certificate(), session, '1')?.value.readFor).toBe('third');
});
