import { expect, test } from 'vitest';
import { setByOthers, unwantedOf, withStep } from '../../../src/reconcile/late-writes.ts';
import type { Step } from '../../../src/reconcile/plan.ts';

const set = (field: string, before: string, after = 'none'): Step => ({
  do: 'set',
  fields: [field],
  changes: [{ field, before, after }],
});
const late = new Map([
  ['ipAddress', '10.0.0.22'],
  ['carriers', undefined],
]);

test('what nobody answered is kept with what it was to become, and what is unset late is not', () => {
  const more = withStep(late, set('imeiLock', 'none', '49'), { imeiLock: '49' });
  expect([...withStep(more, set('dns', '8.8.8.8'), {})]).toEqual([...late, ['imeiLock', '49']]);
});

test.each([
  ['as it was sent', set('ipAddress', '10.0.0.22'), {}, []],
  ['otherwise than it was sent', set('ipAddress', '10.0.0.77'), {}, ['ipAddress']],
  ['otherwise, and is wanted', set('ipAddress', '10.0.0.77', '10.0.0.78'), { ipAddress: '10.0.0.78' }, []],
  ['in a way that nobody knows', set('carriers', 'KDDI'), {}, []],
  ['and was never sent', set('imeiLock', '49'), {}, []],
])('what is there %s', (_, step, applied, expected) => {
  expect(setByOthers(late, { steps: [step], drift: [], applied })).toEqual(expected);
});

test('what the spec still wants is not waited for, nor are parts of it', () => {
  const parts = new Map([...late, ['carriers/KDDI', undefined]]);
  expect([unwantedOf(late, {}), unwantedOf(parts, { carriers: [] })]).toEqual([
    ['ipAddress', 'carriers'],
    ['ipAddress'],
  ]);
});
