import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Carrier } from '../../../../src/cloud/sim/types.ts';
import { readLimit } from '../../../../src/kinds/sim/data-limit.ts';
import type { DesiredSim, GatewayAddress, ObservedSim, SimFacts } from '../../../../src/kinds/sim/facts.ts';
import { planSim, planSimDeletion } from '../../../../src/kinds/sim/plan.ts';
import type { SimApplied, SimSpec } from '../../../../src/kinds/sim/schema.ts';
import type { SimStep } from '../../../../src/kinds/sim/steps.ts';
import type { CommonSpec, Progress } from '../../../../src/reconcile/managed-object.ts';
import { afterPlan, afterStep } from '../../../../src/reconcile/progress.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const gateways: readonly GatewayAddress[] = [
  { id: '1', zone: 'is1a' },
  { id: '2', zone: 'is1b' },
];
const anyGateway = fc.constantFrom(...gateways);
const anyIP = fc.constantFrom('10.0.0.1', '10.0.0.2');
const anyIMEI = fc.constantFrom('356938035643809', '490154203237518');
const anyCarriers = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('KDDI', 'SoftBank', 'NTT DOCOMO'), allow: fc.boolean() }), {
    selector: (carrier) => carrier.name,
    minLength: 1,
  })
  .filter((carriers) => carriers.some((carrier) => carrier.allow));

/** A field of the spec that is not drawn does not compile; the gateway is drawn with its address. */
type Planned = Exclude<keyof SimSpec, keyof CommonSpec | 'iccid' | 'passCodeSecretRef' | 'gatewayRef'>;

const anySpec: fc.Arbitrary<SimSpec> = fc
  .record(
    {
      displayName: fc.constantFrom('truck', 'van'),
      activated: fc.boolean(),
      ipAddress: anyIP,
      imeiLock: anyIMEI,
      carriers: anyCarriers,
      dataLimit: fc.record({
        monthly: fc.constant('1k'),
        action: fc.constantFrom('Warn' as const, 'Deactivate' as const),
      }),
      expectOnlineWithin: fc.constantFrom('30m', '1d'),
    } satisfies Record<Planned, fc.Arbitrary<unknown>>,
    { requiredKeys: [] },
  )
  .map((spec) => ({ iccid: '8981040000000000017', ...spec }));

const appliedFields = {
  displayName: fc.constantFrom('truck', 'van'),
  activated: fc.boolean(),
  gateway: anyGateway,
  ipAddress: anyIP,
  imeiLock: anyIMEI,
  carriers: anyCarriers,
  dataLimit: fc.constant('Deactivated' as const),
} satisfies Record<keyof SimApplied, fc.Arbitrary<unknown>>;
const anyApplied: fc.Arbitrary<SimApplied> = fc.record(appliedFields, { requiredKeys: [] });

const anyObserved: fc.Arbitrary<ObservedSim | undefined> = fc.option(
  fc
    .record({
      name: fc.constantFrom('truck', 'van', 'other'),
      activated: fc.boolean(),
      gateway: fc.option(anyGateway, { nil: undefined }),
      ip: fc.option(anyIP, { nil: undefined }),
      imei: fc.option(anyIMEI, { nil: undefined }),
      carriers: anyCarriers,
    })
    .map(
      ({ gateway, ip, imei, ...rest }): ObservedSim => ({
        id: '113300000001',
        iccid: '8981040000000000017',
        imsi: [],
        availability: 'available',
        registered: gateway !== undefined,
        gateway,
        ip: gateway && ip,
        imeiLocked: imei !== undefined,
        imei,
        ...rest,
      }),
    ),
  { nil: undefined },
);

const anyDialect = fc.constantFrom('Documented' as const, 'Extended' as const);
const FIELDS = Object.keys(appliedFields);
/** A byte more than the limit that is drawn, and one less. */
const anyTraffic = fc.constantFrom(undefined, 999, 1001);

const anyFacts: fc.Arbitrary<SimFacts> = fc
  .record({
    spec: anySpec,
    gateway: fc.option(anyGateway, { nil: undefined }),
    applied: anyApplied,
    pending: fc.subarray(FIELDS),
    observed: anyObserved,
    dialect: anyDialect,
    reconnectAt: fc.option(fc.constant('2026-01-01'), { nil: undefined }),
    bytes: anyTraffic,
  })
  .map(({ spec, gateway, applied, pending, observed, dialect, reconnectAt, bytes }) => {
    const { ipAddress, ...rest } = spec;
    const withGateway = gateway ? { ...rest, gatewayRef: { name: 'gw' }, ...(ipAddress && { ipAddress }) } : rest;
    const desired: DesiredSim = {
      defaultName: 'truck',
      spec: withGateway,
      gateway,
      passCode: { value: new SecretValue('1234') },
      ...(reconnectAt && { reconnectAt }),
    };
    const traffic = bytes === undefined ? undefined : { uplinkBytes: bytes, downlinkBytes: 0 };
    const seen = hideIMEI(observed, dialect);
    const dataLimit = seen && readLimit({ spec, observed: { ...seen, traffic }, recorded: undefined, now: 0 });
    return { desired, applied, pending, observed: seen, ownership: 'Adopted', dialect, now: 0, dataLimit };
  });

