import { ACCESS_TOKEN, ACCESS_TOKEN_SECRET, secret } from '../../support/manifests.ts';
import type { World } from '../../support/world.ts';
import { account, type Chapter, ICCID, type Mistake, object, SERVICE, sim } from '../sim/mistake.ts';

const ACCOUNT = ['CloudAccount', 'default'] as const;
const TRUCK = ['Sim', 'truck-17'] as const;

const registry = () => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'registry' },
  type: 'kubernetes.io/dockerconfigjson',
  stringData: { '.dockerconfigjson': '{"auths": {}}' },
});
const existing = { seed: { sims: [{ id: '113300000017', iccid: ICCID, name: 'old truck' }] } };
/** A ClusterCloudAccount `shared` with this part in its spec. */
const shared = (part: string) => ({
  wrote: part,
  manifest: object('ClusterCloudAccount', 'shared', part, {
    baseURL: SERVICE,
    credentialsSecretRef: '{name: service-credentials}',
    secretNamespace: 'default',
  }),
});
const readySim = async (world: World) => {
  await world.apply(sim('').manifest);
  await world.ready(...TRUCK);
};

const refused: readonly Mistake[] = [
  {
    title: 'http instead of https',
    ...account('baseURL: http://api.example.jp'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.baseURL: Invalid value: "string": baseURL must begin with https://: the service is reached over TLS only',
    },
    remedy: 'Write https://.',
  },
  {
    title: 'Limits of a brake that is off',
    ...account('brakes:\n  deletions: {policy: Allow, maxPerHour: 50}'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.brakes.deletions: Invalid value: "object": policy Allow takes no limits: remove maxPerHour and maxPercent, or write policy: Hold',
    },
    remedy: 'Remove the limits, or `policy: Allow`.',
  },
  {
    title: 'A base URL without its scheme',
    ...account('baseURL: api.example.jp'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.baseURL: Invalid value: "string": baseURL must be https:// and a host, without path, query, user or spaces, for example https://api.example.jp',
    },
    remedy: 'Write https:// before the host.',
  },
  {
    title: 'A base URL with a path',
    ...account('baseURL: https://api.example.jp/cloud/zone/is1a'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.baseURL: Invalid value: "string": baseURL must be https:// and a host, without path, query, user or spaces, for example https://api.example.jp',
    },
    remedy: 'Write scheme and host alone; the operator knows the paths.',
  },
  {
    title: 'A base URL with a space at its end',
    ...account('baseURL: "https://api.example.jp "'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.baseURL: Invalid value: "string": baseURL must be https:// and a host, without path, query, user or spaces, for example https://api.example.jp',
    },
    remedy: 'Remove the space.',
  },
  {
    title: 'A base URL with a port that does not exist',
    ...account('baseURL: https://service.example.jp:99999'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.baseURL: Invalid value: "string": baseURL has a port that does not exist: write one from 1 to 65535, or none',
    },
    remedy: 'Correct the port, or leave it out for 443.',
  },
  {
    title: 'The access token in the manifest',
    ...account('accessToken: "0123"'),
    world: { account: false },
    sees: {
      kubectl:
        'Error from server (BadRequest): error when creating "STDIN": CloudAccount in version "v1alpha1" cannot be handled as a CloudAccount: strict decoding error: unknown field "spec.accessToken"',
    },
    remedy: 'Put it into the Secret that credentialsSecretRef names.',
  },
  {
    title: 'No credentials',
    wrote: 'baseURL: https://api.example.jp',
    manifest: object('CloudAccount', 'default', 'baseURL: https://api.example.jp', {}),
    world: { account: false },
    sees: {
      kubectl: `The CloudAccount "default" is invalid: 
* spec.credentialsSecretRef: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Name the Secret in credentialsSecretRef.',
  },
  {
    title: 'An authentication that does not exist',
    ...account('authentication: basic'),
    world: { account: false },
    sees: {
      kubectl: `The CloudAccount "default" is invalid: 
* spec.authentication: Unsupported value: "basic": supported values: "Basic", "Digest"
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Write Basic or Digest.',
  },
  {
    title: 'A dialect that does not exist',
    ...account('dialect: Standard'),
    world: { account: false },
    sees: {
      kubectl: `The CloudAccount "default" is invalid: 
* spec.dialect: Unsupported value: "Standard": supported values: "Documented", "Extended"
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Write one of the two, or leave it out for Documented.',
  },
  {
    title: 'A limit above the service’s own',
    ...account('limits: {webAccelRequestsPerHour: 1000}'),
    world: { account: false },
    sees: {
      kubectl:
        'The CloudAccount "default" is invalid: spec.limits.webAccelRequestsPerHour: Invalid value: 1000: spec.limits.webAccelRequestsPerHour in body should be less than or equal to 500',
    },
    remedy: 'Write 500 or less. Less leaves room for other clients of the same access token.',
  },
  {
    title: 'A ClusterCloudAccount without the namespace of its Secret',
    wrote: '# kind: ClusterCloudAccount\ncredentialsSecretRef: {name: service-credentials}',
    manifest: object('ClusterCloudAccount', 'shared', 'credentialsSecretRef: {name: service-credentials}', {
      baseURL: SERVICE,
    }),
    world: { account: false },
    sees: {
      kubectl: `The ClusterCloudAccount "shared" is invalid: 
* spec.secretNamespace: Required value
* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation`,
    },
    remedy: 'Name the namespace in secretNamespace.',
  },
  {
    title: 'A selector without values',
    ...shared('namespaceSelector: {matchExpressions: [{key: team, operator: In}]}'),
    world: { account: false },
    sees: {
      kubectl:
        'The ClusterCloudAccount "shared" is invalid: spec.namespaceSelector.matchExpressions[0].operator: Invalid value: "object": In and NotIn need values: name the values the label is compared with',
    },
    remedy: 'Name the values: In without values selects nothing, and NotIn without values everything.',
  },
  {
    title: 'A selector with values nobody looks at',
    ...shared('namespaceSelector: {matchExpressions: [{key: team, operator: Exists, values: [trucks]}]}'),
    world: { account: false },
    sees: {
      kubectl:
        'The ClusterCloudAccount "shared" is invalid: spec.namespaceSelector.matchExpressions[0].operator: Invalid value: "object": Exists and DoesNotExist take no values: remove them, or write In or NotIn',
    },
    remedy: 'Write In for these values alone, or leave them out.',
  },
  {
    title: 'A selector for a label that cannot be',
    ...shared('namespaceSelector: {matchLabels: {team: "trucks, vans"}}'),
    world: { account: false },
    sees: {
      kubectl:
        'The ClusterCloudAccount "shared" is invalid: spec.namespaceSelector.matchLabels: Invalid value: "object": matchLabels has a value that no label can have: letters, digits, "-", "_" and "." only, as in trucks-east',
    },
    remedy: 'Name several values in matchExpressions: {key: team, operator: In, values: [trucks, vans]}.',
  },
];

const credentials: readonly Mistake[] = [
  {
    title: 'A Secret with the credentials that does not exist',
    ...account('credentialsSecretRef: {name: credentials}'),
    sees: {
      on: ACCOUNT,
      reason: 'SecretNotFound',
      message:
        'There is no Secret credentials in namespace fleet. Create it with the keys accessToken and accessTokenSecret.',
    },
    remedy: 'Create it; the account continues on its own.',
    mend: (world) =>
      world.apply(secret('credentials', { accessToken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET })),
    mended: [ACCOUNT],
  },
  {
    title: 'A Secret in another namespace',
    ...account('credentialsSecretRef: {name: kube-credentials}'),
    wrote: '# the Secret is in the namespace default\ncredentialsSecretRef: {name: kube-credentials}',
    before: (world) =>
      world.apply({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'kube-credentials', namespace: 'default' },
        stringData: { accessToken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET },
      }),
    sees: {
      on: ACCOUNT,
      reason: 'SecretNotFound',
      message:
        'There is no Secret kube-credentials in namespace fleet. Create it with the keys accessToken and accessTokenSecret.',
    },
    remedy:
      'A CloudAccount reads Secrets of its own namespace. Put the Secret there, or use a ClusterCloudAccount with secretNamespace.',
  },
  {
    title: 'A wrong key in the Secret',
    wrote: '# Secret service-credentials\nstringData: {accesstoken: …, accessTokenSecret: …}',
    manifest: secret('service-credentials', { accesstoken: ACCESS_TOKEN, accessTokenSecret: ACCESS_TOKEN_SECRET }),
    world: { account: false },
    act: async (world) => {
      await world.makeAccount();
      await world.patch('Secret', 'service-credentials', { data: { accessToken: null } });
    },
    sees: {
      on: ACCOUNT,
      reason: 'SecretKeyMissing',
      message:
        "The Secret service-credentials has no key accessToken, or it is empty. It needs accessToken and accessTokenSecret, as the service's control panel shows them.",
    },
    remedy: 'Name the keys accessToken and accessTokenSecret, with these capitals.',
    mend: (world) => world.patch('Secret', 'service-credentials', { stringData: { accessToken: ACCESS_TOKEN } }),
    mended: [ACCOUNT],
  },
  {
    title: 'A wrong access token',
    wrote: '# Secret service-credentials\nstringData: {accessToken: …, accessTokenSecret: …}   # one of them wrong',
    world: existing,
    before: readySim,
    act: (world) =>
      world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'not-the-secret' } }),
    sees: {
      on: ACCOUNT,
      reason: 'CredentialsRejected',
      message:
        "GET /commonserviceitem: the service answered 401 unauthorized: the access token or its secret is wrong (serial 00000000000004d2). Check accessToken and accessTokenSecret in the account's Secret, and that authentication is the kind the service offers.",
    },
    remedy:
      'Correct the Secret: the account and everything in it go on at once. Until then one request is tried every five minutes, and what is Ready stays Ready.',
    mend: (world) =>
      world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: ACCESS_TOKEN_SECRET } }),
    mended: [ACCOUNT, TRUCK],
  },
  {
    title: 'A Sim in an account with a wrong access token',
    ...sim(''),
    wrote: '# the account default is not Ready',
    world: existing,
    before: async (world) => {
      await world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: 'not-the-secret' } });
      await world.condition(...ACCOUNT, { type: 'Ready', status: 'False', reason: 'CredentialsRejected' });
    },
    sees: {
      on: TRUCK,
      reason: 'CredentialsRejected',
      message:
        'The service refused the credentials of CloudAccount default. Correct its Secret; nothing is sent until then.',
    },
    remedy: 'Look at the account: `kubectl describe cloudaccount default`.',
    mend: (world) =>
      world.patch('Secret', 'service-credentials', { stringData: { accessTokenSecret: ACCESS_TOKEN_SECRET } }),
    mended: [ACCOUNT, TRUCK],
  },
  {
    title: 'An access token without permission',
    wrote: '# an access token that may not list SIMs',
    world: { ...existing, account: false },
    act: async (world) => {
      await world.simulator.fault({ code: 403 });
      await world.makeAccount();
    },
    sees: {
      on: ACCOUNT,
      reason: 'CredentialsRejected',
      message:
        'GET /commonserviceitem: the service answered 403 forbidden: a fault that was asked for (serial 00000000000004d2). Give the access token permission for this operation.',
    },
    remedy:
      'Give the token the permission in the control panel. It is tried again within five minutes, or at once: `kubectl annotate cloudaccount default --overwrite edgeline.dev/reconcile-at="$(date)"`.',
    mend: async (world) => {
      await world.simulator.clearFaults();
      await world.annotate(...ACCOUNT, { 'edgeline.dev/reconcile-at': 'now' });
    },
    mended: [ACCOUNT],
  },
  {
    title: 'A CA bundle that is too large',
    ...account('caBundleSecretRef: {name: everything, key: ca.crt}'),
    wrote: '# ca.crt in the Secret everything has 702,000 bytes\ncaBundleSecretRef: {name: everything, key: ca.crt}',
    async before(world) {
      await world.apply(secret('everything', {}));
      const large = '-----BEGIN CERTIFICATE-----'.repeat(26_000);
      await world.patch('Secret', 'everything', { stringData: { 'ca.crt': large } });
    },
    sees: {
      on: ACCOUNT,
      reason: 'CABundleInvalid',
      message:
        'The key "ca.crt" of Secret everything, which caBundleSecretRef names, is 686 KiB in size, and at most 512 KiB is read. Put certificates in PEM there, each between BEGIN CERTIFICATE and END CERTIFICATE.',
    },
    remedy: 'Put only the authority there that signed the service; the system’s own are known anyway.',
    mend: (world) => world.patch('Secret', 'everything', { stringData: { 'ca.crt': world.ca } }),
    mended: [ACCOUNT],
  },
  {
    title: 'Credentials of the cluster as credentials of the service',
    ...account('credentialsSecretRef: {name: registry}'),
    before: (world) => world.apply(registry()),
    sees: {
      on: ACCOUNT,
      reason: 'SecretRefused',
      message:
        'The Secret registry in namespace fleet is of the type kubernetes.io/dockerconfigjson, which is never sent to the service. Put what belongs there into a Secret of its own, of the type Opaque, and name that one.',
    },
    remedy: 'Name the Secret with the access token.',
    mend: (world) => world.patch(...ACCOUNT, { spec: { credentialsSecretRef: { name: 'service-credentials' } } }),
    mended: [ACCOUNT],
  },
  {
    title: 'Credentials of the cluster as a pass code',
    ...sim('passCodeSecretRef: {name: registry, key: .dockerconfigjson}'),
    before: (world) => world.apply(registry()),
    sees: {
      on: TRUCK,
      reason: 'SecretRefused',
      message:
        'The Secret registry in namespace fleet is of the type kubernetes.io/dockerconfigjson, which is never sent to the service. Put what belongs there into a Secret of its own, of the type Opaque, and name that one.',
    },
    remedy: 'Name the Secret with the pass code.',
    mend: (world) => world.patch(...TRUCK, { spec: { passCodeSecretRef: { name: 'pass-codes', key: 'code' } } }),
    mended: [TRUCK],
  },
  {
    title: 'A pass code in a file of two lines',
    ...sim('passCodeSecretRef: {name: note, key: code}'),
    wrote: '# code in the Secret note has two lines\npassCodeSecretRef: {name: note, key: code}',
    before: (world) => world.apply(secret('note', { code: 'truck 17\n0123\n' })),
    sees: {
      on: TRUCK,
      reason: 'SecretRefused',
      message:
        'The value under "code" in the Secret note in namespace fleet has line breaks or other control characters in it, or is not UTF-8. Put only the value itself under "code", for example with --from-literal; a file must be UTF-8.',
    },
    remedy: 'Put the pass code there alone. Whitespace around a token, a code or a URL does no harm.',
    mend: (world) => world.patch('Secret', 'note', { stringData: { code: '0123\n' } }),
    mended: [TRUCK],
  },
  {
    title: 'A pass code that is none',
    ...sim('passCodeSecretRef: {name: novel, key: text}'),
    wrote: '# text in the Secret novel has 20,000 bytes\npassCodeSecretRef: {name: novel, key: text}',
    before: (world) => world.apply(secret('novel', { text: 'x'.repeat(20_000) })),
    sees: {
      on: TRUCK,
      reason: 'SecretRefused',
      message:
        'The value under "text" in the Secret novel in namespace fleet is 20000 bytes long, and at most 16384 are read. Put only what belongs there under "text".',
    },
    remedy: 'Put the pass code there.',
    mend: (world) => world.apply(secret('novel', { text: '0123' })),
    mended: [TRUCK],
  },
];

/** What somebody does, and then sees, who deletes an account that is in use. */
const deletedInUse = {
  wrote: 'kubectl delete cloudaccount default',
  world: existing,
  before: readySim,
  act: (world: World) => world.delete(...ACCOUNT),
  sees: {
    on: ACCOUNT,
    reason: 'InUse',
    message: `The account can't be deleted while it is in use by 1 resource: Sim fleet/truck-17. Delete what uses it first; or, to keep the account, apply it again after this: kubectl patch -n fleet cloudaccount default --type merge -p '{"metadata":{"finalizers":null}}'`,
  },
};

const others: readonly Mistake[] = [
  {
    title: 'A namespace the account is not for',
    ...sim('accountRef: {kind: ClusterCloudAccount, name: fleet-shared}'),
    world: existing,
    before: (world) =>
      world.apply(
        object(
          'ClusterCloudAccount',
          'fleet-shared',
          'secretNamespace: fleet\nnamespaceSelector: {matchLabels: {team: trucks}}',
          {
            baseURL: SERVICE,
            credentialsSecretRef: '{name: service-credentials}',
            caBundleSecretRef: '{name: service-ca, key: ca.crt}',
          },
        ),
      ),
    sees: {
      on: TRUCK,
      reason: 'AccountNotAllowed',
      message:
        'The ClusterCloudAccount fleet-shared may not be used in namespace fleet: its namespaceSelector does not select it. Label the namespace, widen the selector, or use another account.',
    },
    remedy: 'Label the namespace; the Sim continues on its own.',
    mend: (world) => world.patch('Namespace', 'fleet', { metadata: { labels: { team: 'trucks' } } }),
    mended: [TRUCK],
  },
  {
    title: 'A ClusterCloudAccount whose Secret is elsewhere',
    wrote: '# kind: ClusterCloudAccount; the Secret is in the namespace fleet\nsecretNamespace: default',
    manifest: object('ClusterCloudAccount', 'fleet-elsewhere', 'secretNamespace: default', {
      baseURL: SERVICE,
      credentialsSecretRef: '{name: service-credentials}',
    }),
    sees: {
      on: ['ClusterCloudAccount', 'fleet-elsewhere'],
      reason: 'SecretNotFound',
      message:
        'There is no Secret service-credentials in namespace default. Create it with the keys accessToken and accessTokenSecret.',
    },
    remedy: 'Name the namespace of the Secret in secretNamespace.',
  },
  {
    title: 'An account deleted while Sims use it',
    ...deletedInUse,
    remedy: 'Delete the Sims first; the account follows. They work as long as they are there.',
    mend: async (world) => {
      await world.delete(...TRUCK);
      await world.gone(...ACCOUNT);
    },
  },
  {
    title: 'An account deleted by mistake',
    ...deletedInUse,
    remedy:
      'Kubernetes takes no deletion back. Take the finalizer off, as the message says, and apply the account again: what uses it goes on, and nothing of it is made or deleted.',
    mend: async (world) => {
      await world.patch(...ACCOUNT, { metadata: { finalizers: null } });
      await world.makeAccount();
    },
    mended: [ACCOUNT, TRUCK],
  },
  {
    title: 'A time that is none',
    wrote: 'kubectl annotate cloudaccount default edgeline.dev/accept-missing-until=tomorrow',
    act: (world) => world.annotate(...ACCOUNT, { 'edgeline.dev/accept-missing-until': 'tomorrow' }),
    sees: {
      on: ACCOUNT,
      status: 'True',
      reason: 'Verified',
      message:
        'The service at https://api.example.jp accepts the credentials. Warning: edgeline.dev/accept-missing-until is "tomorrow", which is not a time, and does nothing: write a time within the next day, in the form 2026-11-23T09:00:00Z.',
    },
    remedy:
      'Write a time of the next 24 hours; the message of the account proposes the whole command where it is needed.',
  },
  {
    title: 'A release that is no time',
    wrote: 'kubectl annotate cloudaccount default edgeline.dev/release-deletions=true',
    act: (world) => world.annotate(...ACCOUNT, { 'edgeline.dev/release-deletions': 'true' }),
    sees: {
      on: ACCOUNT,
      status: 'True',
      reason: 'Verified',
      message:
        'The service at https://api.example.jp accepts the credentials. Warning: edgeline.dev/release-deletions is "true", which is not a time, and does nothing: write a time until now, in the form 2026-11-23T09:00:00Z: what was asked for up to then is let go.',
    },
    remedy: 'Run the command in the message of what is held: it has the right time.',
  },
  {
    title: 'An account paused and forgotten',
    wrote: 'kubectl annotate cloudaccount default edgeline.dev/paused=true',
    world: existing,
    before: readySim,
    act: (world) => world.annotate(...ACCOUNT, { 'edgeline.dev/paused': 'true' }),
    sees: {
      on: ACCOUNT,
      reason: 'Paused',
      message:
        'edgeline.dev/paused is set: no request of this account is sent, and nothing that uses it is changed, until the annotation is removed.',
    },
    remedy: 'Remove the annotation: `kubectl annotate cloudaccount default edgeline.dev/paused-`.',
    mend: (world) => world.annotate(...ACCOUNT, { 'edgeline.dev/paused': null }),
    mended: [ACCOUNT, TRUCK],
  },
  {
    title: 'A namespace paused and forgotten',
    wrote: 'kubectl annotate namespace fleet edgeline.dev/paused=true',
    world: existing,
    before: readySim,
    act: (world) => world.patch('Namespace', 'fleet', { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } }),
    sees: {
      on: TRUCK,
      type: 'Synced',
      reason: 'Paused',
      message: 'edgeline.dev/paused is set on the Namespace fleet: nothing is changed until the annotation is removed.',
    },
    remedy: 'Remove the annotation: `kubectl annotate namespace fleet edgeline.dev/paused-`.',
    mend: (world) => world.patch('Namespace', 'fleet', { metadata: { annotations: { 'edgeline.dev/paused': null } } }),
    mended: [ACCOUNT, TRUCK],
  },
  {
    title: 'The Secret deleted while Sims use it',
    wrote: 'kubectl delete secret service-credentials',
    world: existing,
    before: readySim,
    act: (world) => world.delete('Secret', 'service-credentials'),
    sees: {
      on: ACCOUNT,
      reason: 'CredentialsGone',
      message:
        'There is no Secret service-credentials in namespace fleet. Create it with the keys accessToken and accessTokenSecret. Until then the credentials last seen are used for what still needs them (1 resource).',
    },
    remedy:
      'Create it again. Until the operator restarts, it goes on with the credentials it has seen, so that what is being deleted can be.',
    mend: (world) => world.makeAccount(),
    mended: [ACCOUNT, TRUCK],
  },
];

export const accountChapters: readonly Chapter[] = [
  {
    title: 'An account that kubectl refuses',
    about: 'Correct the manifest and apply it again; nothing was stored.',
    mistakes: refused,
  },
  {
    title: 'Credentials',
    about: '`kubectl describe cloudaccount` shows the condition and its message.',
    mistakes: credentials,
  },
  {
    title: 'Accounts and those who use them',
    about: 'A CloudAccount is for its namespace; a ClusterCloudAccount for those its namespaceSelector selects.',
    mistakes: others,
  },
];
