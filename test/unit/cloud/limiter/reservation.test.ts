import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClosedMeanwhileError, type Permit } from '../../../../src/cloud/limiter/gate.ts';
import { createLimiter, type RestoredBudget } from '../../../../src/cloud/limiter/limiter.ts';
import { createReservation, RESERVATION_VALID_MILLISECONDS } from '../../../../src/cloud/limiter/reservation.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';

const hour = 3_600_000;
const limits = (perHour: number) => ({
  webAccelRequestsPerHour: perHour,
  cloudRequestsPerSecond: 5,
  webAccelReservedForWrites: 0,
  isShared: true,
});

/** Whether a request goes by what it was let go by, as it is sent. */
function leaves(permit: Permit): boolean {
  try {
    permit.sent();
    return true;
  } catch (error) {
    if (error instanceof ClosedMeanwhileError) return false;
    throw error;
  }
}

/** A process that keeps its budget on record as the account's status does, until it is killed. */
function startProcess(
  clock: ManualClock,
  perHour: number,
  disk: { record?: RestoredBudget | undefined },
  sent: number[],
) {
  let alive = true;
  let wanted = false;
  const limiter = createLimiter({
    clock,
    limits: limits(perHour),
    ...(disk.record && { restored: disk.record }),
    onRecordWanted: () => (wanted = true),
  });
  return {
    limiter,
    /** Stores a record, as a pass of the account does; the store may be killed before its answer. */
    async store(answered: boolean, takes: number) {
      if (!wanted || !alive) return;
      const { used, reserved, confirm } = limiter.record();
      const at = clock.now();
      await clock.sleep(takes);
      if (!alive) return;
      // Written in whole seconds, read back as the last moment it may mean.
      disk.record = { used, reserved, at: Math.floor(at / 1000) * 1000 + 1000 };
      if (!answered) return;
      wanted = false;
      confirm();
    },
    /** The connection may take a while until the request is written. */
    async send(connects = 0, signal?: AbortSignal, party = 'one') {
      const permit = await limiter.acquire('webaccel', 'upload', signal, undefined, party).catch(() => undefined);
      if (!permit) return;
      if (connects > 0) await clock.sleep(connects);
      if (!alive) return;
      const isSent = leaves(permit);
      if (isSent) sent.push(clock.monotonic());
      permit.release();
      if (!isSent) await this.send(connects, signal, party);
    },
    kill: () => (alive = false),
    /** Gives back what is on record for requests to come, as at a regular end; it may be killed before that is stored. */
    end(isStored: boolean) {
      limiter.forgetRecord();
      const { used, reserved } = limiter.record();
      if (isStored) disk.record = { used, reserved, at: Math.floor(clock.now() / 1000) * 1000 + 1000 };
    },
  };
}

