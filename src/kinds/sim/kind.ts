import { learntCreation } from '../../reconcile/claims.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import type { ManagedKind, Pass } from '../../reconcile/kind.ts';
import { fieldsOf } from '../common/combine.ts';
import { actOnSim, createSim, describeSimStep } from './act.ts';
import { isThere } from './comparisons.ts';
import type { SimFacts } from './facts.ts';
import { gatherSim, type SimSources } from './gather.ts';
import { planSim, planSimDeletion, simPlanners } from './plan.ts';
import type { OwnReason, SimHold } from './reasons.ts';
import { type Sim, type SimMark, simDefinition, simMarks, simResource } from './schema.ts';
import {
  isToBeDeactivated,
  mayBeHalfWay,
  observedStatus,
  ownConditions,
  readyMessage,
  shownCarriers,
  simImpairment,
} from './status.ts';
import { goesOn, interrupts, type SimStep, takesAway } from './steps.ts';

/** A SIM leaves its gateway for the sake of a move only while there is one for it to go to. Throws DecisionOutdatedError. */
function checkMove(step: SimStep, sim: Sim, { gateway }: Pick<SimSources, 'gateway'>): void {
  const isLeaving = step.do === 'clearIP' || step.do === 'unregister';
  if (!isLeaving || step.because?.includes('gateway') !== true || !('hold' in gateway(sim))) return;
  throw new DecisionOutdatedError('the gateway that it is to move to went, or is not ready');
}

/** The same pass, whose calls are each sent only while that holds: they may wait for their turn. */
function checkingMove(step: SimStep, pass: Pass<Sim>, sources: Pick<SimSources, 'gateway'>): Pass<Sim> {
  return {
    ...pass,
    call(lane) {
      const options = pass.call(lane);
      const guard = () => {
        options.guard?.();
        checkMove(step, pass.object, sources);
      };
      return { ...options, guard };
    },
  };
}

/** The kind Sim, reading from `sources`. */
export function createSimKind(
  sources: SimSources,
): ManagedKind<Sim, SimFacts, SimStep, SimMark, SimHold['reason'], OwnReason> {
  return {
    definition: simDefinition,
    resource: simResource,
    fields: fieldsOf(simPlanners),
    marks: simMarks,
    // The gateway of that name may be another than it was.
    outside: { gateway: 'ReferenceChanged' },
    secretsOf: ({ spec }) => (spec.passCodeSecretRef ? [spec.passCodeSecretRef.name] : []),
    gather: (pass) => gatherSim(pass, sources),
    plan: planSim,
    planDeletion: planSimDeletion,
    create: (step, pass) => createSim(step, pass, sources.claims),
    act: (step, id, pass) => actOnSim(step, id, checkingMove(step, pass, sources), sources.details),
    called: ({ spec }, id) => `SIM ${id} (ICCID ${spec.iccid})`,
    describe: describeSimStep,
    isThere,
    identify: ({ observed, ownership }) => observed && { id: observed.id, ownership },
    goesOn: (_, steps, failed, next) => goesOn(steps, failed, next),
    interrupts,
    takesAway,
    mayBeHalfWay,
    impairment: simImpairment,
    observed: observedStatus,
    learnt(object, id) {
      const known = sources.details.known(object, id);
      return {
        ...learntCreation(sources.claims, object, id),
        ...(known && known.source !== 'recorded' && { carriers: shownCarriers(known.value) }),
      };
    },
    isUrgent: isToBeDeactivated,
    seal: sources.claims.seal,
    giveUp: sources.claims.drop,
    readyMessage,
    own: ownConditions,
  };
}
