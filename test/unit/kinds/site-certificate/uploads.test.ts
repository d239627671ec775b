import { expect, test } from 'vitest';
import type { SiteCertificate } from '../../../../src/kinds/site-certificate/schema.ts';
import { createUploads } from '../../../../src/kinds/site-certificate/uploads.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** Two accounts of one service, and one of another that gives the same IDs. */
const EAST = { service: 'https://api.example.jp' };
const WEST = { service: 'https://api.example.jp' };
const ELSEWHERE = { service: 'https://other.example.jp' };

const certificate = (uid: string): SiteCertificate => ({
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'SiteCertificate',
  metadata: { name: uid, namespace: 'shop', uid, resourceVersion: '1' },
  spec: { siteID: '1', secretRef: { name: 'tls' } },
});
const [mine, theirs] = [certificate('mine'), certificate('theirs')];

test('an upload to a site is that of another for whoever else may have its certificate, through whatever account', async () => {
  const clock = new ManualClock();
  const uploads = createUploads(clock);
  const answer = Promise.withResolvers<string>();
  const running = uploads.run(theirs, EAST, '1', () => answer.promise);
  const seen = uploads.ofAnother(mine, WEST, '1');
  expect(seen?.endedAt).toBe(undefined);
  expect([
    uploads.ofAnother(theirs, WEST, '1'),
    uploads.ofAnother(mine, WEST, '2'),
    uploads.ofAnother(mine, ELSEWHERE, '1'),
  ]).toEqual([undefined, undefined, undefined]);
  await clock.advance(5000);
  const endedAt = clock.monotonic();
  answer.resolve('done');
  expect(await running).toBe('done');
  await seen?.done;
  expect(uploads.ofAnother(mine, WEST, '1')?.endedAt).toBe(endedAt);
});

test('one that fails has ended, too, and what ended a day ago is forgotten when there is another', async () => {
  const clock = new ManualClock();
  const uploads = createUploads(clock);
  await expect(uploads.run(theirs, EAST, '1', () => Promise.reject(new Error('no answer')))).rejects.toThrow(
    'no answer',
  );
  expect(uploads.ofAnother(mine, EAST, '1')?.endedAt).toBe(clock.monotonic());
  await clock.advance(24 * 3_600_000);
  await uploads.run(theirs, EAST, '2', () => Promise.resolve());
  expect(uploads.ofAnother(mine, EAST, '1')).toBe(undefined);
  expect(uploads.ofAnother(mine, EAST, '2')?.endedAt).toBe(clock.monotonic());
});
