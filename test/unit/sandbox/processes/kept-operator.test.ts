import { describe, expect, it } from 'vitest';
import { keepOperator } from '../../../../src/sandbox/processes/kept-operator.ts';
import type { Exit, SandboxProcess } from '../../../../src/sandbox/processes/processes.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const lost: Exit = { code: 1, signal: null };

function setUp() {
  const clock = new ManualClock();
  const ends: ((exit: Exit) => void)[] = [];
  const restarts: Exit[] = [];
  const over = new AbortController();
  const start = async (): Promise<SandboxProcess> => {
    const { promise: exited, resolve } = Promise.withResolvers<Exit>();
    ends.push(resolve);
    const end: Exit = { code: 0, signal: null };
    return { name: 'operator', pid: ends.length, exited, stop: async () => (resolve(end), end) };
  };
  const keeping = keepOperator({ start, clock, signal: over.signal, onRestart: (exit) => restarts.push(exit) });
  return { clock, ends, restarts, over, keeping };
}

describe('the operator of a sandbox', () => {
  it('is started again when it ends by itself', async () => {
    const { clock, ends, restarts, keeping } = setUp();
    const kept = await keeping;
    for (let times = 1; times <= 10; times++) {
      await clock.advance(15_000);
      ends.at(-1)?.(lost);
      await clock.advance(1_000);
      expect([ends.length, restarts.length]).toEqual([times + 1, times]);
    }
    expect([await kept.stop(), await kept.exited]).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
    expect(ends).toHaveLength(11);
  });

  it('is not, when it is of no use five times in a row', async () => {
    const { clock, ends, keeping } = setUp();
    const kept = await keeping;
    for (let times = 0; times < 5; times++) {
      ends.at(-1)?.(lost);
      await clock.advance(1_000);
    }
    expect([await kept.exited, ends.length]).toEqual([lost, 5]);
  });

  it('is not, when the sandbox ends', async () => {
    const { clock, ends, over, keeping } = setUp();
    const kept = await keeping;
    over.abort();
    ends[0]?.(lost);
    await clock.advance(1_000);
    expect([await kept.exited, ends.length]).toEqual([lost, 1]);
  });
});
