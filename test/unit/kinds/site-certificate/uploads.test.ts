import { expect, test } from 'vitest';
import type { WriteReport } from '../../../../src/cloud/write-report.ts';
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

const report = (outcome: WriteReport['outcome']): WriteReport => ({
  route: 'PUT webaccel/site/:id/certificate',
  request: 'PUT webaccel/site/1/certificate',
  attempt: 1,
  outcome,
  status: undefined,
  code: undefined,
  serial: undefined,
  milliseconds: 1,
});

function create() {
  const clock = new ManualClock();
  const uploads = createUploads(clock);
  const theirCall = uploads.watched(theirs, EAST, '1', 0, { lane: 'upload' });
  return {
    clock,
    uploads,
    theirCall,
    /** Whether mine may go by now, with what was read of the site at this time. */
    goes(readAt: number, account: typeof EAST = WEST, id = '1'): boolean {
      try {
        uploads.watched(mine, account, id, readAt, { lane: 'upload' }).guard?.();
        return true;
      } catch {
        return false;
      }
    },
  };
}

test('what was read of a site before another resource sent a certificate there is of no use, through whatever account', async () => {
  const { clock, uploads, theirCall, goes } = create();
  await clock.advance(1000);
  const readAt = clock.monotonic();
  // What waits for its turn holds up nobody.
  expect([uploads.ofAnother(mine, WEST, '1'), goes(readAt)]).toEqual([undefined, true]);
  await clock.advance(1000);
  theirCall.onSent?.();
  const seen = uploads.ofAnother(mine, WEST, '1');
  expect([seen?.endedAt, goes(readAt), goes(readAt, WEST, '2'), goes(readAt, ELSEWHERE)]).toEqual([
    undefined,
    false,
    true,
    true,
  ]);
  await clock.advance(1000);
  theirCall.onWrite?.(report('unclear'));
  await seen?.done;
  expect([seen?.endedAt, goes(readAt), goes(clock.monotonic() + 1)]).toEqual([clock.monotonic(), false, true]);
});

test('what the service refused was never there, and what was before it counts as it did', async () => {
  const { clock, uploads, theirCall, goes } = create();
  await clock.advance(1000);
  const readAt = clock.monotonic();
  theirCall.onSent?.();
  theirCall.onWrite?.(report('refused'));
  expect([uploads.ofAnother(mine, WEST, '1'), goes(readAt)]).toEqual([undefined, true]);
  await clock.advance(1000);
  theirCall.onSent?.();
  theirCall.onWrite?.(report('done'));
  const done = uploads.ofAnother(mine, WEST, '1');
  await clock.advance(1000);
  const again = uploads.watched(certificate('third'), EAST, '1', clock.monotonic(), { lane: 'upload' });
  again.onSent?.();
  again.onWrite?.(report('refused'));
  expect([uploads.ofAnother(mine, WEST, '1') === done, goes(readAt)]).toEqual([true, false]);
});
