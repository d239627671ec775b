import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of an administrator's kubeconfig, for each worker one of a control plane of its own. */
    kubeconfigs: readonly string[];
    /** The path of a kubectl that fits them. */
    kubectl: string;
    /** The version of their servers: `v1.34.4`. */
    kubernetes: string;
    /** Whether namespaces are deleted, owner references followed and service accounts made. */
    controllers: boolean;
  }
}

/** The path of an administrator's kubeconfig of the control plane that no other test file uses at this time. */
export function adminKubeconfig(): string {
  const number = Number(process.env['VITEST_POOL_ID']);
  const path = inject('kubeconfigs')[number - 1];
  if (path === undefined) throw new Error(`worker ${number} has no control plane`);
  return path;
}

/** The minor version of Kubernetes that the tests run on: 34. What is not in it by design, a test says with `runIf` and in its name. */
export function kubernetesMinor(): number {
  return Number(inject('kubernetes').split('.')[1]);
}
