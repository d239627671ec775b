import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planGateway, planGatewayDeletion } from '../../../../src/kinds/mobile-gateway/plan.ts';
import type { GatewaySpec } from '../../../../src/kinds/mobile-gateway/schema.ts';
import { type GatewayApplied, gatewayApplied } from '../../../../src/kinds/mobile-gateway/status-schema.ts';
import { type CommonSpec, type Progress, wasApplied } from '../../../../src/reconcile/managed-object.ts';
import { afterPlan, afterStep, aheadOf, mustBeStored } from '../../../../src/reconcile/progress.ts';
import { type Dialect, factsOf, resultOf, type Stored, serve } from './model.ts';

const FIELDS = gatewayApplied.keyof().options;
const UNSET: Record<string, unknown> = {
  internetConnection: false,
  interDeviceCommunication: false,
  privateInterface: null,
  staticRoutes: [],
};

const anyInterface = fc.constantFrom(
  { ipAddress: '10.0.0.1', networkMaskLength: 24 },
  { ipAddress: '10.1.0.1', networkMaskLength: 16 },
);
const anyStaticRoutes = fc.uniqueArray(
  fc.record({
    prefix: fc.constantFrom('192.168.10.0/24', '192.168.11.0/24'),
    nextHop: fc.constantFrom('10.0.0.254', '10.0.0.253'),
  }),
  { selector: (route) => route.prefix },
);
const anyDNS = fc.constantFrom(
  { primary: '8.8.8.8', secondary: '8.8.4.4' },
  { primary: '1.1.1.1', secondary: '1.0.0.1' },
);
const anyPrefix = fc.constantFrom('192.168.20.0/24', '192.168.21.0/24');
const anySim = fc.constantFrom('sim-a', 'sim-b', 'sim-c');
const anyMonitoring = fc.record(
  {
    quotaMB: fc.constantFrom(100, 200),
    autoTrafficShaping: fc.boolean(),
    bandwidthLimitKbps: fc.constantFrom(64, 128),
    email: fc.boolean(),
    chatWebhookSecretRef: fc.constant({ name: 'chat', key: 'url' }),
  },
  { requiredKeys: ['quotaMB'] },
);

/** As the apiserver lets it through: no static routes without an interface. */
/** A field of the spec that is not drawn does not compile; the others cannot be changed. */
type Planned = Exclude<keyof GatewaySpec, keyof CommonSpec | 'zone' | 'displayName' | 'planID'>;

const anySpec: fc.Arbitrary<GatewaySpec> = fc
  .record(
    {
      internetConnection: fc.boolean(),
      interDeviceCommunication: fc.boolean(),
      privateInterface: anyInterface,
      staticRoutes: anyStaticRoutes,
      dns: anyDNS,
      simRoutes: fc.uniqueArray(fc.record({ prefix: anyPrefix, simRef: fc.record({ name: anySim }) }), {
        selector: (route) => route.prefix,
      }),
      trafficMonitoring: anyMonitoring,
    } satisfies Record<Planned, fc.Arbitrary<unknown>>,
    { requiredKeys: [] },
  )
  .map(({ staticRoutes, ...spec }) => ({
    zone: 'is1b',
    planID: 2,
    ...spec,
    ...(staticRoutes && spec.privateInterface && { staticRoutes }),
  }));

const anyApplied: fc.Arbitrary<GatewayApplied> = anySpec.map(({ trafficMonitoring, simRoutes, ...spec }) => ({
  ...Object.fromEntries(Object.entries(spec).filter(([field]) => FIELDS.some((known) => known === field))),
  ...(simRoutes && { simRoutes: simRoutes.map(({ prefix, simRef }) => ({ prefix, resourceID: simRef.name })) }),
  ...(trafficMonitoring && { trafficMonitoring: { quotaMB: 5, autoTrafficShaping: false, email: true, chat: false } }),
}));

