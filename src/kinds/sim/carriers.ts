import type { Carrier } from '../../cloud/sim/types.ts';
import { mending } from '../../reconcile/change.ts';
import type { DesiredSim, ObservedSim, SimFacts } from './facts.ts';
import type { SimPart } from './steps.ts';

/** What a plan of carriers follows from. */
export type CarrierFacts = Pick<SimFacts, 'applied' | 'found' | 'pending'> & {
  readonly desired: Pick<DesiredSim, 'spec'>;
};

/**
 * Carriers are enforced one by one: what the spec names is as it says, what was named before and no longer is becomes
 * allowed again, and the rest stays as it is. The call replaces the whole list, so it carries the rest along, and is
 * planned only where the rest is known.
 */
export function planCarriers(facts: CarrierFacts, sim: Pick<ObservedSim, 'carriers'>): SimPart<'carriers'> {
  const { carriers } = facts.desired.spec;
  const wanted = new Map((carriers ?? []).map((carrier) => [carrier.name, carrier.allow]));
  for (const name of formerlyNamed(facts, sim)) if (!wanted.has(name)) wanted.set(name, true);
  const applied = carriers ? { carriers: carriers.map(({ name, allow }) => ({ name, allow })) } : {};
  if (!sim.carriers) return { applied: facts.applied.carriers ? { carriers: facts.applied.carriers } : {} };
  const observed = new Map(sim.carriers.map((carrier) => [carrier.name, carrier.allow]));
  const different = [...wanted].filter(([name, allow]) => observed.get(name) !== allow);
  if (different.length === 0) return { applied };
  const byName = new Map(sim.carriers.map((carrier) => [carrier.name, carrier]));
  const next = new Map<string, boolean>([...observed, ...wanted]);
  const drift = [{ field: 'carriers', desired: show(wanted), observed: show(observed) }];
  return {
    steps: [
      {
        do: 'setCarriers',
        carriers: [...next].map(([name, allow]): Carrier => ({ ...byName.get(name), name, allow })),
        unshown: [...wanted.keys()].filter((name) => !observed.has(name)),
        fields: ['carriers'],
        // The call replaces the list: it is told whole.
        changes: mending([{ field: 'carriers', desired: show(next), observed: show(observed) }]),
        pending: [...wanted.keys()].map(pendingEntry),
      },
    ],
    drift,
    applied,
  };
}

/**
 * Names this resource set before, or may have set when it was interrupted. After an interrupted creation that is every
 * carrier that is not allowed.
 */
function formerlyNamed(facts: CarrierFacts, sim: Pick<ObservedSim, 'carriers'>): string[] {
  const written = facts.found?.includes('carriers') ? [] : (facts.applied.carriers ?? []);
  const applied = written.map((carrier) => carrier.name);
  const all = facts.pending.includes('carriers');
  const interrupted = (sim.carriers ?? []).filter(
    ({ name, allow }) => facts.pending.includes(pendingEntry(name)) || (all && !allow),
  );
  return [...applied, ...interrupted.map((carrier) => carrier.name)];
}

/** A carrier in `status.pending`. */
function pendingEntry(name: string): string {
  return `carriers/${name}`;
}

function show(carriers: ReadonlyMap<string, boolean>): string {
  if (carriers.size === 0) return 'unknown';
  return [...carriers].map(([name, allow]) => `${name} ${allow ? 'allowed' : 'not allowed'}`).join(', ');
}
