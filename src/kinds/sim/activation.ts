import { mending } from '../../reconcile/change.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import type { GuardedActivity } from './data-limit.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import type { SimPart } from './steps.ts';

type ActivationPart = SimPart<'activated' | 'dataLimit'>;

/**
 * Whether the SIM is to be active, and whether the guard of `dataLimit` has a word in it. The guard stands above the spec and is
 * a field of its own in `applied`: what the spec wrote stays on record beneath it, so that its end leaves the SIM as the spec
 * says, or, where the spec says nothing, as it was.
 */
export function planActivation(facts: SimFacts, sim: ObservedSim): ActivationPart {
  const { activated } = facts.desired.spec;
  if (guardStops(facts)) return planStop(facts, sim);
  const isHeld = wasApplied(facts, 'dataLimit');
  const wanted = askedActivation(facts) ?? (isHeld ? true : undefined);
  const applied = activated === undefined ? {} : { activated };
  if (wanted === undefined || wanted === sim.activated) return { applied };
  const drift = [{ field: 'activated', desired: String(wanted), observed: String(sim.activated) }];
  // What the spec has on record is not written again: it is the guard's own deed that is undone.
  const isOnRecord = wanted && (activated === undefined || facts.applied.activated === activated);
  const fields = [
    ...(isHeld && isOnRecord ? [] : (['activated'] as const)),
    ...(isHeld ? (['dataLimit'] as const) : []),
  ];
  const changes = mending(drift);
  return {
    steps: wanted
      ? [{ do: 'activate', fields, changes, ...(isHeld && { cause: 'DataLimitEnded' }) }]
      : [{ do: 'deactivate', fields, changes }],
    drift,
    applied,
  };
}

/** What the spec, and what it wrote before, ask for; undefined: nothing. */
function askedActivation(facts: SimFacts): boolean | undefined {
  return facts.desired.spec.activated ?? (wasApplied(facts, 'activated') ? false : undefined);
}

/** Whether the SIM is over its limit and would be active but for the guard. */
function guardStops(facts: SimFacts): boolean {
  const { dataLimit } = facts;
  return dataLimit?.state === 'Exceeded' && dataLimit.stops && askedActivation(facts) !== false;
}

/** Whether it is the guard that keeps the SIM, as last seen, from being active. */
export function isStoppedByGuard(facts: SimFacts): boolean {
  if (!facts.observed || facts.observed.activated || !guardStops(facts)) return false;
  return askedActivation(facts) === true || wasApplied(facts, 'dataLimit');
}

/** What the guard has to do with whether the SIM, as last seen, is active, where it is over its limit. */
export function guardedActivity(facts: SimFacts): GuardedActivity {
  if (isStoppedByGuard(facts)) return 'stopped';
  return guardStops(facts) && facts.observed?.activated === true ? 'to be stopped' : 'not its matter';
}

function planStop(facts: SimFacts, sim: ObservedSim): ActivationPart {
  const { activated } = facts.desired.spec;
  const isHeld = wasApplied(facts, 'dataLimit');
  if (!sim.activated && !isHeld) {
    // It was not active before: nothing is the guard's, and the spec's wish waits.
    const before = facts.applied.activated;
    return { applied: before === undefined ? {} : { activated: before } };
  }
  const applied = { ...(activated !== undefined && { activated }), dataLimit: 'Deactivated' as const };
  if (!sim.activated) return { applied };
  const drift = [{ field: 'activated', desired: 'false', observed: 'true' }];
  return {
    steps: [
      {
        do: 'deactivate',
        fields: ['dataLimit'],
        changes: mending(drift),
        // What was activated again while the guard holds is drift as any other.
        ...(facts.applied.dataLimit === undefined && { cause: 'DataLimitExceeded' }),
      },
    ],
    drift,
    applied,
  };
}
