import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AgedGrant,
  brakeOf,
  COUNTED_MILLISECONDS,
  countOf,
  counts,
  heldTimes,
  isGood,
  limitOf,
  type Waiting,
} from '../../../../src/kinds/cloud-account/brake-rule.ts';

const MINUTE = 60_000;
const usual = { perHour: 10, percent: 50 };

function waiting(count: number, more: Partial<Waiting> = {}): Waiting[] {
  return Array.from({ length: count }, (_, index) => ({ key: `sim-${index}`, askedAt: 0, isHeld: false, ...more }));
}

function granted(count: number, more: Partial<AgedGrant> = {}): AgedGrant[] {
  return Array.from({ length: count }, (_, index) => ({
    action: 'Deletion',
    namespace: 'fleet',
    key: `gone-${index}`,
    at: 0,
    age: MINUTE,
    ...more,
  }));
}

const present = (count: number) => new Set(Array.from({ length: count }, (_, index) => `sim-${index}`));

describe('how many deletions an hour may be', () => {
  test.each([
    [1, 3],
    [3, 3],
    [4, 3],
    [7, 3],
    [8, 4],
    [10, 5],
    [20, 10],
    [1000, 10],
  ])('of %i SIMs and gateways: %i', (total, limit) => {
    expect(limitOf(usual, total)).toBe(limit);
  });

  test('of gateways to create ten, whatever there is', () => {
    expect(limitOf({ perHour: 10, percent: undefined }, 1)).toBe(10);
  });

  test.each([
    [undefined, 'Deletion', usual],
    [{}, 'Deletion', usual],
    [{ deletions: { maxPerHour: 2 } }, 'Deletion', { perHour: 2, percent: 50 }],
    [{ deletions: { maxPercent: 100 } }, 'Deletion', { perHour: 10, percent: 100 }],
    [{ deletions: { policy: 'Allow' } }, 'Deletion', undefined],
    [{ deletions: { policy: 'Allow' } }, 'Creation', { perHour: 10, percent: undefined }],
    [{ gatewayCreations: { policy: 'Allow' } }, 'Creation', undefined],
    [{ gatewayCreations: { policy: 'Hold', maxPerHour: 3 } }, 'Creation', { perHour: 3, percent: undefined }],
  ] as const)('spec.brakes %j, %s: %j', (brakes, action, expected) => {
    expect(brakeOf({ brakes }, action)).toEqual(expected);
  });
});

describe('what counts', () => {
  test.each([
    ['the last of three in an account of three', 1, 2, 1, false],
    ['five of ten', 5, 0, 10, false],
    ['six of ten', 6, 0, 10, true],
    ['ten of a thousand', 10, 0, 1000, false],
    ['all of a thousand', 1000, 0, 1000, true],
    ['one after ten', 1, 10, 990, true],
    ['all of four', 4, 0, 4, true],
    ['nothing', 0, 10, 990, false],
  ])('%s', (_, asked, done, there, isOver) => {
    const census = { waiting: waiting(asked), present: present(there) };
    expect(countOf(usual, granted(done), census).isOver).toBe(isOver);
  });

  test('what was let through and still waits counts once', () => {
    const grants = granted(1, { key: 'sim-0' });
    expect(countOf(usual, grants, { waiting: waiting(2), present: present(10) })).toEqual({
      waiting: 1,
      done: 1,
      total: 10,
      limit: 5,
      among: 2,
      isOver: false,
    });
  });

  test.each([
    ['of more than may go', 20, true],
    ['of as many as may go by now', 5, false],
  ])('what is held as one %s is held by that, however few are left', (_, heldAmong, isOver) => {
    const [one] = waiting(1);
    if (!one) return;
    const held = [{ ...one, isHeld: true, heldAmong }];
    expect(countOf(usual, [], { waiting: held, present: present(10) })).toMatchObject({ waiting: 1, isOver });
  });

  test('what was let through counts for an hour after it may have been sent last', () => {
    const [grant] = granted(1, { age: COUNTED_MILLISECONDS - 1 });
    if (!grant) return;
    expect(counts(grant, [])).toBe(true);
    expect(counts({ ...grant, age: COUNTED_MILLISECONDS }, [])).toBe(false);
  });

  test.each([
    ['held, asked for within the hour', { isHeld: true, askedAt: 5 * MINUTE }, true],
    ['not held', { isHeld: false, askedAt: 5 * MINUTE }, false],
    ['held, asked for much later', { isHeld: true, askedAt: 300 * MINUTE }, false],
  ])('and as long as something waits that is %s: %j', (_, one, expected) => {
    const [grant] = granted(1, { age: 1000 * MINUTE });
    expect(grant && counts(grant, heldTimes(waiting(1, one)))).toBe(expected);
  });

  test('it may be sent for ten minutes', () => {
    expect(granted(1, { age: 10 * MINUTE - 1 }).map(isGood)).toEqual([true]);
    expect(granted(1, { age: 10 * MINUTE }).map(isGood)).toEqual([false]);
  });
});

/** An hour and more of people who delete, and of an operator that asks one by one. */
const moments = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 20 * MINUTE }), asked: fc.integer({ min: 0, max: 15 }) }),
  { maxLength: 40 },
);

test('never are more let through in an hour than the limit, whoever asks and when', () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 20 }), (steps, perHour) => {
      const brake = { perHour, percent: undefined };
      let now = 0;
      let number = 0;
      let grants: { key: string; at: number }[] = [];
      let asking: Waiting[] = [];
      const sent: number[] = [];
      for (const { after, asked } of steps) {
        now += after;
        for (let index = 0; index < asked; index++) asking.push({ key: `${number++}`, askedAt: now, isHeld: false });
        for (const one of asking) {
          const aged = grants.map(
            (grant) => ({ ...grant, age: now - grant.at, action: 'Deletion', namespace: '' }) as const,
          );
          const { isOver } = countOf(brake, aged, { waiting: asking, present: new Set() });
          if (isOver) continue;
          grants = [...grants, { key: one.key, at: now }];
          sent.push(now);
          asking = asking.filter((other) => other !== one);
        }
        asking = asking.map((one) => ({ ...one, isHeld: true }));
      }
      for (const first of sent) {
        expect(sent.filter((at) => at >= first && at < first + 60 * MINUTE).length).toBeLessThanOrEqual(perHour);
      }
    }),
  );
});
