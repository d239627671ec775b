import { expect, it } from 'vitest';
import { isSamePresence, presenceOf } from '../../../src/cli/presence.ts';
import type { Lease } from '../../../src/kubernetes/lease-object.ts';
import { NOW } from './objects.ts';

const OPERATOR = 'edgeline-system/edgeline-operator';

function lease(namespace: string, holderIdentity: string, secondsAgo: number, leaseDurationSeconds: number): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'any', namespace, uid: 'u', resourceVersion: '1' },
    spec: { holderIdentity, renewTime: new Date(NOW - secondsAgo * 1000).toISOString(), leaseDurationSeconds },
  };
}
const holder = (namespace: string, secondsAgo = 60) => lease(namespace, OPERATOR, secondsAgo, 900);
const leader = (secondsAgo: number, identity = 'pod-1') => new Map([[OPERATOR, lease('x', identity, secondsAgo, 15)]]);
const none = new Map<string, Lease>();

it('says nothing where an operator holds the namespaces and leads', () => {
  const seen = { holders: [holder('fleet'), holder('depots')], leaders: leader(3) };
  expect(presenceOf(['fleet', 'depots', 'fleet'], seen, NOW)).toEqual({
    state: 'Running',
    messages: [],
    unattended: [],
  });
});

it('says which namespaces nobody looks after', () => {
  const seen = { holders: [holder('fleet')], leaders: leader(3) };
  expect(presenceOf(['fleet', 'depots'], seen, NOW)).toEqual({
    state: 'NotRunning',
    messages: [
      'No operator looks after namespace depots: nobody holds the Lease edgeline-holder there. What is shown is what was last written, if anything was.',
    ],
    unattended: ['depots'],
  });
});

it('does not say that nobody looks after a namespace that is being deleted: its Lease went first', () => {
  const at = (leaving: string[], holders: Lease[]) =>
    presenceOf(['fleet', 'depots'], { holders, leaders: leader(3), leaving: new Set(leaving) }, NOW);
  expect(at(['depots'], [holder('fleet')])).toEqual({ state: 'Unknown', messages: [], unattended: [] });
  expect(at(['depots'], []).unattended).toEqual(['fleet']);
  expect(at(['depots'], [holder('fleet'), holder('depots')]).state).toBe('Running');
});

it.each([
  [
    'has not renewed its Lease for a while',
    leader(185),
    `The operator ${OPERATOR} gives no sign of life: it has not renewed its Lease for 3m5s. What is shown may be as old. It looks after namespaces depots, fleet.`,
  ],
  [
    'has given its Lease back',
    leader(3, ''),
    `The operator ${OPERATOR} does not run: none of its pods holds its Lease. It looks after namespaces depots, fleet.`,
  ],
  [
    'has no Lease any more',
    new Map([[OPERATOR, 'none' as const]]),
    `The operator ${OPERATOR} does not run: its Lease is gone. It looks after namespaces depots, fleet.`,
  ],
])('says once that the operator %s', (_name, leaders, message) => {
  const seen = { holders: [holder('fleet'), holder('depots')], leaders };
  expect(presenceOf(['fleet', 'depots'], seen, NOW)).toEqual({
    state: 'NotRunning',
    messages: [message],
    unattended: ['depots', 'fleet'],
  });
});

it('goes by the Lease of the namespace where the other may not be read', () => {
  const leaders = new Map([[OPERATOR, 'unreadable' as const]]);
  expect(presenceOf(['fleet'], { holders: [holder('fleet', 290)], leaders }, NOW).state).toBe('Running');
  expect(presenceOf(['fleet'], { holders: [holder('fleet', 1000)], leaders }, NOW).state).toBe('NotRunning');
});

it('takes a Lease with a time that is none for an old one, and shows a hostile name harmlessly', () => {
  const odd: Lease = { ...holder('fleet'), spec: { holderIdentity: 'a\u001b[2J', renewTime: 'soon' } };
  expect(presenceOf(['fleet'], { holders: [odd], leaders: none }, NOW).messages).toEqual([
    'The operator a\\u{1b}[2J gives no sign of life: it has not renewed its Lease at any time that can be read. What is shown may be as old. It looks after namespace fleet.',
  ]);
});

it.each([
  ['nothing new: it is silent for longer', [holder('fleet', 1000)], [holder('fleet', 1015)], true],
  ['news: a second namespace loses it', [holder('fleet'), holder('depots', 1000)], [holder('fleet', 1000)], false],
  ['news: it is back', [holder('fleet', 1000), holder('depots')], [holder('fleet'), holder('depots')], false],
])('is told again only if there is something to say; %s', (_name, before, after, isSame) => {
  const at = (holders: Lease[]) => presenceOf(['fleet', 'depots'], { holders, leaders: new Map() }, NOW);
  expect(isSamePresence(at(before), at(after))).toBe(isSame);
});
