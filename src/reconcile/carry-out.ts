import type { ManagedKind, Pass } from './kind.ts';
import type { ManagedObject, Marks } from './managed-object.ts';
import type { CreateStep, Step } from './plan.ts';

/** What a step changed, with whose work the object is where the step made one. */
export interface StepOutcome {
  readonly id?: string;
  readonly ownership?: 'Created';
  readonly marks?: Marks;
}

/**
 * Does one step: creates the object, or does something about the one the pass has. Plans begin with the creation where
 * there is none, so a step without an object is an error of the plan.
 */
export async function carryOut<T extends ManagedObject, F, S extends Step>(
  kind: Pick<ManagedKind<T, F, S>, 'create' | 'act'>,
  step: S,
  pass: Pass<T>,
): Promise<StepOutcome> {
  if (creates(step)) return { ...(await kind.create(step, pass)), ownership: 'Created' };
  const { id } = pass.progress;
  if (id === undefined || !isAboutObject(step))
    throw new TypeError(`a plan has the step "${step.do}" where nothing is at the service`);
  return kind.act(step, id, pass);
}

function creates<S extends Step>(step: S): step is CreateStep<S> {
  return step.do === 'create';
}

function isAboutObject<S extends Step>(step: S): step is Exclude<S, CreateStep<S>> {
  return !creates(step);
}
