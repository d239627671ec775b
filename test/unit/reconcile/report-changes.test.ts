import { describe, expect, it } from 'vitest';
import type { WriteReport } from '../../../src/cloud/write-report.ts';
import { type ChangeLine, changeSchema, messageOfChange } from '../../../src/reconcile/change-line.ts';
import { DecisionOutdatedError } from '../../../src/reconcile/guard.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';
import { type Memory, memoryOf } from '../../../src/reconcile/memory.ts';
import type { Plan, Step } from '../../../src/reconcile/plan.ts';
import { createChangeReporter, interruptedLine, type StepReporter } from '../../../src/reconcile/report-changes.ts';
import type { Work } from '../../../src/reconcile/work.ts';

/** As much of a thing as the test plays. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it plays
function partial<T>(value: object): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is missing would throw, and fail the test
  return value as T;
}

const object: ManagedObject = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'Sim',
  metadata: { name: 'truck-17', namespace: 'fleet', uid: 'u', resourceVersion: '1', generation: 3 },
  spec: {},
  status: {
    uid: 'u',
    id: '113300000017',
    ownership: 'Created',
    applied: { ipAddress: '10.0.0.17' },
    conditions: [condition('Synced', 'True', 'Available', 2)],
  },
};

function condition(type: string, status: 'True' | 'False', reason: string, observedGeneration: number) {
  return { type, status, reason, observedGeneration, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

const setIP: Step = {
  do: 'setIP',
  fields: ['ipAddress'],
  changes: [{ field: 'ipAddress', before: '10.0.0.17', after: '10.0.0.18' }],
};
const create: Step = { do: 'create', changes: [] };
const done: WriteReport = {
  route: 'PUT /commonserviceitem/:id/sim/ip',
  request: 'PUT /commonserviceitem/113300000017/sim/ip',
  attempt: 1,
  outcome: 'done',
  status: 200,
  code: undefined,
  serial: undefined,
  milliseconds: 41,
};

function memoryFor(one: ManagedObject): Memory {
  const times = { settleMilliseconds: 0, shownMilliseconds: 0 };
  return memoryOf(one, {
    fields: ['ipAddress'],
    marks: [],
    isHalfWay: () => false,
    times,
    now: { monotonic: 0, wall: 0, earliest: 0 },
  });
}

/** What is told of one step, for which `play` plays the client and the executor. */
function told(step: Step, play: (reporter: StepReporter) => void): ChangeLine[] {
  const lines: ChangeLine[] = [];
  const reporterOf = createChangeReporter({}, { onChange: (line) => void lines.push(line) });
  const accountRef = { kind: 'CloudAccount', name: 'default' } as const;
  const work = partial<Work<ManagedObject>>({ object, accountRef, memory: memoryFor(object) });
  const plan: Plan<Step> = { steps: [step], drift: [], applied: { ipAddress: '10.0.0.18' } };
  play(reporterOf(work, plan).ofStep(step));
  for (const line of lines) changeSchema.strict().parse(line);
  return lines;
}

const line: ChangeLine = {
  schema: 'edgeline.dev/change/v1',
  kind: 'Sim',
  namespace: 'fleet',
  name: 'truck-17',
  uid: 'u',
  generation: 3,
  account: 'CloudAccount/default',
  objectID: '113300000017',
  step: 'setIP',
  operation: 'PUT /commonserviceitem/:id/sim/ip',
  request: 'PUT /commonserviceitem/113300000017/sim/ip',
  attempt: 1,
  fields: [{ field: 'ipAddress', before: '10.0.0.17', after: '10.0.0.18' }],
  cause: 'SpecChanged',
  approval: null,
  afterUnclear: false,
  outcome: 'done',
  status: 200,
  code: null,
  requestID: null,
  durationMs: 41,
};

