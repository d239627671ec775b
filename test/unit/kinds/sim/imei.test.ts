import { expect, it } from 'vitest';
import { imeiWarnings } from '../../../../src/kinds/sim/imei.ts';

it.each(['356938035643809', '490154203237518', '354533018501447', '123456789012347', '000000000000000'])(
  '%s has the check digit that follows from its others',
  (imei) => {
    expect(imeiWarnings(imei)).toEqual([]);
  },
);

it.each(['35693803564380', '3569380356438001'])('%s has none, as it is without, or with a software version', (imei) => {
  expect(imeiWarnings(imei)).toEqual([]);
});

it.each([
  ['356938035643808', 9],
  ['490154203237158', 3],
  ['123456789012345', 7],
])('%s is warned of, with the digit that is missed', (imei, digit) => {
  expect(imeiWarnings(imei)).toEqual([
    `imeiLock ${imei} is the IMEI of no device: by its other digits the last one would be ${digit}. Compare it with what the device shows for *#06#, lest the SIM work in none.`,
  ]);
});
