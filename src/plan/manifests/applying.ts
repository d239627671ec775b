import type { ObjectJson } from '../objects.ts';

/** How manifests are applied: as `kubectl apply` does, or as `kubectl apply --server-side` under the name of a manager. */
export type Applying =
  | { readonly by: 'client' }
  | { readonly by: 'server'; readonly manager: string; readonly force: boolean };

/** The patch; undefined: nothing would change. Or why the apiserver refuses it. */
export type Applied = { readonly patch: ObjectJson | undefined } | { readonly refusal: string };