describe('what is told of a step', () => {
  it('is who, what, why, and what came of it', () => {
    const lines = told(setIP, ({ onWrite, done: end }) => {
      onWrite(done);
      end({});
    });
    expect(lines).toEqual([line]);
    expect(lines.map(messageOfChange)).toEqual(['Sim fleet/truck-17: setIP done, because the spec changed']);
  });

  it('is a line for each request; the same again after one whose outcome is unclear says so', () => {
    const lines = told(setIP, ({ onWrite }) => {
      onWrite({ ...done, outcome: 'unclear', status: undefined });
      onWrite({ ...done, attempt: 2, outcome: 'refused', status: 503, code: 'busy', serial: 's-7' });
      onWrite({ ...done, attempt: 3 });
    });
    expect(lines).toEqual([
      { ...line, outcome: 'unclear', status: null },
      { ...line, attempt: 2, afterUnclear: true, outcome: 'refused', status: 503, code: 'busy', requestID: 's-7' },
      { ...line, attempt: 3 },
    ]);
  });

  it('is of a creation the ID of what it made', () => {
    const lines = told(create, ({ onWrite, done: end }) => {
      onWrite(done);
      end({ id: '113300000099' });
    });
    expect(lines.map(({ objectID, cause }) => [objectID, cause])).toEqual([['113300000099', 'Creation']]);
  });

  it('is of a creation whose answer was of no use that it was made, all the same', () => {
    const lines = told(create, ({ onWrite, failed }) => {
      onWrite(done);
      failed(new Error('no ID'));
    });
    expect(lines).toHaveLength(1);
  });

  it('is that it was held back when nothing was sent, as its decision did not hold any more', () => {
    const lines = told(setIP, ({ failed }) => failed(new DecisionOutdatedError('the resource was paused')));
    const nothing = { operation: null, request: null, attempt: 0, status: null, durationMs: null };
    expect(lines).toEqual([{ ...line, ...nothing, outcome: 'held-back', code: 'DecisionOutdated' }]);
  });

  it('is nothing when nothing was sent for another reason: it waits, and its condition says for what', () => {
    expect(told(setIP, ({ failed }) => failed(new Error('the circuit is open')))).toEqual([]);
  });

  it('is cut where a value is long', () => {
    const long = { ...setIP, changes: [{ field: 'carriers', before: 'none', after: 'x'.repeat(5000) }] };
    const [cut] = told(long, ({ onWrite }) => onWrite(done));
    expect(cut?.fields[0]?.after).toHaveLength(1001);
  });
});

describe('what a process tells of the one before it', () => {
  const pending = (reason: string) => ({
    ...object,
    status: { ...object.status, pending: ['imeiLock'], conditions: [condition('Synced', 'False', reason, 3)] },
  });

  it('is what may have been written and nobody kept the answer of', () => {
    const interrupted = pending('Applying');
    expect(interruptedLine(interrupted, memoryFor(interrupted))).toEqual({
      ...line,
      account: null,
      step: null,
      operation: null,
      request: null,
      attempt: 0,
      fields: [{ field: 'imeiLock', before: 'unknown', after: 'unknown' }],
      cause: 'Interrupted',
      outcome: 'unclear',
      status: null,
      durationMs: null,
    });
  });

  it.each<[string, ManagedObject]>([
    ['what was answered, and be it with a refusal', pending('Rejected')],
    ['what it told itself', pending('OutcomeUnknown')],
    ['what is settled', object],
    ['what nobody has begun', { ...object, status: {} }],
  ])('is nothing of %s', (_, one) => {
    expect(interruptedLine(one, memoryFor(one))).toBeUndefined();
  });

  it('is a creation that may have been sent', () => {
    const { status: _, ...bare } = object;
    const creating = { ...bare, metadata: { ...object.metadata, finalizers: ['edgeline.dev/create'] } };
    expect(interruptedLine(creating, memoryFor(creating))).toMatchObject({
      objectID: null,
      outcome: 'unclear',
      fields: [{ field: 'ipAddress', before: 'unknown', after: 'unknown' }],
    });
  });
});