describe('requests before they are on record', () => {
  it('wait until a record covers them, and then go', async () => {
    const clock = new ManualClock();
    const sent: number[] = [];
    const disk = {};
    const running = startProcess(clock, 500, disk, sent);
    const sending = running.send();
    await clock.advance(60_000);
    expect(sent).toEqual([]);
    void running.store(true, 10);
    await clock.advance(10);
    await sending;
    expect({ sent, disk }).toEqual({
      sent: [60_010],
      disk: { record: { used: 0, reserved: 3, at: clock.now() + 990 } },
    });
  });

  it('are covered for five minutes only', async () => {
    const clock = new ManualClock();
    const sent: number[] = [];
    const running = startProcess(clock, 500, {}, sent);
    void running.send();
    await settle();
    void running.store(true, 0);
    await clock.advance(5 * 60_000 + 1000);
    void running.send();
    await clock.advance(1000);
    expect(sent).toHaveLength(1);
  });

  it('cost nothing when a process dies before it sends any', async () => {
    const clock = new ManualClock();
    const disk: { record?: RestoredBudget } = {};
    for (let start = 0; start < 100; start++) startProcess(clock, 500, disk, []).kill();
    expect(disk).toEqual({});
  });

  it('cost a process that is killed at rest two, and one that ends regularly none', async () => {
    const clock = new ManualClock();
    const sent: number[] = [];
    const disk: { record?: RestoredBudget } = {};
    const booked = () =>
      createLimiter({ clock, limits: limits(500), ...(disk.record && { restored: disk.record }) }).budget().used;
    const running = startProcess(clock, 500, disk, sent);
    for (let n = 0; n < 40; n++) void running.send();
    for (let n = 0; n < 20; n++) {
      await settle();
      void running.store(true, 10);
      await clock.advance(2000);
    }
    const killed = booked();
    running.end(true);
    expect({ sent: sent.length, killed, ended: booked() }).toEqual({ sent: 40, killed: 42, ended: 40 });
  });

  it('are no more than a smaller record covers, from before it is stored', () => {
    const reservation = createReservation(() => undefined);
    reservation.offer(0, { waiting: 30, spare: 2, room: 500 }).confirm();
    reservation.taken();
    expect([
      reservation.remaining(0),
      reservation.offer(0, { waiting: 0, spare: 2, room: 500 }).reserved,
      reservation.remaining(0),
    ]).toEqual([31, 2, 2]);
  });

  it('are never booked beyond the limit', async () => {
    const clock = new ManualClock();
    const disk: { record?: RestoredBudget } = {};
    const running = startProcess(clock, 12, disk, []);
    for (let n = 0; n < 40; n++) void running.send();
    for (let n = 0; n < 20; n++) {
      await settle();
      void running.store(true, 10);
      await clock.advance(2000);
    }
    running.kill();
    expect((disk.record?.used ?? 0) + (disk.record?.reserved ?? 0)).toBe(12);
  });

  it('are never more than the limit in any rolling hour, whenever processes are killed', async () => {
    const life = fc.record({
      sends: fc.integer({ min: 0, max: 25 }),
      stores: fc.array(
        fc.record({
          answered: fc.boolean(),
          takes: fc.integer({ min: 0, max: 3000 }),
          pause: fc.integer({ min: 0, max: 20_000 }),
        }),
        { maxLength: 4 },
      ),
      /** Time without a record, and what is asked for then. */
      idle: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 400_000 })),
      more: fc.integer({ min: 0, max: 25 }),
      /** When those that wait give up, among the stores. */
      giveUp: fc.integer({ min: 0, max: 5 }),
      connects: fc.constantFrom(0, 0, 50, 10_000),
      ends: fc.constantFrom('killed', 'ends', 'ends and is killed before that is stored'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 12, max: 40 }),
        fc.array(life, { minLength: 3, maxLength: 25 }),
        async (perHour, lives) => {
          const clock = new ManualClock();
          const sent: number[] = [];
          const disk: { record?: RestoredBudget } = {};
          for (const { sends, stores, idle, more, giveUp, connects, ends } of lives) {
            const running = startProcess(clock, perHour, disk, sent);
            const patience = new AbortController();
            for (let n = 0; n < sends; n++) void running.send(connects, patience.signal, n % 3 === 0 ? 'one' : 'other');
            for (const [index, { answered, takes, pause }] of stores.entries()) {
              await settle();
              if (index === giveUp) {
                patience.abort();
                for (let n = 0; n < more; n++) void running.send(connects);
              }
              void running.store(answered, takes);
              await clock.advance(takes + pause);
            }
            await clock.advance(idle);
            for (let n = 0; n < more; n++) void running.send(connects);
            await clock.advance(2000);
            if (ends !== 'killed') running.end(ends === 'ends');
            if (ends !== 'killed') await clock.advance(connects);
            running.kill();
          }
          for (const [index, time] of sent.entries()) {
            const inHour = sent.slice(index).filter((other) => other <= time + hour).length;
            expect(inHour).toBeLessThanOrEqual(perHour);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

it('what was let go under a record waits again if that is gone before it is sent, and nothing goes that is on none', async () => {
  const clock = new ManualClock();
  const limiter = createLimiter({ clock, limits: limits(500), onRecordWanted: () => {} });
  limiter.acquireNow('webaccel', 'write', 'one');
  limiter.record().confirm();
  const first = limiter.acquireNow('webaccel', 'write', 'one');
  limiter.forgetRecord();
  expect(() => first?.sent()).toThrow(ClosedMeanwhileError);
  first?.release();
  expect([limiter.budget().used, limiter.acquireNow('webaccel', 'write', 'one')]).toEqual([0, undefined]);

  limiter.record().confirm();
  const second = limiter.acquireNow('webaccel', 'write', 'one');
  await clock.advance(RESERVATION_VALID_MILLISECONDS + 1000);
  second?.sent();
  expect(limiter.budget().used).toBe(1);
});

describe('a record whose answer is late', () => {
  it.each(['another was stored over it', 'it was forgotten'])(
    'opens nothing that is not on record: %s',
    async (how) => {
      const clock = new ManualClock();
      const gone = new AbortController();
      const limiter = createLimiter({ clock, limits: limits(500), onRecordWanted: () => {} });
      for (let index = 0; index < 38; index++) {
        limiter.acquire('webaccel', 'write', gone.signal, undefined, 'one').catch(() => undefined);
      }
      const first = limiter.record();
      gone.abort(new Error('nobody wants it any more'));
      await settle();
      let onRecord = 0;
      if (how === 'it was forgotten') limiter.forgetRecord();
      else {
        const second = limiter.record();
        second.confirm();
        onRecord = second.used + second.reserved;
      }
      first.confirm();
      let sent = 0;
      async function send(): Promise<void> {
        const permit = await limiter.acquire('webaccel', 'write', undefined, undefined, 'one');
        permit.sent();
        permit.release();
        sent++;
      }
      for (let index = 0; index < 40; index++) void send();
      await settle();
      await clock.advance(30_000);
      expect(sent).toBeLessThanOrEqual(onRecord);
    },
  );
});

it('what waits for reads is not put on record beyond their part: crashes while they wait leave changes theirs', async () => {
  const clock = new ManualClock();
  const shared = { webAccelRequestsPerHour: 500, cloudRequestsPerSecond: 5, isShared: true };
  let restored: RestoredBudget & { reserved: number } = { used: 440, reserved: 0, at: clock.now() };
  for (let life = 0; life < 4; life++) {
    const limiter = createLimiter({ clock, limits: shared, onRecordWanted: () => {}, restored });
    for (let index = 0; index < 60; index++) {
      void limiter.acquire('webaccel', 'audit', undefined, undefined, `namespace-${index % 3}`);
    }
    void limiter.acquire('webaccel', 'write', undefined, undefined, 'another');
    await settle();
    const { used, reserved } = limiter.record();
    restored = { used, reserved, at: clock.now() };
    await clock.advance(10_000);
  }
  expect(restored.used + restored.reserved).toBeLessThan(470);
});
