import { expect, it } from 'vitest';
import { calledHolder } from '../../../src/kubernetes/lease-object.ts';

it.each([
  ['edgeline-system/edgeline-operator', 'edgeline-system/edgeline-operator'],
  ['a\u001b[31m\nred\u202e', 'a[31mred'],
  ['x'.repeat(100_000), 'x'.repeat(253)],
  [`${'x'.repeat(252)}😀`, 'x'.repeat(252)],
  ['\u0000', '(without a name)'],
])('a holder is called by what of its text does no harm, and is no longer than a name: %j', (holder, expected) => {
  expect(calledHolder(holder)).toBe(expected);
});
