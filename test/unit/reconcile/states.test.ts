import { describe, expect, it } from 'vitest';
import { NonceExpiredError } from '../../../src/cloud/errors.ts';
import type { Condition } from '../../../src/kubernetes/objects.ts';
import { type Corrections, type CorrectionsEvent, nextCorrections } from '../../../src/reconcile/contention.ts';
import type { FailureReason } from '../../../src/reconcile/failure-reason.ts';
import { type Freshness, type FreshnessEvent, nextFreshness } from '../../../src/reconcile/freshness.ts';
import {
  hasNewInputs,
  type Inputs,
  type InputsEvent,
  isOtherThanRefused,
  nextInputs,
  noInputs,
  refusalFor,
  unreadFor,
} from '../../../src/reconcile/inputs.ts';
import { begunIn, nothingUnfinished, unsettledSince } from '../../../src/reconcile/memory.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';
import {
  failedOnRecord,
  failingSince,
  inputsOnRecord,
  isUnreadOnRecord,
} from '../../../src/reconcile/refused-before.ts';
import { nextWait, type Wait, type WaitEvent } from '../../../src/reconcile/wait.ts';

describe('a wait for an observation', () => {
  const idle: Wait = { state: 'idle' };
  const waiting: Wait = { state: 'waiting' };
  const failed: Wait = { state: 'failed', waitError: 'cut' };
  const late = new NonceExpiredError('too late', 'Wait.', { route: 'GET /site/:id' });
  const again: Wait = { state: 'waiting', isAgain: true };

  it.each<[Wait, WaitEvent, Wait]>([
    [idle, { type: 'asked' }, waiting],
    [idle, { type: 'handled' }, idle],
    [waiting, { type: 'asked' }, waiting],
    [waiting, { type: 'observed' }, idle],
    [waiting, { type: 'failed', error: 'cut' }, failed],
    [waiting, { type: 'handled' }, waiting],
    // That it came to its turn too late is told where it is so twice.
    [waiting, { type: 'failed', error: late }, { state: 'idle', isAgain: true }],
    [{ state: 'idle', isAgain: true }, { type: 'asked' }, again],
    [again, { type: 'observed' }, idle],
    [again, { type: 'failed', error: late }, { state: 'failed', waitError: late }],
    // Its failure is not forgotten because a pass that was under way wants to wait, too.
    [failed, { type: 'asked' }, failed],
    [failed, { type: 'handled' }, idle],
  ])('that is $0.state is, once it is $1.type, $2.state', (before, event, after) => {
    expect(nextWait(before, event)).toEqual(after);
  });
});