/** The Documented dialect shows that a SIM is locked, not to what. */
function hideIMEI(sim: ObservedSim | undefined, dialect: SimFacts['dialect']): ObservedSim | undefined {
  if (!sim || dialect === 'Extended') return sim;
  const { imei: _imei, ...rest } = sim;
  return rest;
}

/** The call replaces the list: a carrier of the SIM that it leaves out is not allowed any more. */
function replaced(carriers: readonly Carrier[], sent: readonly Carrier[]): Carrier[] {
  const names = new Set([...carriers, ...sent].map(({ name }) => name));
  return [...names].map((name) => ({ name, allow: sent.some((carrier) => carrier.name === name && carrier.allow) }));
}

/** What the service does with one call; it throws where the service would refuse. */
function serve(sim: ObservedSim | undefined, step: SimStep, dialect: SimFacts['dialect']): ObservedSim | undefined {
  if (step.do === 'create') {
    expect(sim).toBeUndefined();
    return {
      id: '113300000002',
      name: step.name,
      iccid: '8981040000000000017',
      imsi: [],
      availability: 'available',
      activated: false,
      registered: false,
      imeiLocked: false,
      carriers: ['KDDI', 'SoftBank'].map((name) => ({ name, allow: true })),
    };
  }
  if (!sim) throw new Error(`${step.do} without a SIM`);
  switch (step.do) {
    case 'rename':
      expect(dialect).toBe('Extended');
      return { ...sim, name: step.name };
    case 'setCarriers':
      expect(step.carriers.some((carrier) => carrier.allow)).toBe(true);
      return { ...sim, carriers: replaced(sim.carriers ?? [], step.carriers) };
    case 'activate':
    case 'deactivate':
      return { ...sim, activated: step.do === 'activate' };
    case 'setIP':
      expect(sim.registered).toBe(true);
      return { ...sim, ip: step.ip };
    case 'clearIP':
      expect(sim.registered && sim.ip !== undefined).toBe(true);
      return { ...sim, ip: undefined };
    case 'register':
      expect(sim.registered).toBe(false);
      return { ...sim, registered: true, gateway: step.gateway };
    case 'unregister':
      expect([sim.gateway, sim.ip]).toEqual([step.gateway, undefined]);
      return { ...sim, registered: false, gateway: undefined };
    case 'lockIMEI':
      return { ...sim, imeiLocked: true, ...(dialect === 'Extended' && { imei: step.imei }) };
    case 'unlockIMEI':
      expect(sim.imeiLocked).toBe(true);
      return { ...sim, imeiLocked: false, imei: undefined };
    case 'reconnect':
    case 'noteReconnect':
      return sim;
    case 'delete':
      expect([sim.activated, sim.registered]).toEqual([false, false]);
      return undefined;
  }
}

/** The guard of its spec is at work. */
const isOverLimit = ({ dataLimit }: SimFacts) => dataLimit?.state === 'Exceeded' && dataLimit.stops;

/** Plans and acts, as the engine does, until nothing is left to do. */
function settle(start: SimFacts): { facts: SimFacts; calls: string[] } {
  let facts = start;
  const calls: string[] = [];
  for (let round = 0; round < 4; round++) {
    const plan = planSim(facts);
    let progress: Progress = { applied: facts.applied, found: facts.found, pending: facts.pending, marks: {} };
    if (plan.steps.length === 0) {
      const { applied, pending } = afterPlan(progress, plan);
      return { facts: { ...facts, applied, pending }, calls };
    }
    let { observed } = facts;
    for (const step of plan.steps) {
      observed = serve(observed, step, facts.dialect);
      calls.push(step.do);
      progress = { ...afterStep(progress, plan, step, {}), marks: {} };
    }
    const { reconnectAt: _handled, ...desired } = facts.desired;
    const { applied, found, pending } = progress;
    facts = {
      ...facts,
      applied,
      found,
      pending,
      desired: calls.includes('reconnect') ? desired : facts.desired,
      observed,
    };
  }
  throw new Error(`the plan is not empty after 4 rounds: ${calls.join(', ')}`);
}

