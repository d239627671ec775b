import { expect, it } from 'vitest';
import type { Message } from '../../../src/shadow/world/messages.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import { createCalmness } from '../../simulation/life/calmness.ts';

/** What is found of requests to create SIMs that are all refused, each after so many milliseconds. */
function findings(...refused: readonly (readonly [at: number, iccid: string])[]): string[] {
  let now = 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  const world = { now: () => now, happened: 0, messages: 0, processes: [] } as unknown as World;
  const calmness = createCalmness(
    world,
    () => undefined,
    () => 0,
    false,
  );
  calmness.begin();
  for (const [at, iccid] of refused) {
    now = at;
    const message: Message = {
      process: 'operator-1',
      to: 'service',
      verb: 'POST',
      route: 'POST /commonserviceitem',
      target: '/commonserviceitem',
      body: JSON.stringify({ iccid }),
      serial: 1,
    };
    calmness.arrived(message, 409);
  }
  return calmness.findings();
}

it('two SIMs that are each refused at their own pace are not one that is tried too often', () => {
  expect(findings([0, 'one'], [7400, 'other'], [60_000, 'one'])).toEqual([]);
});

it('one SIM that is tried again a few seconds after it was refused is', () => {
  expect(findings([0, 'one'], [7400, 'one'])).toEqual([
    expect.stringMatching(/^operator-1 .* sends POST \/commonserviceitem again after 7\.4 s$/),
  ]);
});
