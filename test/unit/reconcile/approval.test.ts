import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { driftOf } from '../../../src/kinds/web-accel-site/drift.ts';
import {
  type Answer,
  type Asked,
  answerTo,
  approvalAfter,
  askingOf,
  isOnRecord,
  outcomeOf,
} from '../../../src/reconcile/approval.ts';
import { digestOf, hashOfPlan } from '../../../src/reconcile/approval-digest.ts';
import { approvalHold, shownPlan } from '../../../src/reconcile/approval-shown.ts';
import { mending } from '../../../src/reconcile/change.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';
import { SecretValue } from '../../../src/reconcile/secret-value.ts';

const object: ManagedObject = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17', namespace: 'fleet', uid: 'u1', resourceVersion: '7', generation: 3 },
  spec: {},
};
const withPolicy = (managementPolicy: ManagedObject['spec']['managementPolicy']): ManagedObject => ({
  ...object,
  spec: { managementPolicy },
});

describe('what needs approval', () => {
  const changes = { policy: 'Changes' } as const;
  const everything = { policy: 'Everything' } as const;
  it.each([
    ['nothing, unless somebody says so', undefined, undefined, 'Nothing'],
    ['all of a resource that says so', 'Approve', undefined, 'Everything'],
    ['all but drift of a resource that says so', 'ApproveChanges', undefined, 'Changes'],
    ['what the account says', 'Manage', changes, 'Changes'],
    ['the stricter, that of the account', 'ApproveChanges', everything, 'Everything'],
    ['the stricter, that of the resource', 'Approve', changes, 'Everything'],
    ['nothing of an exempt kind', 'Manage', { ...everything, exempt: ['Sim'] }, 'Nothing'],
    ['what an exempt kind says itself', 'Approve', { ...everything, exempt: ['Sim'] }, 'Everything'],
    [
      'what the account says, where another kind is exempt',
      'Manage',
      { ...changes, exempt: ['SiteCertificate'] },
      'Changes',
    ],
  ] as const)('is %s', (_, own, account, expected) => {
    expect(askingOf('Sim', withPolicy(own), account)).toBe(expected);
  });
});

