import { expect, test } from 'vitest';
import { goesOn, type SimStep } from '../../../../src/kinds/sim/steps.ts';

const gateway = { id: '113300002001', zone: 'is1b' } as const;
const steps: readonly SimStep[] = [
  { do: 'setCarriers', carriers: [], unshown: [], fields: ['carriers'], changes: [] },
  { do: 'activate', fields: ['activated'], changes: [] },
  { do: 'lockIMEI', imei: '356938035643809', fields: ['imeiLock'], changes: [] },
  { do: 'clearIP', changes: [] },
  { do: 'unregister', gateway, fields: ['gateway'], changes: [] },
  { do: 'register', gateway, fields: ['gateway'], changes: [] },
  { do: 'setIP', ip: '10.0.0.2', fields: ['ipAddress'], changes: [] },
  { do: 'reconnect', at: 'now', changes: [] },
];
const plans = {
  'a move': steps,
  'another address where it is': steps.filter(({ do: what }) => what !== 'unregister' && what !== 'register'),
  'a move to a gateway where its address is not free yet': steps.filter(({ do: what }) => what !== 'setIP'),
  'room for others': [...steps.slice(0, 3), { do: 'clearIP', changes: [], cause: 'MakesRoom' }],
} satisfies Record<string, readonly SimStep[]>;

test.each<[SimStep['do'], keyof typeof plans, readonly SimStep['do'][]]>([
  ['setCarriers', 'a move', ['lockIMEI', 'clearIP', 'unregister', 'register', 'setIP', 'reconnect']],
  ['activate', 'a move', ['lockIMEI', 'clearIP', 'unregister', 'register', 'setIP', 'reconnect']],
  ['lockIMEI', 'a move', []],
  ['lockIMEI', 'another address where it is', ['clearIP', 'setIP', 'reconnect']],
  ['activate', 'room for others', ['lockIMEI']],
  ['activate', 'a move to a gateway where its address is not free yet', ['lockIMEI']],
  ['clearIP', 'a move', []],
  ['register', 'a move', []],
])('after a failed %s those steps of %s are tried that need nothing of it', (what, name, expected) => {
  const plan: readonly SimStep[] = plans[name];
  const at = plan.findIndex((step) => step.do === what);
  const failed = plan[at];
  const tried = plan.slice(at + 1).filter((next) => failed && goesOn(plan, failed, next));
  expect(tried.map((step) => step.do)).toEqual(expected);
});
