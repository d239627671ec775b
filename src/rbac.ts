import { kindDefinitions } from './kinds/index.ts';

/** One rule of a role, with the sentence that says why the operator needs it. */
export interface Rule {
  readonly why: string;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What the operator's ServiceAccount, roles and bindings are called, and the namespace it lives in by default. */
export const operatorName = 'edgeline-operator';
export const operatorNamespace = 'edgeline-system';

const plurals = kindDefinitions.map(({ plural }) => plural);

/** What the operator may do in every namespace it looks after: exactly the calls it makes. */
export const clusterRules: readonly Rule[] = [
  {
    why: 'It watches its own kinds, and patches them to set and drop its finalizer. It never writes a spec.',
    apiGroups: ['edgeline.dev'],
    resources: plurals,
    verbs: ['list', 'watch', 'patch'],
  },
  {
    why: 'What it observed goes into the status.',
    apiGroups: ['edgeline.dev'],
    resources: plurals.map((plural) => `${plural}/status`),
    verbs: ['patch'],
  },
  {
    why:
      'Credentials, pass codes and certificates are read (get) when they are needed. It lists and watches the metadata ' +
      'alone, to see that one changed; RBAC cannot tell metadata from values. It never writes a Secret.',
    apiGroups: [''],
    resources: ['secrets'],
    verbs: ['get', 'list', 'watch'],
  },
  {
    why: 'Labels of namespaces decide who may use a ClusterCloudAccount. Metadata alone.',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['list', 'watch'],
  },
  {
    why: 'It tells what it did in Events; one that happens again is counted on the first (patch).',
    apiGroups: ['events.k8s.io'],
    resources: ['events'],
    verbs: ['create', 'patch'],
  },
];

/** What it may do in its own namespace besides: hold the Lease that lets one replica act. */
export const ownNamespaceRules: readonly Rule[] = [
  {
    why: 'The Lease that says which replica acts; RBAC cannot restrict create to one name.',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['create'],
  },
  {
    why: 'Taking and renewing that one Lease.',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [operatorName],
    verbs: ['get', 'update'],
  },
];
