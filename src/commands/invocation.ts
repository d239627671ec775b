import { basename } from 'node:path';

/** The word that asks for completions, as programs made with Go's cobra have it, kubectl among them. */
export const COMPLETE = '__complete';

/** How this program was called. */
export interface Invocation {
  /** What a person types to call it, for its help. */
  readonly name: string;
  /** What was typed after that. */
  readonly words: readonly string[];
}

/**
 * Under the name `kubectl-edgeline`, kubectl runs the program as `kubectl edgeline`; as `kubectl_complete-edgeline`, it asks
 * for completions of that (https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/).
 */
export function invocationOf([, script = '', ...words]: readonly string[]): Invocation {
  switch (basename(script)) {
    case 'kubectl-edgeline':
      return { name: 'kubectl edgeline', words };
    case 'kubectl_complete-edgeline':
      return { name: 'kubectl edgeline', words: [COMPLETE, ...words] };
    default:
      return { name: 'edgeline', words };
  }
}
