import { expect, it } from 'vitest';
import type { Arrival } from '../../../src/shadow/service/types.ts';
import type { Message, Moment } from '../../../src/shadow/world/messages.ts';
import { doneOnce } from '../../simulation/life/invariants/done-once.ts';
import type { Scene } from '../../simulation/life/scene.ts';

const SIM = '113300000001';

/** What is said of a SIM that is activated, carried out at 10 and answered at 20, and again at 30, where it changed at `changes`. */
function said(...changes: readonly number[]): string[] {
  let now = 0;
  let message: Message | undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  const scene = {
    world: { now: () => now },
    script: { steps: [] },
    atService: { lastChange: () => Math.max(0, ...changes.filter((at) => at <= now)) },
    get cause() {
      return message && { message, writtenAt: now, seenUntil: now, isSecond: false };
    },
  } as unknown as Scene;
  const told: string[] = [];
  const ears = doneOnce.watch(scene, (text) => told.push(text));
  const hear = (at: number, moment: Moment, serial: number) => {
    now = at;
    message = {
      process: 'operator-1',
      to: 'service',
      verb: 'PUT',
      route: 'PUT /commonserviceitem/:id/sim/activate',
      target: `/commonserviceitem/${SIM}/sim/activate`,
      body: undefined,
      serial,
    };
    ears.message?.(moment, message, undefined);
  };
  hear(5, 'written', 1);
  hear(10, 'arrived', 1);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  ears.arrived?.({ isCarriedOut: true, fault: undefined, outcome: 200 } as Arrival);
  hear(20, 'answered', 1);
  hear(30, 'written', 2);
  return told;
}

const again = [
  `operator-1 sends PUT /commonserviceitem/:id/sim/activate for SIM ${SIM} again, 0.0 s after the answer that it is done`,
];

it.each([
  ['nobody undid what was done', [10], again],
  ['it was so before', [], again],
  ['somebody undid it after the answer', [10, 25], []],
  ['somebody undid it while the answer was under way', [10, 15], []],
])('where %s', (_, changes, expected) => {
  expect(said(...changes)).toEqual(expected);
});
