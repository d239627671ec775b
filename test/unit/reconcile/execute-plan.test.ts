import { describe, expect, it } from 'vitest';
import { ConflictError, OutcomeUnknownError } from '../../../src/cloud/errors.ts';
import type { CallOptions } from '../../../src/cloud/limiter/lanes.ts';
import type { EventRecord } from '../../../src/kubernetes/events.ts';
import type { Engine } from '../../../src/reconcile/engine.ts';
import { createPlanExecutor } from '../../../src/reconcile/execute-plan.ts';
import type { ManagedKind } from '../../../src/reconcile/kind.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { memoryOf, nowOf } from '../../../src/reconcile/memory.ts';
import type { Step } from '../../../src/reconcile/plan.ts';
import { createProgressReporter } from '../../../src/reconcile/report-progress.ts';
import { createUnseenWrites } from '../../../src/reconcile/unseen.ts';
import type { Work } from '../../../src/reconcile/work.ts';
import type { PassOutcome } from '../../../src/reconcile/write-outcome.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** As much of a thing as the test plays. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it plays
function partial<T>(value: object): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  return value as T;
}

const MOMENT = 5000;

/** Of a later generation than was carried out, the spec changed; otherwise somebody else changed the site. */
interface Circumstances {
  readonly marks?: Step['marks'];
  readonly generation?: number;
  /** Of a plan that a person approved. */
  readonly hash?: string;
  /** Why it is not Ready, as its status says; undefined: it is, and shares an hour with others. */
  readonly waits?: string;
}

/** A site that is Ready and is to be changed, by a call that does what `act` does. Says what its status is told. */
function change(
  act: (call: CallOptions, clock: ManualClock) => Promise<void>,
  { marks = {}, generation = 1, hash, waits }: Circumstances = {},
) {
  const clock = new ManualClock();
  const resetsAt = clock.now() + 600_000;
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Available',
    message: '',
    observedGeneration: 1,
    lastTransitionTime: '',
  } as const;
  const waiting = (['Ready', 'Synced', 'Reconciling'] as const).map((type) => ({
    ...ready,
    type,
    status: type === 'Reconciling' ? ('True' as const) : ('False' as const),
    reason: waits ?? '',
  }));
  const conditions = waits === undefined ? [ready] : waiting;
  const object: ManagedObject = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'one', namespace: 'a', uid: 'b', resourceVersion: '1', generation },
    spec: {},
    status: { id: '113300000001', observedGeneration: 1, conditions, applied: { vary: true } },
  };
  const told: string[] = [];
  const recorded: EventRecord[] = [];
  const kind = partial<ManagedKind<ManagedObject, object, Step>>({
    definition: { kind: 'WebAccelSite' },
    sharesHour: waits === undefined,
    describe: () => 'changed it',
    act: async (_step: Step, _id: string, pass: { call(lane: string): CallOptions }) => {
      await act(pass.call('write'), clock);
      return {};
    },
  });
  const engine = partial<Engine>({
    clock,
    time: { latest: () => clock.now(), earliest: () => clock.now() },
    momentMilliseconds: MOMENT,
    events: { record: (event: EventRecord) => recorded.push(event) },
    log: { info: () => undefined },
    onDrift: () => undefined,
    onChange: () => undefined,
  });
  const options = {
    kind,
    informer: partial<Parameters<typeof createProgressReporter>[0]['informer']>({ get: () => object }),
    engine,
    putOnRecord: async () => undefined,
    writeOutcome: async (
      _object: ManagedObject,
      _memory: object,
      outcome: Pick<PassOutcome<object, Step>, 'queued' | 'hold'>,
    ) => {
      const { queued, hold } = outcome;
      told.push(`${clock.monotonic() / 1000} s: ${queued ? 'queued' : 'under way'}${hold ? ' for the hour' : ''}`);
    },
  };
  const execute = createPlanExecutor({
    ...options,
    report: createProgressReporter(options),
    unseen: createUnseenWrites(clock),
  });
  const times = { settleMilliseconds: 0, shownMilliseconds: 0 };
  const memory = memoryOf(object, {
    fields: ['vary'],
    marks: Object.keys(marks),
    isHalfWay: () => false,
    times,
    now: nowOf(engine),
  });
  const work = partial<Work<ManagedObject>>({
    object,
    memory,
    session: {
      changes: { note: () => undefined },
      hourFor: () => ({ used: 17, limit: 17, most: 17, reads: 15, opensAt: resetsAt }),
    },
    slot: { number: 1, wait: () => () => undefined },
    check: () => undefined,
  });
  const steps: Step[] = [{ do: 'update', fields: ['vary'], changes: [], marks }];
  const plan = { steps, applied: { vary: generation === 1 }, drift: [] };
  const digests = new Map(hash === undefined ? [] : steps.map((step) => [step, 'digest']));
  return { clock, told, recorded, memory, done: execute(work, {}, { plan, hash, digests }) };
}

it('what was challenged and waits for its turn again, as the hour is used up, says so and no more that it is under way', async () => {
  const { clock, told, done } = change(async (call, time) => {
    call.onQueued?.();
    call.onSent?.();
    await time.sleep(6000);
    call.onQueued?.();
    await time.sleep(8000);
    call.onSent?.();
    await time.sleep(4000);
  });
  await clock.advance(60_000);
  await expect(done).resolves.toBeUndefined();
  expect(told).toEqual(['5 s: under way', '10 s: queued for the hour', '15 s: under way']);
});

it.each([
  ['AccountNotReady', ['5 s: under way']],
  ['ApprovalPending', ['5 s: under way']],
  ['Applying', []],
  ['Queued', []],
  ['Conflict', []],
])('what is not Ready, and says %s, says once that it is being worked on, unless it does', async (waits, expected) => {
  const act = async (call: CallOptions, time: ManualClock) => {
    call.onSent?.();
    await time.sleep(18_000);
  };
  const { clock, told, done } = change(act, { waits });
  await clock.advance(60_000);
  await expect(done).resolves.toBeUndefined();
  expect(told).toEqual(expected);
});

describe('what was put on record for a step', () => {
  const details = { route: 'PUT /appliance/:id', status: 409 };
  it.each([
    {
      what: 'is taken back when the service refused it',
      error: new ConflictError('still_creating', '', details),
      marks: {},
    },
    {
      what: 'stays when nobody knows what came of it',
      error: new OutcomeUnknownError('no answer', '', { route: details.route }),
      marks: { configPending: true },
    },
  ])('$what', async ({ error, marks }) => {
    const { done, memory } = change(
      async (call) => {
        call.onSent?.();
        throw error;
      },
      { marks: { configPending: true } },
    );
    await expect(done).resolves.toMatchObject({ error });
    expect(memory.progress.marks).toEqual(marks);
  });
});

describe('the event of what was done', () => {
  it.each<[string, Circumstances, string, string | undefined]>([
    ['is routine where the spec changed', { generation: 2 }, 'Updated', 'Updated for SpecChanged'],
    ['is not where a person approved it', { generation: 2, hash: 'abc' }, 'Updated', undefined],
    ['is not where somebody else had changed it', {}, 'DriftCorrected', undefined],
  ])('%s', async (_, circumstances, reason, routine) => {
    const { done, recorded } = change(async (call) => call.onSent?.(), circumstances);
    await expect(done).resolves.toBeUndefined();
    expect(recorded.map((event) => [event.reason, event.routine])).toEqual([[reason, routine]]);
  });
});
