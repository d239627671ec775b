import { describe, expect, it } from 'vitest';
import { createWorkers } from '../../../src/reconcile/workers.ts';
import { settle } from '../../support/manual-clock.ts';

/** Asks for a worker, and tells whether one is free. */
async function ask(workers: ReturnType<typeof createWorkers>) {
  let given: Awaited<ReturnType<typeof workers.slot>> | undefined;
  void workers.slot().then((slot) => (given = slot));
  await settle();
  return () => given;
}

describe('workers', () => {
  it('are as many as there are', async () => {
    const workers = createWorkers(2);
    const [first] = [await workers.slot(), await workers.slot()];
    const third = await ask(workers);
    expect(third()).toBeUndefined();
    first.release();
    await settle();
    expect(third()?.number).toBe(3);
  });

  it('are given to others while a pass waits for the service', async () => {
    const workers = createWorkers(1);
    const over = (await workers.slot()).wait();
    const second = await ask(workers);
    expect(second()?.number).toBe(2);
    over();
    const third = await ask(workers);
    second()?.release();
    await settle();
    expect(third()).toBeUndefined();
  });

  it('are given back once, however many calls of a pass wait at a time', async () => {
    const workers = createWorkers(1);
    const slot = await workers.slot();
    const [one, other] = [slot.wait(), slot.wait()];
    const second = await workers.slot();
    const third = await ask(workers);
    expect(third()).toBeUndefined();
    one();
    one();
    other();
    second.release();
    await settle();
    expect(third()).toBeUndefined();
    slot.release();
    await settle();
    expect(third()?.number).toBe(3);
  });
});
