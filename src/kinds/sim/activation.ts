import { mending } from '../../reconcile/change.ts';
import { isPending, wasApplied } from '../../reconcile/managed-object.ts';
import type { LimitedActivity } from './data-limit.ts';
import type { ObservedSim, SimFacts } from './facts.ts';
import type { SimPart, SimStep } from './steps.ts';

type ActivationPart = SimPart<'activated' | 'dataLimit'>;

/**
 * Whether the SIM is to be active. One that its `dataLimit` stops is not, whatever `activated` says. `applied` has that as a
 * field of its own, `dataLimit`, beside `activated`, which still says what the spec wrote: once the limit stops it no longer,
 * the SIM becomes what the spec says, or, where the spec says nothing, what it was.
 */
export function planActivation(facts: SimFacts, sim: ObservedSim): ActivationPart {
  const { activated } = facts.desired.spec;
  if (limitStops(facts)) return planStop(facts, sim);
  const isStopped = wasApplied(facts, 'dataLimit');
  const wanted = askedActivation(facts) ?? (isStopped ? true : undefined);
  const applied = activated === undefined ? {} : { activated };
  // What the limit would still make of it is what the spec says: nothing of that is to be undone later.
  const moot = activated === false ? { moot: ['dataLimit'] } : {};
  if (wanted === undefined || wanted === sim.activated) return { applied, ...moot };
  const drift = [{ field: 'activated', desired: String(wanted), observed: String(sim.activated) }];
  // What the spec wrote is still on record: what is undone is the deactivation for the limit alone.
  const isOnRecord = wanted && (activated === undefined || facts.applied.activated === activated);
  const fields = [
    ...(isStopped && isOnRecord ? [] : (['activated'] as const)),
    ...(isStopped ? (['dataLimit'] as const) : []),
  ];
  const changes = mending(drift);
  return {
    steps: wanted
      ? [{ do: 'activate', fields, changes, ...(isStopped && whyAgain(facts)) }]
      : [{ do: 'deactivate', fields, changes }],
    drift,
    applied,
    ...moot,
  };
}

/**
 * Why it is activated where its limit may have stopped it. A SIM that was made and not finished has all its fields pending,
 * that of the limit among them, which never stopped it.
 */
function whyAgain({ applied, pending }: SimFacts): Pick<SimStep, 'cause' | 'because'> {
  const wasStopped = applied.dataLimit !== undefined || !isPending(pending, 'activated');
  return wasStopped ? { cause: 'DataLimitEnded' } : { because: ['activated'] };
}

/** What the spec, and what it wrote before, ask for; undefined: nothing. */
function askedActivation(facts: SimFacts): boolean | undefined {
  return facts.desired.spec.activated ?? (wasApplied(facts, 'activated') ? false : undefined);
}

/** Whether the SIM is over its limit and would be active without one. */
function limitStops(facts: SimFacts): boolean {
  const { dataLimit } = facts;
  return dataLimit?.state === 'Exceeded' && dataLimit.stops && askedActivation(facts) !== false;
}

/** Whether it is the limit that keeps the SIM, as last seen, from being active. */
export function isStoppedByLimit(facts: SimFacts): boolean {
  if (!facts.observed || facts.observed.activated || !limitStops(facts)) return false;
  return askedActivation(facts) === true || wasApplied(facts, 'dataLimit');
}

/** What the limit has to do with whether the SIM, as last seen, is active, where it is over its limit. */
export function limitedActivity(facts: SimFacts): LimitedActivity {
  if (isStoppedByLimit(facts)) return 'stopped';
  return limitStops(facts) && facts.observed?.activated === true ? 'to be stopped' : 'not its matter';
}

function planStop(facts: SimFacts, sim: ObservedSim): ActivationPart {
  const { activated } = facts.desired.spec;
  const isStopped = wasApplied(facts, 'dataLimit');
  if (!sim.activated && !isStopped) {
    // It was not active before the limit stopped it, so that is nothing to undo later; what the spec asks for waits.
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
        // One that somebody has activated again since is drift as any other.
        ...(facts.applied.dataLimit === undefined && { cause: 'DataLimitExceeded' }),
      },
    ],
    drift,
    applied,
  };
}
