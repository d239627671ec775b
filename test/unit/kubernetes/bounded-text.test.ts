import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundedText } from '../../../src/kubernetes/bounded-text.ts';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type FakeApiserver, impatientClock, startFakeApiserver } from './fake-apiserver.ts';

const MEBIBYTE = 1024 * 1024;
const bounds = { bytes: MEBIBYTE, milliseconds: 60_000 };

describe('what is read of an answer that anybody may give', () => {
  let apiserver: FakeApiserver;
  let client: KubeClient;
  beforeEach(async () => {
    apiserver = await startFakeApiserver();
    client = createKubeClient({
      transport: createTransport(apiserver.connection),
      userAgent: 'edgeline/1',
      fieldManager: 'edgeline',
      clock: impatientClock(),
      random: () => 0,
    });
  });
  afterEach(async () => {
    await client.close();
    await apiserver.close();
  });

  it.each([200, 500])('is bounded in bytes, with status %d', async (status) => {
    apiserver.script(() => true, { status, body: 'x'.repeat(2 * MEBIBYTE) });
    await expect(client.raw('GET', '/metrics', undefined, { retry: false, bounds })).rejects.toMatchObject({
      reason: 'TooMuch',
      message: expect.stringContaining('the answer is larger than 1 MiB, and was not read further'),
    });
  });

  it('is all of it within the bounds', async () => {
    apiserver.script(() => true, { status: 200, body: 'metrics' });
    expect(await client.raw('GET', '/metrics', undefined, { retry: false, bounds })).toBe('metrics');
  });

  it('is bounded in time, however little comes at once, and the rest is let go', async () => {
    const clock = new ManualClock();
    let isLeft = false;
    async function* trickle() {
      try {
        for (;;) {
          await clock.advance(10_000);
          yield Buffer.from('x');
        }
      } finally {
        isLeft = true;
      }
    }
    const body = Object.assign(trickle(), { text: async () => '' });
    await expect(boundedText(body, bounds, clock)).rejects.toThrow('the answer is not over after 60 seconds');
    expect(isLeft).toBe(true);
  });
});
