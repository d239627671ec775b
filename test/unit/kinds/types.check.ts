import { assertType } from 'vitest';
import { dialectOf } from '../../../src/cloud/dialect.ts';
import { createAuthenticator } from '../../../src/cloud/http/authenticator.ts';
import type { Each } from '../../../src/cloud/list/page.ts';
import type { AccountHold } from '../../../src/kinds/cloud-account/reasons.ts';
import type { Planners } from '../../../src/kinds/common/combine.ts';
import type { SimFacts } from '../../../src/kinds/sim/facts.ts';
import { createSimKind } from '../../../src/kinds/sim/kind.ts';
import { simPlanners } from '../../../src/kinds/sim/plan.ts';
import type { OwnReason, SimHold } from '../../../src/kinds/sim/reasons.ts';
import type { Sim, SimApplied, SimMark } from '../../../src/kinds/sim/schema.ts';
import type { SimPart, SimStep } from '../../../src/kinds/sim/steps.ts';
import type { ManagedKind, Pass } from '../../../src/reconcile/kind.ts';
import type { Observed } from '../../../src/reconcile/managed-object.ts';
import type { Hold } from '../../../src/reconcile/plan.ts';

/**
 * What must not compile. `tsc` (npm run check) refuses a directive below that expects an error where there is none, so each
 * is a test of the types. Nothing of it is run.
 */
type SimKind = ManagedKind<Sim, SimFacts, SimStep, SimMark, SimHold['reason'], OwnReason>;
declare const kind: SimKind;
declare const shown: Observed<Sim, SimMark>;
declare const pass: Pass<Sim>;
declare const facts: SimFacts;

/** Names a case; the compiler has looked at it already. */
function notCompiling(_what: string, _case: () => void): void {}

notCompiling('a misspelled field of the status', () => {
  const { sessionStatus, ...others } = shown;
  // @ts-expect-error -- no status has this
  assertType<Observed<Sim, SimMark>>({ ...others, sesionStatus: sessionStatus });
  assertType<SimKind>({
    ...kind,
    // @ts-expect-error -- the true field is missing
    observed: () => ({ ...others, sesionStatus: sessionStatus }),
  });
});

notCompiling('a field of the status that nobody observes', () => {
  const { ip: _ip, ...others } = shown;
  // @ts-expect-error -- each field has to be there, be it undefined
  assertType<Observed<Sim, SimMark>>(others);
});

notCompiling('a member that is forgotten or misspelled where a part of the status is filled in', () => {
  type Lock = NonNullable<Sim['status']>['imeiLock'] & object;
  assertType<Each<Lock>>({ locked: true, imei: undefined });
  // @ts-expect-error -- the service may show the IMEI, too
  assertType<Each<Lock>>({ locked: true });
  // @ts-expect-error -- there is no such member
  assertType<Each<Lock>>({ locked: true, imie: undefined });
});

notCompiling('a mark or a field of the operator among what was observed', () => {
  // @ts-expect-error -- marks come from the progress
  assertType<Observed<Sim, SimMark>>({ ...shown, lastHandledReconnectAt: '' });
  // @ts-expect-error -- so does what was applied
  assertType<Observed<Sim, SimMark>>({ ...shown, applied: {} });
});

notCompiling('a misspelled mark', () => {
  // @ts-expect-error -- the status has no such field
  assertType<SimKind['marks']>(['lastHandledReconectAt']);
  // @ts-expect-error -- nor has the progress
  assertType<unknown>(pass.progress.marks.lastHandledReconectAt);
  assertType<SimKind>({
    ...kind,
    // @ts-expect-error -- nor may a step set it
    act: async () => ({ marks: { lastHandledReconectAt: '' } }),
  });
  // @ts-expect-error -- a mark is a field of the status
  assertType<ManagedKind<Sim, SimFacts, SimStep, 'lastHandledReconectAt'> | undefined>(undefined);
});