const anyStored: fc.Arbitrary<Stored | undefined> = fc.option(
  fc
    .record({
      instance: fc.constantFrom('up' as const, 'down' as const),
      settings: fc.option(
        fc.record({
          internetConnection: fc.boolean(),
          interDeviceCommunication: fc.boolean(),
          privateInterface: fc.option(anyInterface),
          staticRoutes: anyStaticRoutes,
        }),
        { nil: undefined },
      ),
      isConfigured: fc.boolean(),
      dns: fc.option(anyDNS, { nil: undefined }),
      monitoring: fc.option(
        fc.record({
          quotaMB: fc.constantFrom(100, 200),
          autoTrafficShaping: fc.boolean(),
          email: fc.boolean(),
          chat: fc.constant(false),
        }),
        { nil: undefined },
      ),
      sims: fc.dictionary(
        fc.constantFrom('sim-a', 'sim-b', 'sim-z'),
        fc.option(fc.constant('10.0.0.17'), { nil: undefined }),
      ),
      prefix: fc.option(anyPrefix),
    })
    .map(({ settings: given, prefix, isConfigured: wasConfigured, ...rest }) => {
      const settings = given && { ...given, staticRoutes: given.privateInterface ? given.staticRoutes : [] };
      const isConfigured = wasConfigured || settings !== undefined;
      const [sim] = Object.keys(rest.sims);
      const routes = isConfigured && prefix !== null && sim ? [{ prefix, resourceID: sim }] : [];
      const fixed = { id: '113300000001', name: 'depot', availability: 'available' as const };
      return { ...fixed, ...rest, settings, effective: settings, isConfigured, routes };
    }),
  { nil: undefined },
);

/** Where the operator finds things when it starts: the service and its own record, which need not agree. */
interface Start {
  readonly spec: GatewaySpec;
  readonly stored: Stored | undefined;
  readonly record: Progress;
  readonly dialect: Dialect;
}

const anyStart: fc.Arbitrary<Start> = fc
  .record({
    spec: anySpec,
    stored: anyStored,
    applied: anyApplied,
    pending: fc.subarray([...FIELDS]),
    ownership: fc.constantFrom('Created' as const, 'Adopted' as const),
    marks: fc.record({ configPending: fc.constant(true), booted: fc.boolean() }, { requiredKeys: [] }),
    dialect: fc.constantFrom('Documented' as const, 'Extended' as const),
  })
  .map(({ spec, stored: found, applied, pending, ownership, marks, dialect }) => {
    // Resolvers can't be read in the Documented dialect: there the record is right, unless it says that it may not be.
    const isTold = dialect === 'Documented' && applied.dns && !pending.includes('dns');
    const stored = found && isTold ? { ...found, dns: applied.dns } : found;
    // What vanished takes what was applied with it; the marks stay (managed.ts, recognise).
    const record: Progress = stored
      ? { id: stored.id, ownership, applied, pending, marks }
      : { applied: {}, pending: [], marks };
    return { spec, stored, record, dialect };
  });

/** What goes wrong at the call with this number, counted from 0 over the whole run. */
interface Mishap {
  readonly at: number;
  /** The process dies before or after the call, or the call is refused for now and made again later. */
  readonly what: 'dies before' | 'dies after' | 'fails' | 'answer lost';
  /** The spec as it is found afterwards. */
  readonly spec: GatewaySpec;
}

interface End {
  readonly stored: Stored | undefined;
  readonly progress: Progress;
  readonly calls: readonly string[];
  readonly spec: GatewaySpec;
  readonly hasHappened: boolean;
}

/** Plans and acts as the engine does (execute-plan.ts, converge.ts) until nothing is left to do. */
function run(start: Start, mishap?: Mishap): End {
  const { dialect } = start;
  let { stored, spec, record } = start;
  let progress = record;
  let hasHappened = false;
  const calls: string[] = [];
  for (let round = 0; round < 8; round++) {
    const facts = factsOf(spec, stored, progress, dialect);
    if (stored && progress.id === undefined) progress = { ...progress, id: stored.id, ownership: facts.ownership };
    const plan = planGateway(facts);
    if (plan.steps.length === 0) return { stored, progress: afterPlan(progress, plan), calls, spec, hasHappened };
    const ahead = aheadOf(progress, plan);
    if (mustBeStored(progress, ahead, record.id === undefined)) record = ahead;
    progress = ahead;
    for (const step of plan.steps) {
      const strikes = !hasHappened && mishap?.at === calls.length ? mishap : undefined;
      const isMade = strikes?.what !== 'dies before' && strikes?.what !== 'fails';
      if (isMade) {
        calls.push(step.do);
        stored = serve(stored, step, dialect);
      }
      if (!strikes) {
        progress = afterStep(progress, plan, step, resultOf(step));
        continue;
      }
      hasHappened = true;
      ({ spec } = strikes);
      if (strikes.what.startsWith('dies')) {
        // Of a creation under way every field may have been written (progress.ts, progressOf).
        progress = record.id === undefined && stored ? { ...record, pending: [...FIELDS] } : record;
      } else {
        record = progress;
      }
      break;
    }
  }
  throw new Error(`the plan is not empty after 8 rounds: ${calls.join(', ')}`);
}

