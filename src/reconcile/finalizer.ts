import { EdgelineError } from '../errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';

/**
 * The two finalizers, of which a managed resource has at most one. Which one is itself the record of an intent, so that
 * the straight path needs no write of its own for it: `create` is set before the request that creates is sent, and
 * after a crash says that what is found at the service under the resource's natural key is the operator's own work.
 */
export const Finalizer = {
  /** Set before something is created for this resource. */
  create: 'edgeline.dev/create',
  /** Set before something that exists is taken over. */
  adopt: 'edgeline.dev/adopt',
} as const;

/** The finalizer of ours the object has. */
export function ownFinalizer(object: KubernetesObject): 'create' | 'adopt' | undefined {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(Finalizer.create)) return 'create';
  return finalizers.includes(Finalizer.adopt) ? 'adopt' : undefined;
}

/** The finalizers with ours exchanged for `intent`, or without ours. The others keep their order. */
export function withFinalizer(object: KubernetesObject, intent: 'create' | 'adopt' | undefined): string[] {
  const others = (object.metadata.finalizers ?? []).filter(
    (name) => name !== Finalizer.create && name !== Finalizer.adopt,
  );
  return intent ? [...others, Finalizer[intent]] : others;
}

/** The apiserver took the finalizer, and what it stored has none. */
export class FinalizerNotKeptError extends EdgelineError {
  readonly code = 'FinalizerNotKept';

  constructor(intent: 'create' | 'adopt') {
    super(
      `the finalizer ${Finalizer[intent]} was set, and is not there: something in the cluster takes it off`,
      'Find the mutating webhook or policy that changes metadata.finalizers, and exempt the resources of edgeline.dev. Until then nothing is made, because nobody would delete it.',
    );
  }
}