describe('the inputs of a resource', () => {
  const hold: Hold<FailureReason> = { state: 'Stalled', reason: 'Rejected', message: 'no' };
  const steps = [{ do: 'setIP', fields: ['ipAddress'], changes: [] }];
  const others = [{ do: 'activate', fields: ['activated'], changes: [] }];
  const [stepsText, othersText] = ['[["setIP",["ipAddress"],[]]]', '[["activate",["activated"],[]]]'];
  const inputs: Inputs = { version: 3, gathered: 2, left: stepsText, refusal: undefined, unread: undefined };
  const refusal = { generation: 5, version: 2, left: stepsText, at: 1000, hold, times: 1, isPassing: false };
  const refused: Inputs = { ...inputs, refusal };
  const forNow: Inputs = { ...inputs, refusal: { ...refusal, isPassing: true } };
  const unread = { generation: 5, version: 2, hold, times: 1 };
  const noWait = () => 0;

  it.each<[Inputs, InputsEvent, Inputs]>([
    [inputs, { type: 'changed' }, { ...inputs, version: 4 }],
    [inputs, { type: 'gathering' }, { ...inputs, gathered: 3 }],
    // What is refused is what was gathered: a Secret that changed since was not refused with it.
    [inputs, { type: 'refused', generation: 5, at: 1000, hold, isPassing: false }, refused],
    [inputs, { type: 'refused', generation: 5, at: 1000, hold, isPassing: true }, forNow],
    [
      forNow,
      { type: 'refused', generation: 5, at: 2000, hold, isPassing: true },
      { ...inputs, refusal: { ...refusal, at: 2000, times: 2, isPassing: true } },
    ],
    [
      forNow,
      { type: 'refused', generation: 6, at: 1000, hold, isPassing: true },
      { ...inputs, refusal: { ...refusal, generation: 6, isPassing: true } },
    ],
    [refused, { type: 'changed' }, { ...refused, version: 4 }],
    [refused, { type: 'gathering' }, { ...refused, gathered: 3 }],
    [refused, { type: 'failed', steps: others }, { ...refused, left: othersText }],
    [refused, { type: 'settled' }, inputs],
    [refused, { type: 'unread', generation: 5, hold }, { ...refused, unread }],
    [
      { ...inputs, unread },
      { type: 'unread', generation: 5, hold },
      { ...inputs, unread: { ...unread, times: 2 } },
    ],
    [
      { ...inputs, unread },
      { type: 'unread', generation: 6, hold },
      { ...inputs, unread: { ...unread, generation: 6 } },
    ],
    [{ ...refused, unread }, { type: 'gathered' }, refused],
  ])('%j are, once %j, %j', (before, event, after) => {
    expect(nextInputs(before, event)).toEqual(after);
  });

  it('were refused only for the same spec, and what was gathered then', () => {
    expect([
      refusalFor(refused, 5, steps, 9e9, noWait),
      refusalFor(refused, 6, steps, 1000, noWait),
      refusalFor(nextInputs(refused, { type: 'gathering' }), 5, steps, 1000, noWait),
      refusalFor(inputs, 5, steps, 1000, noWait),
    ]).toEqual([hold, undefined, undefined, undefined]);
  });

  it('are tried again when it is the turn of what was refused for now, and at once with other steps', () => {
    expect([
      refusalFor(forNow, 5, steps, 1200, () => 1500),
      refusalFor(forNow, 5, steps, 1200, noWait),
      refusalFor(forNow, 5, others, 1200, () => 1500),
    ]).toEqual([{ ...hold, retryAfterSeconds: 1.5 }, undefined, undefined]);
  });

  it('are read again when it is the turn of what could not be read, and at once for another spec, or Secret', () => {
    const before: Inputs = { ...inputs, unread };
    expect([
      unreadFor(before, 5, () => 1500),
      unreadFor(before, 5, noWait),
      unreadFor(before, 6, () => 1500),
      unreadFor(nextInputs(before, { type: 'gathering' }), 5, () => 1500),
      unreadFor(inputs, 5, () => 1500),
    ]).toEqual([{ ...hold, retryAfterSeconds: 1.5 }, undefined, undefined, undefined, undefined]);
  });

  it('tell other steps from those that were refused, where this process knows them', () => {
    const before: Inputs = { ...forNow, refusal: { ...refusal, isPassing: true, left: undefined } };
    expect([
      isOtherThanRefused(forNow, steps),
      isOtherThanRefused(forNow, others),
      isOtherThanRefused(before, others),
      isOtherThanRefused(inputs, others),
    ]).toEqual([false, true, false, false]);
  });

  it('are tried with other steps ten minutes after a refusal', () => {
    expect([1000, 601_000].map((now) => refusalFor(refused, 5, others, now, noWait))).toEqual([
      { ...hold, retryAfterSeconds: 600 },
      undefined,
    ]);
  });

  const synced = (reason: string, observedGeneration = 5, message = 'Busy.') => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www', namespace: 'n', uid: 'u', resourceVersion: '1', generation: 5 },
    spec: {},
    status: {
      conditions: [
        {
          type: 'Synced',
          status: 'False' as const,
          reason,
          message,
          observedGeneration,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  });
  const start = { monotonic: 100, wall: Date.parse('2026-01-01T00:17:04Z'), earliest: 0 };

  it('have what an earlier process was refused for now, and how often, whatever it was', () => {
    const held = { state: 'Waiting', reason: 'Conflict', message: 'Busy.', keepsReady: true } as const;
    const before = inputsOnRecord(synced('Conflict'), start);
    expect(before).toEqual({
      ...noInputs,
      refusal: { generation: 5, version: 0, left: undefined, at: 100, hold: held, times: 10, isPassing: true },
    });
    expect([
      refusalFor(before, 5, others, 1200, () => 1500),
      refusalFor(before, 5, others, 1200, noWait),
      nextInputs(before, { type: 'refused', generation: 5, at: 2000, hold, isPassing: true }).refusal?.times,
    ]).toEqual([{ ...held, retryAfterSeconds: 1.5 }, undefined, 11]);
  });

  it.each([
    ['GET /site/1133/acl: a 500', 'ServiceUnavailable', 0.3, 'nothing', true, 'GET /site/1133/acl'],
    ['GET /site/1133/acl: a 500', 'ServiceUnavailable', 3, 'unread', true, 'GET /site/1133/acl'],
    ['GET /site/1133: a 409', 'Conflict', 0.3, 'unread', true, 'GET /site/1133'],
    ['PUT /site/1133: not sent: it fails: a 500', 'ServiceUnavailable', 0.3, 'nothing', false, 'PUT /site/1133'],
    ['PUT /site/1133: not sent: it fails: a 500', 'ServiceUnavailable', 3, 'refusal', false, 'PUT /site/1133'],
    ['PUT /site/1133: a 400', 'Rejected', 3, 'nothing', false, 'PUT /site/1133'],
    ['GET /site: no answer', 'ServiceUnavailable', 3, 'nothing', false, undefined],
    ['GET /site/1133: a 401', 'CredentialsRejected', 3, 'nothing', false, 'GET /site/1133'],
  ])('of a resource with "%s" (%s) for %d hours have: %s', (message, reason, hours, what, isUnread, call) => {
    const object = synced(reason, 5, message);
    const now = { ...start, wall: Date.parse('2026-01-01T00:00:00Z') + hours * 3_600_000 };
    const { refusal, unread } = inputsOnRecord(object, now);
    expect([
      refusal?.hold.message,
      unread?.hold.message,
      isUnreadOnRecord(object),
      failedOnRecord(object, now)?.call,
    ]).toEqual([what === 'refusal' ? message : undefined, what === 'unread' ? message : undefined, isUnread, call]);
  });

  const FIRST = '2026-01-01T00:00:00Z';
  const since = (failing: string, generation = 5, message = 'PUT /site/1133: a 500') => {
    const object = synced('ServiceUnavailable', generation, message);
    return { ...object, status: { ...object.status, failingSince: failing } };
  };
  const paused = synced('Paused', 5, 'Paused.');
  const waits = since(FIRST, 5, 'It waits for its turn.');
  const ready = { ...waits, status: { ...waits.status, conditions: [] } };

  it.each([
    ['has failed before', since(FIRST), FIRST],
    ['was paused before', paused, '2026-01-01T03:00:00Z'],
    ['failed with another spec', since(FIRST, 4), FIRST],
    ['has waited for its turn meanwhile', waits, FIRST],
    ['was Synced before', ready, '2026-01-01T03:00:00Z'],
    ['has failed as an earlier version wrote it', synced('Conflict', 5, 'PUT /site/1133: a 409'), FIRST],
  ])('of a resource that %s say since when it fails', (_, object, told) => {
    const now = Date.parse('2026-01-01T03:00:00Z');
    const of = (next: readonly Condition[]) => failingSince(object, next, now);
    expect([of(since(FIRST).status.conditions), of([])]).toEqual([told, undefined]);
  });

  it.each([
    [FIRST, true, 100 - 3 * 3_600_000],
    ['2026-01-01T02:59:00Z', false, 100 - 60_000],
    ['2027-01-01T00:00:00Z', false, 100],
    ['no time', false, 100],
  ])('of a resource that has failed since %s wait for a turn: %s', (failing, waits, before) => {
    const now = { ...start, wall: Date.parse('2026-01-01T03:00:00Z') };
    expect([inputsOnRecord(since(failing), now).refusal !== undefined, failedOnRecord(since(failing), now)]).toEqual([
      waits,
      { generation: 5, call: 'PUT /site/1133', since: before },
    ]);
  });

  it.each([
    ['failed otherwise', synced('ServiceUnavailable')],
    ['was refused another spec', synced('Conflict', 4)],
  ])('have nothing of an earlier process that %s', (_, object) => {
    expect(inputsOnRecord(object, start)).toEqual(noInputs);
  });

  it('are those of this process once it is tried', () => {
    const tried = nextInputs(inputsOnRecord(synced('Conflict'), start), { type: 'tried', steps: others });
    expect([
      tried.refusal?.left,
      refusalFor(tried, 5, steps, 1200, () => 1500),
      nextInputs(noInputs, { type: 'tried', steps }),
    ]).toEqual([othersText, undefined, noInputs]);
  });

  it('are new until facts were gathered with them', () => {
    expect([hasNewInputs(inputs), hasNewInputs(nextInputs(inputs, { type: 'gathering' }))]).toEqual([true, false]);
  });
});

describe('the observations that count', () => {
  const freshness: Freshness = { notBefore: 1, absentNotBefore: 2, thorough: false };

  it.each<[Freshness, FreshnessEvent, Freshness]>([
    [freshness, { type: 'changed', at: 9 }, { ...freshness, notBefore: 9 }],
    [
      { ...freshness, notBefore: 12 },
      { type: 'changed', at: 9 },
      { ...freshness, notBefore: 12 },
    ],
    [freshness, { type: 'unanswered', until: 9 }, { ...freshness, openUntil: 9 }],
    [
      { ...freshness, openUntil: 12 },
      { type: 'unanswered', until: 9 },
      { ...freshness, openUntil: 12 },
    ],
    [freshness, { type: 'held', heldUntil: 99 }, { ...freshness, heldUntil: 99 }],
    [
      { ...freshness, heldUntil: 102 },
      { type: 'held', heldUntil: 99 },
      { ...freshness, heldUntil: 102 },
    ],
    [freshness, { type: 'taken', generation: 3, at: 9 }, { ...freshness, takenFor: 3, takenAt: 9 }],
    [
      { ...freshness, takenFor: 3, takenAt: 9 },
      { type: 'taken', generation: 3, at: 12 },
      { ...freshness, takenFor: 3, takenAt: 9 },
    ],
    [{ ...freshness, openUntil: 9 }, { type: 'awaited' }, { ...freshness, thorough: true, notBefore: 9 }],
    [freshness, { type: 'awaited' }, { ...freshness, thorough: true }],
    [freshness, { type: 'let go', generation: 3, at: 9 }, { ...freshness, notBefore: 9, letGoFor: 3 }],
    [
      { ...freshness, letGoFor: 3 },
      { type: 'let go', generation: 3, at: 9 },
      { ...freshness, letGoFor: 3 },
    ],
    [freshness, { type: 'unsettled', until: 9 }, { ...freshness, absentNotBefore: 9 }],
    [freshness, { type: 'doubted' }, { ...freshness, thorough: true }],
    [freshness, { type: 'asked', by: 'x', at: 9 }, { ...freshness, notBefore: 9, thorough: true, askedBy: 'x' }],
    // Its own turn to be looked at, which came in the same moment, is no look that was asked for.
    [
      { ...freshness, thorough: true },
      { type: 'asked', by: 'x', at: 9 },
      { ...freshness, notBefore: 9, thorough: true, askedBy: 'x' },
    ],
    [
      { ...freshness, askedBy: 'x' },
      { type: 'asked', by: 'x', at: 9 },
      { ...freshness, thorough: true, askedBy: 'x' },
    ],
    [{ ...freshness, thorough: true }, { type: 'gathered' }, freshness],
  ])('are, of %j, once %j, %j', (before, event, after) => {
    expect(nextFreshness(before, event)).toEqual(after);
  });
});

describe('the corrections that count', () => {
  const hour = 3_600_000;
  const corrections: Corrections = { generation: 2, times: [0, 10] };

  it.each<[Corrections, CorrectionsEvent, Corrections]>([
    [corrections, { type: 'corrected', at: 20 }, { generation: 2, times: [0, 10, 20] }],
    [corrections, { type: 'planned', generation: 2, isAnew: false, at: 20 }, corrections],
    [corrections, { type: 'planned', generation: 2, isAnew: false, at: hour }, { generation: 2, times: [10] }],
    [corrections, { type: 'planned', generation: 3, isAnew: false, at: 20 }, { generation: 3, times: [] }],
    [corrections, { type: 'planned', generation: 2, isAnew: true, at: 20 }, { generation: 2, times: [] }],
  ])('are, of %j, once %j, %j', (before, event, after) => {
    expect(nextCorrections(before, event)).toEqual(after);
  });
});

describe('work over several passes', () => {
  it('is that of the pass that began it, and as old as its first step', () => {
    const begun = begunIn(nothingUnfinished, 7);
    const unsettled = unsettledSince(begun, 100);
    expect([begun, unsettled, begunIn(unsettled, 8), unsettledSince(unsettled, 200)]).toEqual([
      { pass: 7, since: undefined, wrote: false },
      { pass: 7, since: 100, wrote: false },
      { pass: 7, since: 100, wrote: false },
      { pass: 7, since: 100, wrote: false },
    ]);
  });
});