function isAsked({ stored, spec }: End): void {
  if (!stored) throw new Error('there is no gateway');
  expect(stored.effective).toEqual(stored.settings);
  for (const field of ['internetConnection', 'interDeviceCommunication', 'privateInterface'] as const) {
    if (spec[field] !== undefined) expect(stored.effective?.[field] ?? UNSET[field]).toEqual(spec[field]);
  }
  if (spec.staticRoutes) expect(new Set(stored.effective?.staticRoutes ?? [])).toEqual(new Set(spec.staticRoutes));
  if (spec.dns) expect(stored.dns).toEqual(spec.dns);
  for (const { prefix, simRef } of spec.simRoutes ?? []) {
    if (simRef.name in stored.sims) expect(stored.routes).toContainEqual({ prefix, resourceID: simRef.name });
  }
  const asked = new Set((spec.simRoutes ?? []).map(({ prefix, simRef }) => `${prefix} behind ${simRef.name}`));
  const others = stored.routes.filter(({ prefix, resourceID }) => !asked.has(`${prefix} behind ${resourceID}`));
  if (spec.simRoutes) expect(others).toEqual([]);
  if (spec.trafficMonitoring) {
    const { quotaMB, autoTrafficShaping = false, email = false, chatWebhookSecretRef } = spec.trafficMonitoring;
    const chat = chatWebhookSecretRef !== undefined;
    expect(stored.monitoring).toMatchObject({ quotaMB, autoTrafficShaping, email, chat });
  }
}

function valueOf(stored: Stored, field: (typeof FIELDS)[number]): unknown {
  if (field === 'dns') return stored.dns;
  if (field === 'simRoutes') return stored.routes;
  if (field === 'trafficMonitoring') return stored.monitoring;
  // The order of static routes means nothing.
  if (field === 'staticRoutes') return stored.settings?.staticRoutes.toSorted(byPrefix) ?? [];
  return stored.settings?.[field] ?? UNSET[field];
}

const byPrefix = (a: { prefix: string }, b: { prefix: string }) => a.prefix.localeCompare(b.prefix);
const unsetValue = (field: string) => (field === 'simRoutes' ? [] : UNSET[field]);
const removable = FIELDS.filter((field) => field !== 'dns');
const bound = { numRuns: 3000 };

