import { describe, expect, it } from 'vitest';
import { type Grounds, lostGround } from '../../../src/reconcile/guard.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import type { AccountSession } from '../../../src/reconcile/session.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only told apart from another
const session = {} as AccountSession;
const object: ManagedObject = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17', namespace: 'fleet', uid: 'u1', resourceVersion: '7', generation: 3 },
  spec: {},
};
const before: Grounds = {
  object,
  session,
  asking: 'Nothing',
  secretVersions: ['41', undefined],
  isLeaving: false,
  isHeld: true,
};

function changed(change: Partial<ManagedObject['metadata']>): Partial<Grounds> {
  return { ...before, object: { ...object, metadata: { ...object.metadata, ...change } } };
}

const cases: readonly (readonly [what: string, now: Partial<Grounds>, lost: string | undefined])[] = [
  ['nothing changed', before, undefined],
  ['only the status was written', changed({ resourceVersion: '9' }), undefined],
  ['an annotation of somebody else', changed({ annotations: { 'example.com/x': 'y' } }), undefined],
  ['the resource is gone', { session, secretVersions: [] }, 'the resource went'],
  ['another of the same name', changed({ uid: 'u2' }), 'the resource went'],
  ['paused', changed({ annotations: { 'edgeline.dev/paused': 'yes' } }), 'the resource was paused'],
  ['its namespace paused', { ...before, pausedBy: 'Namespace fleet' }, 'the Namespace fleet was paused'],
  ['abandoned', changed({ annotations: { 'edgeline.dev/abandon': 'true' } }), 'the resource was abandoned'],
  ['its spec', changed({ generation: 4 }), 'the resource was changed'],
  ['deleted', changed({ deletionTimestamp: '2026-11-22T00:00:00Z' }), 'the resource was deleted'],
  ['a reconnect', changed({ annotations: { 'edgeline.dev/reconnect-at': '1' } }), 'another reconnect was asked for'],
  ['an approval', changed({ annotations: { 'edgeline.dev/approve': '0123456789abcdef' } }), 'its approval was changed'],
  ['a stricter account', { ...before, asking: 'Changes' }, 'what of it needs approval was changed'],
  [
    'no usable account',
    { object, asking: 'Nothing', secretVersions: before.secretVersions, isHeld: true },
    'the account was changed',
  ],
  ['an account that is deleted', { ...before, isLeaving: true }, 'the account was deleted'],
  [
    'another installation’s turn',
    { ...before, isHeld: false },
    'another installation may have taken the namespace over',
  ],
  ['a Secret rotated', { ...before, secretVersions: ['42', undefined] }, 'a Secret was changed'],
  ['a Secret came', { ...before, secretVersions: ['41', '1'] }, 'a Secret was changed'],
  ['a Secret went', { ...before, secretVersions: [undefined, undefined] }, 'a Secret was changed'],
];

describe('what a decision was made on', () => {
  it.each(cases)('%s', (_, now, lost) => {
    expect(lostGround(before, now)).toBe(lost);
  });
});