describe('the plan of a Sim', () => {
  it('reaches a state whose plan is empty, from anywhere, in at most two rounds of calls the service accepts', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        const { facts, calls } = settle(start);
        expect(calls.length).toBeLessThanOrEqual(10);
        expect(planSim(facts).steps).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('makes the service what the spec says', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        const { spec, gateway } = start.desired;
        const { observed } = settle(start).facts;
        if (spec.activated !== undefined) expect(observed?.activated).toBe(spec.activated && !isOverLimit(start));
        if (gateway) expect(observed?.gateway).toEqual(gateway);
        if (spec.ipAddress !== undefined) expect(observed?.ip).toBe(spec.ipAddress);
        if (spec.imeiLock !== undefined) expect(observed?.imeiLocked).toBe(true);
        for (const carrier of spec.carriers ?? []) expect(observed?.carriers).toContainEqual(carrier);
      }),
      { numRuns: 1000 },
    );
  });

  it('un-sets what was applied and is no longer in the spec', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        const { spec, gateway } = start.desired;
        const was = (field: keyof SimApplied) => start.applied[field] !== undefined || start.pending.includes(field);
        const { observed } = settle(start).facts;
        if (!gateway && was('gateway')) expect(observed?.registered).toBe(false);
        if (spec.activated === undefined && was('activated')) expect(observed?.activated).toBe(false);
        if (spec.imeiLock === undefined && was('imeiLock')) expect(observed?.imeiLocked).toBe(false);
        if (spec.ipAddress === undefined && was('ipAddress')) expect(observed?.ip).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('never leaves a SIM active that is over its limit, and has it afterwards as it would be without the guard', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        if (!start.observed || start.desired.spec.dataLimit?.action !== 'Deactivate') return;
        const { found: _none, ...rest } = start;
        const before = { ...rest, applied: { ...start.applied, dataLimit: undefined }, pending: [] };
        const excess = { month: '1970-01', exceededAt: '1970-01-01T00:00:00Z', bytes: 1001 };
        const over = settle({ ...before, dataLimit: { state: 'Exceeded', excess, stops: true } }).facts;
        expect(over.observed?.activated).toBe(false);
        const after = settle({ ...over, dataLimit: { state: 'Within' } }).facts;
        const without = settle({ ...before, dataLimit: undefined }).facts;
        expect(after.observed?.activated).toBe(without.observed?.activated);
        expect(after.applied.dataLimit).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves alone what is in the spec neither now nor before', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        if (!start.observed) return;
        const facts: SimFacts = {
          ...start,
          applied: {},
          pending: [],
          dataLimit: undefined,
          desired: {
            defaultName: 'truck',
            spec: { iccid: start.desired.spec.iccid },
            gateway: undefined,
            passCode: undefined,
          },
        };
        expect(planSim(facts)).toMatchObject({ steps: [], drift: [], applied: {} });
      }),
    );
  });

  it('leaves alone what was so when it was taken over, and has left the spec', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        if (!start.observed) return;
        // Taken over as it is: nothing is to be written.
        const { activated, ip, gateway, carriers, imei } = start.observed;
        const fresh = { ...start, applied: {}, pending: [], dataLimit: undefined };
        const spec: SimSpec = {
          iccid: start.desired.spec.iccid,
          activated,
          ...(ip !== undefined && { ipAddress: ip }),
          ...(imei !== undefined && { imeiLock: imei }),
          carriers: [...(carriers ?? [])],
        };
        const { reconnectAt: _none, ...desired } = { ...start.desired, spec, gateway };
        const plan = planSim({ ...fresh, desired });
        expect(plan.steps).toEqual([]);
        const adopted: Progress = { id: '1', ownership: 'Adopted', applied: {}, pending: [], marks: {} };
        const { applied, found } = afterPlan(adopted, plan);
        const bare = { ...desired, gateway: undefined, spec: { iccid: spec.iccid } };
        expect(planSim({ ...fresh, applied, found, desired: bare })).toMatchObject({
          steps: [],
          drift: [],
          applied: {},
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('leaves the carriers alone that are in the spec neither now nor before, also of a SIM it creates', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        const born = [
          { name: 'KDDI', allow: true },
          { name: 'SoftBank', allow: true },
        ];
        const before = start.observed ? (start.observed.carriers ?? []) : born;
        const named = [...(start.desired.spec.carriers ?? []), ...(start.applied.carriers ?? [])];
        const facts = { ...start, pending: start.pending.filter((field) => field !== 'carriers') };
        const after = settle(facts).facts.observed?.carriers;
        for (const carrier of before) {
          if (!named.some(({ name }) => name === carrier.name)) expect(after).toContainEqual(carrier);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('says nothing drifts when there is nothing to do', () => {
    fc.assert(
      fc.property(anyFacts, (start) => {
        const plan = planSim(settle(start).facts);
        expect(plan.drift.filter(({ field }) => field !== 'displayName')).toEqual([]);
      }),
    );
  });

  it('deletes from any state with calls the service accepts', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        let { observed } = facts;
        for (const step of planSimDeletion(facts).steps) observed = serve(observed, step, facts.dialect);
        expect(observed).toBeUndefined();
      }),
    );
  });
});