describe('the plan of a gateway', () => {
  it('reaches a state whose plan is empty and that is as the spec says, with calls a strict service accepts', () => {
    fc.assert(
      fc.property(anyStart, (start) => {
        const end = run(start);
        isAsked(end);
        expect(end.calls.length).toBeLessThanOrEqual(11);
        expect(planGateway(factsOf(end.spec, end.stored, end.progress, start.dialect))).toMatchObject({
          steps: [],
          drift: [],
        });
      }),
      bound,
    );
  });

  it('starts in the Extended dialect what it makes, at last and once, whatever an earlier gateway left in the status', () => {
    fc.assert(
      fc.property(anyStart, (start) => {
        const { calls, stored } = run({ ...start, stored: undefined, record: { ...start.record, id: undefined } });
        const boots = calls.filter((call) => call === 'boot').length;
        expect(boots).toBe(start.dialect === 'Extended' ? 1 : 0);
        if (boots > 0) expect([calls.at(-1), stored?.instance]).toEqual(['boot', 'up']);
      }),
    );
  });

  it('starts no gateway that is not marked as still to be started, and once it ran none that somebody stopped', () => {
    fc.assert(
      fc.property(anyStart, (start) => {
        if (!start.stored) return;
        const { stored, progress, calls } = run(start);
        const isDue =
          start.dialect === 'Extended' &&
          start.record.ownership === 'Created' &&
          start.record.marks['booted'] === false;
        expect(calls.includes('boot')).toBe(isDue && start.stored.instance !== 'up');
        const stopped: Start = { ...start, stored: stored && { ...stored, instance: 'down' }, record: progress };
        expect(run(stopped).calls).toEqual([]);
      }),
    );
  });

  it('waits with the deletion for SIMs that leave the gateway by nobody’s hand, unless a person asked for it', () => {
    fc.assert(
      fc.property(anyStart, ({ spec, stored, record, dialect }) => {
        if (!stored) return;
        const facts = factsOf(spec, stored, record, dialect);
        const asked = planGatewayDeletion(facts);
        expect(asked.steps.at(-1)).toEqual({ do: 'delete', changes: [] });
        const plan = planGatewayDeletion({ ...facts, desired: { ...facts.desired, releasesSims: false } });
        if (Object.keys(stored.sims).length === 0) expect(plan).toEqual(asked);
        else expect(plan).toMatchObject({ steps: [], hold: { state: 'Waiting', reason: 'SimsStillRegistered' } });
      }),
    );
  });

  it('un-sets what was applied and is no longer in the spec, and leaves alone what never was', () => {
    fc.assert(
      fc.property(anyStart, (start) => {
        const { stored, spec, record } = start;
        const end = run(start).stored;
        if (!stored || !end) return;
        for (const field of removable) {
          if (spec[field] !== undefined) continue;
          const expected = wasApplied(record, field) ? unsetValue(field) : valueOf(stored, field);
          // Static routes go with their interface.
          if (field === 'staticRoutes' && end.settings?.privateInterface == null) continue;
          expect([field, valueOf(end, field)]).toEqual([field, expected]);
        }
      }),
      bound,
    );
  });

  it('says nothing about a gateway of which the spec says nothing', () => {
    fc.assert(
      fc.property(anyStart, ({ stored, dialect }) => {
        if (!stored) return;
        const record: Progress = { id: stored.id, ownership: 'Adopted', applied: {}, pending: [], marks: {} };
        const plan = planGateway(factsOf({ zone: 'is1b' }, stored, record, dialect));
        expect(plan).toEqual({ steps: [], drift: [], applied: {} });
      }),
    );
  });

  it('comes to the same end whatever call it dies at or fails at, and whatever the spec says then', () => {
    const anyMishap = fc.record({
      at: fc.nat({ max: 9 }),
      what: fc.constantFrom('dies before' as const, 'dies after' as const, 'fails' as const, 'answer lost' as const),
      spec: fc.option(anySpec, { nil: undefined }),
    });
    fc.assert(
      fc.property(anyStart, anyMishap, (start, { at, what, spec }) => {
        const end = run(start, { at, what, spec: spec ?? start.spec });
        isAsked(end);
        const { booted, ...others } = end.progress.marks;
        expect(others).toEqual({});
        expect([undefined, true, start.record.marks['booted']]).toContain(booted);
        const { stored } = start;
        const after = end.stored;
        if (!stored || !after) return;
        for (const field of removable) {
          if (end.spec[field] !== undefined) continue;
          if (field === 'staticRoutes' && after.settings?.privateInterface == null) continue;
          if (wasApplied(start.record, field))
            expect([field, valueOf(after, field)]).toEqual([field, unsetValue(field)]);
          // What the interrupted spec may have set is un-set; what it found as it wanted it may stay.
          else expect([valueOf(stored, field), unsetValue(field)]).toContainEqual(valueOf(after, field));
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it('deletes from any state with calls a strict service accepts, even when a call fails', () => {
    fc.assert(
      fc.property(anyStart, fc.nat({ max: 8 }), fc.boolean(), (start, failing, isMade) => {
        let { stored } = start;
        let calls = 0;
        for (let round = 0; stored && round < 3; round++) {
          for (const step of planGatewayDeletion(factsOf(start.spec, stored, start.record, start.dialect)).steps) {
            const fails = calls++ === failing;
            if (!fails || isMade) stored = serve(stored, step, start.dialect);
            if (fails) break;
          }
        }
        expect(stored).toBeUndefined();
      }),
      bound,
    );
  });

  it('deletes a gateway that failed, in one call', () => {
    fc.assert(
      fc.property(anyStart, ({ spec, stored, record, dialect }) => {
        if (!stored) return;
        const failed: Stored = { ...stored, availability: 'failed', sims: {} };
        const facts = factsOf(spec, failed, record, dialect);
        expect(planGateway(facts)).toMatchObject({ steps: [], hold: { state: 'Stalled', reason: 'CreationFailed' } });
        expect(planGatewayDeletion(facts).steps).toEqual([{ do: 'delete', changes: [] }]);
      }),
    );
  });
});
