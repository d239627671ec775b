import type { ManagedKind } from '../../reconcile/kind.ts';
import { actOnSim, describeSimStep } from './act.ts';
import type { SimFacts } from './facts.ts';
import { gatherSim, type SimSources } from './gather.ts';
import { planSim, planSimDeletion } from './plan.ts';
import { type Sim, simApplied, simDefinition, simResource } from './schema.ts';
import { isToBeDeactivated, observedStatus, readyMessage, simImpairment } from './status.ts';
import type { SimStep } from './steps.ts';

/** The kind Sim, reading from `sources`. */
export function createSimKind(sources: SimSources): ManagedKind<Sim, SimFacts, SimStep> {
  return {
    definition: simDefinition,
    resource: simResource,
    fields: Object.keys(simApplied.shape),
    marks: ['lastHandledReconnectAt'],
    secretsOf: ({ spec }) => (spec.passCodeSecretRef ? [spec.passCodeSecretRef.name] : []),
    gather: (pass) => gatherSim(pass, sources),
    plan: planSim,
    planDeletion: planSimDeletion,
    act: (step, facts, pass) => actOnSim(step, facts, pass, sources.details),
    describe: describeSimStep,
    identify: ({ observed, ownership }) => observed && { id: observed.id, ownership },
    interrupts: ({ do: what }) => what === 'clearIP' || what === 'unregister',
    impairment: simImpairment,
    observed: observedStatus,
    isUrgent: isToBeDeactivated,
    readyMessage,
  };
}
