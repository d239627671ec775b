import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withBuildLock } from '../../../../src/sandbox/build/lock.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

let directory = '';
let path = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(directory, 'lock');
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('the build lock', () => {
  it('lets one work while the others wait, then the next', async () => {
    const clock = new ManualClock(Date.now());
    const events: string[] = [];
    const first = Promise.withResolvers<void>();
    const options = (holder: string) => ({
      clock,
      holder,
      onWait: (other: string) => events.push(`${holder} waits for ${other}`),
    });
    const a = withBuildLock(path, options('A'), async () => {
      events.push('A works');
      await first.promise;
      events.push('A is done');
    });
    const b = withBuildLock(path, options('B'), async () => void events.push('B works'));
    await clock.advance(2_000);
    first.resolve();
    await a;
    await clock.advance(500);
    await b;
    expect({ events, left: existsSync(path) }).toEqual({
      events: ['A works', 'B waits for A', 'A is done', 'B works'],
      left: false,
    });
  });

  it('is taken over when its holder has not touched it for 15 seconds', async () => {
    const now = Date.now();
    const clock = new ManualClock(now);
    writeFileSync(path, 'someone who is gone');
    utimesSync(path, (now - 14_000) / 1_000, (now - 14_000) / 1_000);
    const waits: string[] = [];
    let worked = false;
    const work = withBuildLock(path, { clock, holder: 'B', onWait: (other) => waits.push(other) }, async () => {
      worked = true;
    });
    await clock.advance(500);
    expect({ worked, waits }).toEqual({ worked: false, waits: ['someone who is gone'] });
    await clock.advance(1_500);
    await work;
    expect(worked).toBe(true);
  });

  it('is released when the work fails', async () => {
    const clock = new ManualClock();
    const work = withBuildLock(path, { clock, holder: 'A', onWait: () => {} }, async () => {
      throw new Error('no disk');
    });
    await expect(work).rejects.toThrow('no disk');
    expect(existsSync(path)).toBe(false);
  });

  it('stops waiting when told to, and leaves the lock to its holder', async () => {
    const clock = new ManualClock(Date.now());
    writeFileSync(path, 'A');
    const stop = new AbortController();
    const work = withBuildLock(
      path,
      { clock, holder: 'B', onWait: () => stop.abort(new Error('stopped')), signal: stop.signal },
      async () => {},
    );
    await expect(work).rejects.toThrow('stopped');
    expect(existsSync(path)).toBe(true);
  });
});