notCompiling('a reason that is not documented', () => {
  // @ts-expect-error -- no page explains it
  assertType<SimHold>({ state: 'Waiting', reason: 'NoSuchReason', message: '' });
  const hold = { state: 'Waiting', reason: 'NoSuchReason', message: '' } as const;
  assertType<SimKind>({
    ...kind,
    // @ts-expect-error -- neither where gathering ends
    gather: async () => ({ hold }),
    // @ts-expect-error -- nor in a plan
    plan: (known: SimFacts) => ({ ...kind.plan(known), hold }),
    // @ts-expect-error -- nor in what is told of Ready
    impairment: () => hold,
    // @ts-expect-error -- nor in a condition of its own
    own: { Online: () => ({ status: 'False', reason: 'NoSuchReason', message: '' }) },
  });
  // @ts-expect-error -- nor in a part of a plan
  assertType<SimPart>({ unsynced: hold });
  // @ts-expect-error -- nor of an account
  assertType<AccountHold>(hold);
  // @ts-expect-error -- and a function that gives a hold says which reasons it may have
  assertType<(hold: Hold) => void>(() => {});
});

notCompiling('an applied field that nothing plans', () => {
  type More = SimApplied & { voltage?: number };
  // @ts-expect-error -- nothing plans `voltage`
  assertType<Planners<More, [SimFacts, never], SimPart>>(simPlanners);
  const { imeiLock: _planner, ...others } = simPlanners;
  // @ts-expect-error -- nothing plans `imeiLock`
  assertType<typeof simPlanners>(others);
});

notCompiling('a planner of another field', () => {
  const planName = (): SimPart<'displayName'> => ({});
  // @ts-expect-error -- it plans the name
  assertType<typeof simPlanners>({ ...simPlanners, activated: planName });
});

notCompiling('a field that the resource does not apply', () => {
  // @ts-expect-error -- there is no such field
  assertType<SimKind['fields']>(['voltage']);
  // @ts-expect-error -- a step has no such field either
  assertType<SimStep>({ do: 'activate', changes: [], fields: ['voltage'] });
  // @ts-expect-error -- nor has what is recorded
  assertType<unknown>(pass.progress.applied.voltage);
  // @ts-expect-error -- nor is it due
  assertType<unknown>(kind.impairment(facts, (field) => field === 'voltage'));
});

notCompiling('a step that lacks what it needs', () => {
  // @ts-expect-error -- a SIM is registered with its pass code
  assertType<SimStep>({ do: 'create', changes: [], name: 'truck', iccid: '8981040000000000017' });
  // @ts-expect-error -- to create is not to act on what is there
  assertType<unknown>(kind.act({ do: 'create', changes: [], name: 'truck' }, '1', pass));
  // @ts-expect-error -- what is acted on has an ID
  assertType<unknown>(kind.act({ do: 'activate', changes: [] }, undefined, pass));
});

notCompiling('a step that does not say what it changes, or why in other words', () => {
  // @ts-expect-error -- the log of changes would have nothing to say of it
  assertType<SimStep>({ do: 'activate', fields: ['activated'] });
  // @ts-expect-error -- there is no such cause
  assertType<SimStep>({ do: 'activate', changes: [], cause: 'Whim' });
  // @ts-expect-error -- nothing outside of the spec is wanted of a field that there is not
  assertType<SimKind['outside']>({ voltage: 'SecretChanged' });
});

notCompiling('another way of authenticating, or another dialect', () => {
  const credentials = { accessToken: '', accessTokenSecret: '' };
  // @ts-expect-error -- there are two
  assertType<unknown>(createAuthenticator('Bearer', credentials, () => 'nonce'));
  // @ts-expect-error -- there are two
  assertType<unknown>(dialectOf('Undocumented'));
});

notCompiling('a kind of its own types is one the engine takes', () => {
  assertType<(sources: never) => ManagedKind<Sim, SimFacts, SimStep>>(createSimKind);
});
