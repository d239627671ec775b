import { expect, test } from 'vitest';
import {
  isPlanned,
  isRecorded,
  supersededOf,
  unwantedOf,
  withoutWanted,
  withStep,
} from '../../../src/reconcile/late-writes.ts';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';

const set = (field: string, more: Partial<Step> = {}): Step => ({ do: 'set', fields: [field], changes: [], ...more });
const late = new Map<string, unknown[]>([['ipAddress', ['10.0.0.22']]]);
const KDDI = { name: 'KDDI', allow: false };
const DOCOMO = { name: 'NTT DOCOMO', allow: true };

test.each<[string, Step, Record<string, unknown>, [string, unknown[]] | undefined]>([
  [
    'is kept with all that was sent',
    set('ipAddress'),
    { ipAddress: '10.0.0.23' },
    ['ipAddress', ['10.0.0.22', '10.0.0.23']],
  ],
  ['of another field is kept beside', set('imeiLock'), { imeiLock: '49' }, ['imeiLock', ['49']]],
  ['that unsets is kept, too', set('dns'), {}, ['dns', [null]]],
  [
    'that unsets what another step is to set is kept as that',
    set('ipAddress', { clears: ['ipAddress'] }),
    { ipAddress: '10.0.0.23' },
    ['ipAddress', ['10.0.0.22', null]],
  ],
  [
    'that only carries along what is not there is nothing',
    set('ipAddress', { fields: [], carries: ['vary'] }),
    {},
    undefined,
  ],
  [
    'of parts is kept by part',
    set('carriers', { pending: ['carriers/KDDI'] }),
    { carriers: [KDDI] },
    ['carriers/KDDI', [[KDDI]]],
  ],
  [
    'counts for what it carries along',
    set('dns', { fields: [], carries: ['vary', 'cors'] }),
    { vary: true },
    ['vary', [true]],
  ],
])('what nobody answered %s', (_, step, applied, expected) => {
  expect([...withStep(late, step, applied)]).toEqual([...new Map([...late, ...(expected ? [expected] : [])])]);
});

const parts = new Map<string, unknown[]>([['carriers/KDDI', [[KDDI]]], ...late]);

test.each([
  ['all', { applied: {} }, ['carriers/KDDI', 'ipAddress']],
  ['a part that its list no longer has', { applied: { carriers: [DOCOMO] } }, ['carriers/KDDI', 'ipAddress']],
  ['no part that its list has', { applied: { carriers: [KDDI] } }, ['ipAddress']],
  ['nothing that is undecided', { applied: {}, undecided: ['carriers'] }, ['ipAddress']],
  ['nothing while nothing is decided', { applied: {}, undecided: 'all' as const }, []],
])('not wanted any more is %s', (_, plan, expected) => {
  expect(unwantedOf(parts, plan)).toEqual(expected);
});

test.each<[string, unknown[], Partial<Plan<Step>>, string[]]>([
  ['another value may replace it', ['10.0.0.22', '10.0.0.23'], {}, ['ipAddress']],
  ['it may be unset', [null], {}, ['ipAddress']],
  ['nothing but the same may arrive', ['10.0.0.23'], {}, []],
  ['nobody knows what may arrive', [undefined], {}, ['ipAddress']],
  ['what may arrive is there', ['10.0.0.24'], {}, []],
  ['nobody knows what is wanted', ['10.0.0.22'], { undecided: ['ipAddress'] }, []],
  ['it is not wanted', ['10.0.0.22'], { applied: {} }, []],
])('what is wanted may be superseded: %s', (_, values, more, expected) => {
  const plan = { applied: { ipAddress: '10.0.0.23' }, ...more };
  expect(supersededOf(new Map([['ipAddress', values]]), plan, (_entry, value) => value === '10.0.0.24')).toEqual(
    expected,
  );
});

test('what was unset late is as it is wanted where nobody wants it', () => {
  const unset = new Map<string, unknown[]>([['dns', [null]]]);
  expect([unwantedOf(unset, { applied: {} }), [...withoutWanted(unset, { applied: {} })]]).toEqual([[], []]);
});

test('when they can arrive no more, those are left that nobody wants, or of which nobody knows', () => {
  const plan = { applied: { ipAddress: '10.0.0.23' }, undecided: ['dns'] };
  expect([...withoutWanted(new Map<string, unknown[]>([...parts, ['dns', [undefined]]]), plan).keys()]).toEqual([
    'carriers/KDDI',
    'dns',
  ]);
});

test.each([
  ['ipAddress', set('ipAddress'), true],
  ['ipAddress', set('imeiLock'), false],
  ['carriers/KDDI', set('carriers', { pending: ['carriers/KDDI'] }), true],
  ['carriers/KDDI', set('carriers', { pending: ['carriers/SoftBank'] }), false],
])('%s is planned by a step about it', (entry, step, expected) => {
  expect(isPlanned(entry, { steps: [step] })).toBe(expected);
});

test.each([
  ['ipAddress', { applied: { ipAddress: '10.0.0.22' } }, true],
  ['ipAddress', { applied: { ipAddress: '10.0.0.22' }, found: ['ipAddress'] }, false],
  ['carriers/KDDI', { applied: { carriers: [DOCOMO] } }, false],
])('%s is on record as written by the resource itself', (entry, progress, expected) => {
  expect(isRecorded(progress, entry)).toBe(expected);
});
