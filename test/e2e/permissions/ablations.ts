import { clusterRules, ownNamespaceRules, type Rule } from '../../../src/rbac.ts';

/** What can be seen of an operator that has been given the tasks of the test; see `outcome.ts`. */
export interface Outcome {
  /** /readyz answers 200. */
  readonly ready: boolean;
  readonly leads: boolean;
  /** Reasons of `Ready`, or what there is instead of one. */
  readonly account: string;
  /** A Sim with an account of its namespace, in which all is in place. */
  readonly truck: string;
  /** A Sim whose pass code comes later. */
  readonly late: string;
  /** A Sim in a namespace made later, which a ClusterCloudAccount selects. */
  readonly branch: string;
  /** Events about `truck`, with how often each is said to have happened. */
  readonly events: readonly string[];
  /** What the log says is missing, as `verb resource`. */
  readonly missing: readonly string[];
}

/** An operator that may do all it asks for. */
export const withAllRules: Outcome = {
  ready: true,
  leads: true,
  account: 'Verified',
  truck: 'Available',
  late: 'Available',
  branch: 'Available',
  events: ['Created 1', 'Ready 1'],
  missing: [],
};

/** One permission taken away, and what stops working: a row of docs/reference/permissions.md. */
export interface Ablation {
  readonly rules: readonly Rule[];
  readonly rule: Rule;
  readonly verb: string;
  /** What a person sees. */
  readonly without: string;
  readonly outcome: Outcome;
}

const untouched = { account: 'none', truck: 'none', late: 'none', branch: 'none', events: [] };
const blind: Outcome = { ...withAllRules, ...untouched, ready: false, leads: false };
/** An operator that may not list all Secrets, and was not told which it may. */
export const blindToSecrets: Outcome = { ...blind, missing: ['list secrets'] };
const follower: Outcome = { ...withAllRules, ...untouched, leads: false };

const kinds = ['clustercloudaccounts', 'cloudaccounts', 'mobilegateways', 'sims', 'sitecertificates', 'webaccelsites'];
const each = (verb: string, resources: readonly string[]) => resources.map((resource) => `${verb} ${resource}`).sort();

const cannotStart = 'It never becomes ready and works on nothing; its log says which kind it cannot list.';

/** By the rule's first resource, for the Leases of namespaces with what they are for, then by verb. */
const seen: Readonly<Record<string, Readonly<Record<string, { without: string; outcome: Outcome }>>>> = {
  cloudaccounts: {
    get: {
      without:
        'After a restart nothing of web acceleration goes: what accounts have on record of the hour cannot be read. After a conflict with another writer a step is repeated later.',
      outcome: { ...withAllRules, missing: ['get cloudaccounts', 'get clustercloudaccounts'] },
    },
    list: { without: cannotStart, outcome: { ...blind, missing: each('list', kinds) } },
    watch: {
      without:
        'New and changed resources are seen by listing, at most 30 seconds later: nothing is lost, but everything is late.',
      outcome: { ...withAllRules, missing: each('watch', kinds) },
    },
    patch: {
      without: 'It cannot set its finalizer, so it opens no account and sends nothing to the service.',
      outcome: {
        ...withAllRules,
        ...untouched,
        truck: 'AccountNotReady',
        late: 'AccountNotReady',
        branch: 'AccountNotReady',
        events: ['AccountNotReady 1'],
        missing: ['patch cloudaccounts', 'patch clustercloudaccounts'],
      },
    },
  },
  'cloudaccounts/status': {
    patch: {
      without:
        'Every status stays empty, and nothing is made: which account of the service it is made in must be recorded in the status of the account.',
      outcome: {
        ...withAllRules,
        ...untouched,
        events: [],
        missing: ['patch cloudaccounts/status', 'patch clustercloudaccounts/status', 'patch sims/status'],
      },
    },
  },
  secrets: {
    get: {
      without: 'Accounts and whatever names a Secret wait with the reason SecretForbidden.',
      outcome: {
        ...withAllRules,
        account: 'SecretForbidden',
        truck: 'AccountNotReady',
        late: 'AccountNotReady',
        branch: 'AccountNotReady',
        events: ['AccountNotReady 1'],
        missing: ['get secrets'],
      },
    },
    list: { without: cannotStart, outcome: blindToSecrets },
    watch: {
      without: 'A new or changed Secret is noticed by listing, every 30 seconds; so is a renewed certificate.',
      outcome: { ...withAllRules, missing: ['watch secrets'] },
    },
  },
  namespaces: {
    list: { without: cannotStart, outcome: { ...blind, missing: ['list namespaces'] } },
    watch: {
      without:
        'A namespace that is created or labelled may use a ClusterCloudAccount that selects by label only 30 seconds later.',
      outcome: { ...withAllRules, missing: ['watch namespaces'] },
    },
  },
  events: {
    create: {
      without: '`kubectl describe` shows no events; everything else works.',
      outcome: { ...withAllRules, events: [], missing: ['create events'] },
    },
    patch: {
      without: 'An event that happens again is not counted; everything else works.',
      outcome: { ...withAllRules, events: ['Created 1', 'Ready 1'], missing: ['patch events'] },
    },
  },
  'leases of namespaces': {
    create: {
      without: 'It can hold no namespace that has no Lease yet, and does nothing there.',
      outcome: { ...withAllRules, ...untouched, missing: ['create leases'] },
    },
    list: { without: cannotStart, outcome: { ...blind, missing: ['list leases'] } },
    watch: {
      without: 'It sees which namespaces another installation has, or has no more, by listing, every 30 seconds.',
      outcome: { ...withAllRules, missing: ['watch leases'] },
    },
    update: {
      without:
        'It can renew no Lease, and take none that exists, as after a restart: it does nothing in such a namespace.',
      outcome: { ...withAllRules, ...untouched, missing: ['update leases'] },
    },
  },
  leases: {
    create: {
      without: 'The first start in a namespace finds no Lease and makes none: it stands by forever.',
      outcome: { ...follower, missing: ['create leases'] },
    },
    get: {
      without: 'It cannot see who leads, and stands by forever.',
      outcome: { ...follower, missing: ['get leases'] },
    },
    update: {
      without: 'It can take no Lease that exists, as after a restart, and renew none: it stands by forever.',
      outcome: { ...follower, missing: ['update leases'] },
    },
  },
};

/** Each verb of each rule. Throws when one has no row. */
export const ablations: readonly Ablation[] = [clusterRules, ownNamespaceRules].flatMap((rules) =>
  rules.flatMap((rule) =>
    rule.verbs.map((verb) => {
      const [resource = ''] = rule.resources;
      const row = seen[rules === clusterRules && resource === 'leases' ? 'leases of namespaces' : resource]?.[verb];
      if (!row) throw new Error(`src/rbac.ts allows ${verb} ${rule.resources[0]}: say here what stops without it`);
      return { rules, rule, verb, ...row };
    }),
  ),
);
