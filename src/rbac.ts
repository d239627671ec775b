import { HOURS_LEASE } from './kinds/cloud-account/left-hours.ts';
import { kindDefinitions } from './kinds/index.ts';
import { HOLDER_LEASE } from './kubernetes/holdings.ts';

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

const everyKind = kindDefinitions.map(({ plural }) => plural);
const namespacedKinds = kindDefinitions.filter(({ scope }) => scope === 'Namespaced').map(({ plural }) => plural);

/** Exactly the calls the operator makes for these kinds and what they refer to. */
const rulesFor = (plurals: readonly string[]): readonly Rule[] => [
  {
    why:
      'It watches its own kinds, gets one where the watch may be behind, and patches them to set and remove its finalizer. ' +
      'It never writes a spec.',
    apiGroups: ['edgeline.dev'],
    resources: plurals,
    verbs: ['get', 'list', 'watch', 'patch'],
  },
  {
    why: 'It writes what it observed into the status.',
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
    why: 'The Lease that says which installation manages the namespace; RBAC cannot restrict create to one name.',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['create'],
  },
  {
    why: 'Seeing who has that one Lease, taking and renewing it.',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [HOLDER_LEASE],
    verbs: ['list', 'watch', 'update'],
  },
  {
    why: 'It reports what it did in Events; a repeated event is counted on the first one (patch).',
    apiGroups: ['events.k8s.io'],
    resources: ['events'],
    verbs: ['create', 'patch'],
  },
];

/** What the operator may do in each namespace it looks after, where `--namespaces` names them. */
export const namespaceRules: readonly Rule[] = rulesFor(namespacedKinds);

/** What the operator may do in the whole cluster, where it looks after all of it. */
export const clusterRules: readonly Rule[] = [
  ...rulesFor(everyKind),
  {
    why: 'Labels of namespaces decide who may use a ClusterCloudAccount. Metadata alone.',
    apiGroups: [''],
    resources: ['namespaces'],
    verbs: ['list', 'watch'],
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
    why: 'Taking and renewing that one Lease; and another, in which it keeps what deleted accounts have used of their hours.',
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    resourceNames: [operatorName, HOURS_LEASE],
    verbs: ['get', 'update'],
  },
];

/** What it may do besides where its status page is reached from outside of the pod: ask who somebody is, and what they may see. */
export const statusPageRules: readonly Rule[] = [
  {
    why: 'Whose the token is that somebody sends to the status page. Nothing is stored by it.',
    apiGroups: ['authentication.k8s.io'],
    resources: ['tokenreviews'],
    verbs: ['create'],
  },
  {
    why: 'Which kinds that user may list, and in which namespaces: the page shows nothing else. Nothing is stored by it.',
    apiGroups: ['authorization.k8s.io'],
    resources: ['subjectaccessreviews'],
    verbs: ['create'],
  },
];

const asking: Rule = {
  why:
    'Commands of `edgeline` that ask the service say so in the status of the account first, so that the operator counts ' +
    'their requests. What they write there is signed with the token’s secret, which these people may read.',
  apiGroups: ['edgeline.dev'],
  resources: ['cloudaccounts/status'],
  verbs: ['patch'],
};

/** What people may do whom a cluster's own roles `view`, `edit` and `admin` are given to; these are added to those. */
export const userRules: Readonly<Record<'view' | 'edit' | 'admin', readonly Rule[]>> = {
  view: [
    {
      why: 'Whoever may look at a namespace may look at these; no secret value is in any of them.',
      apiGroups: ['edgeline.dev'],
      resources: everyKind,
      verbs: ['get', 'list', 'watch'],
    },
    {
      why: 'Whether an operator looks after the namespace: `edgeline status` says so first.',
      apiGroups: ['coordination.k8s.io'],
      resources: ['leases'],
      resourceNames: [HOLDER_LEASE],
      verbs: ['get', 'list'],
    },
    {
      why: 'What the operator told of: `edgeline explain` and `edgeline changes`. The role `view` has them by another name.',
      apiGroups: ['events.k8s.io'],
      resources: ['events'],
      verbs: ['get', 'list'],
    },
  ],
  edit: [
    changing('Whoever may change what runs in a namespace may change these. ClusterCloudAccounts are not among them.'),
    asking,
  ],
  admin: [changing('The same for the administrators of a namespace.'), asking],
};

function changing(why: string): Rule {
  return {
    why,
    apiGroups: ['edgeline.dev'],
    resources: namespacedKinds,
    verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'],
  };
}