describe('whether a plan may be carried out', () => {
  const call = (digest: string, isFree = false) => ({ digest, isFree });
  /** A hash is here what it is of. */
  function answer(asked: Partial<Omit<Asked, 'progress'>> & { progress?: Partial<Asked['progress']> }): Answer {
    const { calls = [call('a'), call('b')] } = asked;
    const progress = { id: '17', ownership: 'Adopted', ...asked.progress } as const;
    return answerTo({
      asking: 'Everything',
      generation: 3,
      annotation: undefined,
      hashOf: (word) => [word, progress.id ?? 'new', ...calls.map(({ digest }) => digest)].join(' '),
      newAsking: () => 'second',
      ...asked,
      calls,
      progress,
    });
  }
  const approved = { hash: 'first 17 a b', id: '17', generation: 3, calls: ['a', 'b'] };

  it.each<[string, Parameters<typeof answer>[0], Answer]>([
    ['one that nobody has to approve goes', { asking: 'Nothing' }, { may: 'go', approval: undefined }],
    [
      'an empty one ends what was on record',
      { calls: [], progress: { approval: approved } },
      { may: 'go', approval: undefined },
    ],
    ['a new one waits', {}, { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 a b' }],
    [
      'one that goes on being asked for keeps its hash',
      { progress: { approval: { asked: 'first' } } },
      { may: 'wait', approval: { asked: 'first' }, hash: 'first 17 a b' },
    ],
    [
      'the one with the hash of the annotation goes, with its calls on record',
      { progress: { approval: { asked: 'first' } }, annotation: 'first 17 a b' },
      { may: 'go', approval: approved },
    ],
    [
      'one with other calls than the annotation says waits',
      { progress: { approval: { asked: 'first' } }, annotation: 'first 17 a b', calls: [call('a')] },
      { may: 'wait', approval: { asked: 'first' }, hash: 'first 17 a' },
    ],
    [
      'what is left of an approved one goes',
      { progress: { approval: approved }, annotation: 'first 17 a b', calls: [call('b')] },
      { may: 'go', approval: { ...approved, calls: ['b'] } },
    ],
    [
      'what was done once waits',
      { progress: { approval: { ...approved, calls: ['b'] } }, annotation: 'first 17 a b' },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 a b' },
    ],
    [
      'what is left of one that was approved for another spec waits',
      { progress: { approval: approved }, annotation: 'first 17 a b', calls: [call('b')], generation: 4 },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 b' },
    ],
    [
      'so does the rest of a repair, once the spec is another',
      { asking: 'Changes', calls: [call('b')], progress: { approval: { id: '17', generation: 2, calls: ['a', 'b'] } } },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 b' },
    ],
    [
      'an approved one waits once its annotation is gone',
      { progress: { approval: approved } },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 a b' },
    ],
    [
      'one that is on record waits with the annotation of another',
      { progress: { approval: approved }, annotation: 'zeroth 17 a b' },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 a b' },
    ],
    [
      'one approved for what has vanished waits',
      { progress: { approval: approved, id: undefined }, annotation: 'first 17 a b' },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second new a b' },
    ],
    [
      'the rest of a creation goes, for what was created',
      {
        progress: { approval: { hash: 'first new a b', generation: 3, calls: ['a', 'b'] }, ownership: 'Created' },
        annotation: 'first new a b',
        calls: [call('b')],
      },
      { may: 'go', approval: { hash: 'first new a b', id: '17', generation: 3, calls: ['b'] } },
    ],
    [
      'the rest of a creation waits for what was found instead',
      {
        progress: { approval: { hash: 'first new a b', generation: 3, calls: ['a', 'b'] } },
        annotation: 'first new a b',
        calls: [call('b')],
      },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 b' },
    ],
    [
      'the repair of drift goes where the policy says so, on record',
      { asking: 'Changes', calls: [call('a', true), call('b', true)] },
      { may: 'go', approval: { id: '17', generation: 3, calls: ['a', 'b'] } },
    ],
    [
      'the rest of an interrupted repair goes, though it no longer looks like one',
      { asking: 'Changes', calls: [call('b')], progress: { approval: { id: '17', generation: 3, calls: ['a', 'b'] } } },
      { may: 'go', approval: { id: '17', generation: 3, calls: ['b'] } },
    ],
    [
      'the same waits once everything has to be approved',
      { calls: [call('b')], progress: { approval: { id: '17', generation: 3, calls: ['a', 'b'] } } },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 b' },
    ],
    [
      'a repair that comes with a change waits with it',
      { asking: 'Changes', calls: [call('a', true), call('b')] },
      { may: 'wait', approval: { asked: 'second' }, hash: 'second 17 a b' },
    ],
    [
      'a repair that comes while an approved change is carried out goes with it',
      {
        asking: 'Changes',
        calls: [call('c', true), call('b')],
        progress: { approval: { ...approved, calls: ['b'] } },
        annotation: 'first 17 a b',
      },
      { may: 'go', approval: { hash: 'first 17 a b', id: '17', generation: 3, calls: ['c', 'b'] } },
    ],
  ])('%s', (_, asked, expected) => {
    expect(answer(asked)).toEqual(expected);
  });

  it('no plan is approved by the hash of an asking that was answered, whatever becomes of the record', () => {
    const records = [undefined, {}, { asked: 'third' }, { hash: 'first 17 a b' }, { ...approved, calls: [] }];
    for (const approval of records) {
      expect(answer({ progress: { approval }, annotation: 'first 17 a b' }).may).toBe('wait');
    }
  });

  it('a call that was answered is no longer approved, and what was created is what the rest is about', () => {
    expect(approvalAfter({ hash: 'h', calls: ['a', 'b', 'b'] }, 'b', '18')).toEqual({
      hash: 'h',
      id: '18',
      calls: ['a', 'b'],
    });
    expect(approvalAfter({ hash: 'h', calls: ['a'] }, undefined)).toEqual({ hash: 'h', calls: ['a'] });
    expect(approvalAfter(undefined, 'a')).toBeUndefined();
  });

  it('an approval is on record once the status has the hash and every call', () => {
    expect(isOnRecord(undefined, undefined)).toBe(true);
    expect(isOnRecord(undefined, { asked: 'first' })).toBe(true);
    expect(isOnRecord(undefined, approved)).toBe(false);
    expect(isOnRecord({ asked: 'first' }, approved)).toBe(false);
    expect(isOnRecord({ ...approved, calls: ['a'] }, approved)).toBe(false);
    expect(isOnRecord({ ...approved, hash: 'other' }, approved)).toBe(false);
    expect(isOnRecord({ ...approved, generation: 2 }, approved)).toBe(false);
    expect(isOnRecord(approved, { ...approved, calls: ['b'] })).toBe(true);
  });
});

describe('the digest of a call', () => {
  const keyed = (key: string) => ({
    digest: (value: string) => createHmac('sha256', key).update(value).digest('base64url'),
  });
  const changes = [{ field: 'ipAddress', before: '10.0.0.1', after: '10.0.0.2' }];
  const step = { do: 'setIP', ip: '10.0.0.2', changes, fields: ['ipAddress'] };
  const digest = (one: Step & Record<string, unknown>, of = object, key = 'key') => digestOf(one, of, keyed(key));
  const usual = digest(step);

  it('stays as it is by what is said about it', () => {
    const same = {
      holder: 'the SIM 3',
      because: ['gateway'],
      pending: ['ipAddress'],
      cause: 'MakesRoom' as const,
      ip: '10.0.0.2',
    };
    expect(digest({ ...step, ...same })).toBe(usual);
  });

  it.each<[string, () => string]>([
    ['what is sent', () => digest({ ...step, ip: '10.0.0.3' })],
    ['what was there', () => digest({ ...step, changes: [{ field: 'ipAddress', before: 'none', after: '10.0.0.2' }] })],
    ['the call', () => digest({ ...step, do: 'clearIP' })],
    ['the resource', () => digest(step, { ...object, metadata: { ...object.metadata, uid: 'u2' } })],
    ['the account', () => digest(step, object, 'other')],
  ])('is another with %s', (_, other) => {
    expect(other()).not.toBe(usual);
  });

  it('is another where what was there differs behind all that is shown of it', () => {
    const removal = (last: string) => {
      const rules = Array.from({ length: 200 }, (_, index) => `allow 192.0.2.${index}`).join('; ');
      return { do: 'removeAccessControl', changes: mending([driftOf('accessControl', '', `${rules}; ${last}`)]) };
    };
    expect(digest(removal('deny all'))).toBe(digest(removal('deny all')));
    expect(digest(removal('deny all'))).not.toBe(digest(removal('allow all')));
    const [change] = removal('deny all').changes;
    expect(change?.before.length).toBeLessThanOrEqual(1024);
  });

  it('tells secrets apart without showing them', () => {
    const plain: string[] = [];
    const { digest: keyedDigest } = keyed('key');
    const noting = { digest: (value: string) => (plain.push(value), keyedDigest(value)) };
    const of = (code: string) => digestOf({ ...step, passCode: new SecretValue(code) } as Step, object, noting);
    expect(of('1234')).not.toBe(of('1235'));
    expect(plain.filter((value) => value.startsWith('[')).join()).not.toContain('1234');
  });

  it('and the hash of a plan is of the asking, the calls in their order, and what they are about', () => {
    const edited = { ...object, metadata: { ...object.metadata, generation: 99 } };
    const hash = (asking: string, calls: string[], id?: string, one = object) =>
      hashOfPlan(asking, calls, { object: one, kind: 'Sim', id }, keyed('key'));
    const going = { ...object, metadata: { ...object.metadata, deletionTimestamp: '2026-11-23T00:00:00Z' } };
    const all = [
      hash('x', ['a', 'b']),
      hash('y', ['a', 'b']),
      hash('x', ['b', 'a']),
      hash('x', ['a', 'b'], '17'),
      hash('x', ['a']),
      hash('x', ['a', 'b'], undefined, going),
      hash('x', ['a', 'b'], undefined, edited),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(hash('x', ['a', 'b'])).toBe(all[0]);
    for (const one of all) expect(one).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('what is shown of a plan that waits', () => {
  const plan: Plan<Step> = {
    steps: [
      { do: 'recognise', changes: [], silent: true },
      { do: 'activate', changes: [{ field: 'activated', before: 'false', after: 'true' }] },
      { do: 'setRoutes', changes: [{ field: 'routes', before: 'none', after: 'x'.repeat(600) }] },
      { do: 'reconnect', changes: [] },
      { do: 'rename', changes: [] },
    ],
    drift: [],
    applied: {},
  };

  it('is every call, with values that are cut', () => {
    expect(shownPlan('0123456789abcdef', plan)).toEqual({
      hash: '0123456789abcdef',
      calls: [
        { step: 'activate', fields: [{ field: 'activated', before: 'false', after: 'true' }] },
        { step: 'setRoutes', fields: [{ field: 'routes', before: 'none', after: `${'x'.repeat(511)}…` }] },
        { step: 'reconnect' },
        { step: 'rename' },
      ],
    });
    expect(shownPlan('h', { ...plan, continues: true })).toMatchObject({ continues: true });
  });

  it('is what differs of a long value, however far behind', () => {
    const rules = Array.from({ length: 100 }, (_, index) => `allow 192.0.2.${index}`).join('; ');
    // As a site's planner has it, which bounds what differs, too.
    const changes = mending([driftOf('accessControl', `${rules}; allow all`, `${rules}; deny all`)]);
    const asked = { ...plan, steps: [{ do: 'setAccessControl', changes }] };
    const [shown] = shownPlan('h', asked).calls[0]?.fields ?? [];
    expect(shown?.before).toMatch(/^….*allow 192\.0\.2\.99; deny all$/);
    expect(shown?.after).toMatch(/^….*allow 192\.0\.2\.99; allow all$/);
    expect(approvalHold('h', asked, object, 'WebAccelSite').message).toMatch(/99; deny all → ….*99; allow all\)/);
  });

  it('is in the message the first calls, and how they are approved', () => {
    expect(approvalHold('0123456789abcdef', plan, object, 'Sim')).toEqual({
      state: 'Suspended',
      reason: 'ApprovalPending',
      message: `4 calls wait for approval: activate (activated false → true); setRoutes (routes none → ${'x'.repeat(79)}…); reconnect; and 1 more, see status.plan. Approve them with \`edgeline approve sim/truck-17 -n fleet --hash 0123456789abcdef\`, or set the annotation edgeline.dev/approve: "0123456789abcdef".`,
    });
  });

  it('names a deletion, however many calls come before it', () => {
    const calls = ['clearIP', 'unregister', 'deactivate', 'unlockIMEI', 'delete'].map((step) => ({
      do: step,
      changes: [],
    }));
    const { message } = approvalHold('0123456789abcdef', { ...plan, steps: calls }, object, 'Sim');
    expect(message).toMatch(
      /^5 calls wait for approval: clearIP; unregister; deactivate; and 2 more, delete among them, see status\.plan\. /,
    );
  });

  it('is a wrong hash, and, of a deletion, the way without one', () => {
    const going = {
      ...object,
      metadata: {
        ...object.metadata,
        deletionTimestamp: '2026-11-23T00:00:00Z',
        annotations: { 'edgeline.dev/approve': 'fedcba9876543210' },
      },
    };
    const { message } = approvalHold('0123456789abcdef', { ...plan, steps: plan.steps.slice(1, 2) }, going, 'Sim');
    expect(message).toBe(
      '1 call waits for approval: activate (activated false → true). The annotation edgeline.dev/approve is "fedcba9876543210", which is not the hash of this plan. Approve it with `edgeline approve sim/truck-17 -n fleet --hash 0123456789abcdef`, or set the annotation edgeline.dev/approve: "0123456789abcdef". To leave what is at the service as it is, set deletionPolicy: Orphan, or the annotation edgeline.dev/abandon: "true".',
    );
  });
});

describe('what is counted of an approval', () => {
  const go = { may: 'go', approval: { hash: 'h', calls: ['a'] } } as const;
  const wait = { may: 'wait', approval: { asked: 'w' }, hash: 'h' } as const;
  const before = (approval: object | undefined) => ({ approval, id: '17', ownership: undefined }) as const;
  const approved = { hash: 'h', calls: ['a'] };
  it.each<
    [string, Answer, object | undefined, string | undefined, { annotation: string | undefined } | undefined, unknown]
  >([
    ['a plan that is approved', go, { asked: 'w' }, 'h', undefined, 'approved'],
    ['nothing of one whose rest is sent', go, approved, 'h', undefined, undefined],
    [
      'nothing of what the policy lets through',
      { may: 'go', approval: { calls: ['a'] } },
      undefined,
      undefined,
      undefined,
      undefined,
    ],
    ['an annotation with another hash', wait, { asked: 'w' }, 'x', { annotation: undefined }, 'mismatched'],
    ['nothing of one that only stays', wait, { asked: 'w' }, 'x', { annotation: 'x' }, undefined],
    ['nothing of one that this process has not seen come', wait, { asked: 'w' }, 'x', undefined, undefined],
    ['nothing where there is none', wait, { asked: 'w' }, undefined, { annotation: 'x' }, undefined],
    ['one that was taken back', wait, approved, undefined, { annotation: 'h' }, 'withdrawn'],
    ['one that something else overtook', wait, approved, 'h', { annotation: 'h' }, 'outdated'],
    ['nothing of one that was carried out before', wait, { hash: 'h', calls: [] }, 'h', { annotation: 'h' }, undefined],
  ])('is %s', (_, answer, was, annotation, seen, expected) => {
    expect(outcomeOf(answer, before(was), annotation, seen)).toBe(expected);
  });
});
