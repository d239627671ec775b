import { expect, it } from 'vitest';
import type { Message } from '../../../src/shadow/world/messages.ts';
import type { World } from '../../../src/shadow/world/world.ts';
import { createCalmness } from '../../simulation/life/calmness.ts';

interface Sent {
  readonly at: number;
  readonly target?: string;
  readonly outcome?: number;
  readonly verb?: string;
  readonly body?: string;
}

/** What is found of requests that are sent at these times, milliseconds. */
function findings(...sent: readonly Sent[]): string[] {
  let now = 0;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  const world = { now: () => now, happened: 0, messages: 0, processes: [] } as unknown as World;
  const calmness = createCalmness(
    world,
    () => undefined,
    () => 0,
    { isTight: false, isShared: () => false },
  );
  calmness.begin();
  for (const { at, verb = 'GET', target = '/appliance', outcome = 200, body = '' } of sent) {
    now = at;
    const route = `${verb} ${target.split('?')[0]}`;
    const message: Message = { process: 'operator-1', to: 'service', verb, route, target, body, serial: 1 };
    calmness.arrived(message, outcome);
  }
  return calmness.findings();
}

/** A request to create a SIM that is refused. */
function refused(at: number, iccid: string): Sent {
  return { at, verb: 'POST', target: '/commonserviceitem', outcome: 409, body: JSON.stringify({ iccid }) };
}

it('two SIMs that are each refused at their own pace are not one that is tried too often', () => {
  expect(findings(refused(0, 'one'), refused(7400, 'other'), refused(60_000, 'one'))).toEqual([]);
});

it('one SIM that is tried again a few seconds after it was refused is', () => {
  expect(findings(refused(0, 'one'), refused(7400, 'one'))).toEqual([
    expect.stringMatching(/^operator-1 .* sends POST \/commonserviceitem again after 7\.4 s$/),
  ]);
});

it('a try that is refused has a look before it and one after it, beside the list that is due', () => {
  expect(findings({ at: 0 }, { at: 5000 }, refused(6000, 'one'), { at: 7000 })).toEqual([]);
});

it('a third look for a try that is refused is one too many', () => {
  expect(findings({ at: 0 }, { at: 5000 }, refused(6000, 'one'), { at: 7000 }, { at: 17_000 })).toEqual([
    expect.stringMatching(/^operator-1 .* sends GET \/appliance again after 17\.0 s$/),
  ]);
});

const ofCredentials = '/commonserviceitem?%7B%22From%22%3A0%2C%22Count%22%3A1%2C';

it('an account whose access is new is compared when its credentials are looked at', () => {
  expect(findings({ at: 0 }, { at: 5000, target: ofCredentials }, { at: 6000 })).toEqual([]);
});

it('an account whose credentials are looked at time and again is not at rest', () => {
  expect(findings({ at: 0, target: ofCredentials }, { at: 5000, target: ofCredentials })).toEqual([
    expect.stringMatching(/^operator-1 .* sends GET \/commonserviceitem again after 5\.0 s$/),
  ]);
});
