/** Where a kind lives in the API: enough to build its paths and to name it in messages. */
export interface Resource {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

export const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };
export const NAMESPACES: Resource = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};
export const LEASES: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};
export const EVENTS: Resource = {
  group: 'events.k8s.io',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  namespaced: true,
};

export const TOKEN_REVIEWS: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'tokenreviews',
  kind: 'TokenReview',
  namespaced: false,
};
export const SUBJECT_ACCESS_REVIEWS: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  kind: 'SubjectAccessReview',
  namespaced: false,
};

/** The `apiVersion` of the resource's objects: `v1`, `coordination.k8s.io/v1`. */
export function apiVersionOf(resource: Resource): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/**
 * The URL path of a collection, an object or its subresource. A namespace given for a cluster-scoped resource is left
 * out; none given for a namespaced one means the collection over all namespaces.
 */
export function pathOf(resource: Resource, namespace?: string, name?: string, subresource?: string): string {
  const segments = [
    resource.group === '' ? 'api' : `apis/${resource.group}`,
    resource.version,
    ...(resource.namespaced && namespace !== undefined ? ['namespaces', encodeURIComponent(namespace)] : []),
    resource.plural,
    ...(name === undefined ? [] : [encodeURIComponent(name)]),
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${segments.join('/')}`;
}
