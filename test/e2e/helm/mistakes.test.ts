import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartDirectory, createHelm, type Helm } from '../../support/helm.ts';

let helm: Helm;

beforeAll(async () => {
  helm = await createHelm();
}, 900_000);

afterAll(() => helm.dispose());

/** The lines that say what is wrong. */
async function complaints(values: object): Promise<string[]> {
  const args = ['template', 'edgeline', chartDirectory, '--namespace', 'edgeline-system'];
  const { stderr, code } = await helm.run(args, values);
  expect(code).toBe(1);
  return stderr.split('\n').filter((line) => line !== '' && !/^(Error: |edgeline:$|Use --debug)/.test(line));
}

const account = { create: true, baseURL: 'https://api.example.jp', credentialsSecretRef: { name: 'credentials' } };

/** Each mistake with all that Helm says of it. */
const mistakes: readonly (readonly [string, object, readonly string[]])[] = [
  ['a name that does not exist', { replicas: 2 }, ["- at '': additional properties 'replicas' not allowed"]],
  ['a word for a number', { replicaCount: 'two' }, ["- at '/replicaCount': got string, want integer"]],
  ['a poll without a pause', { simPollSeconds: 0 }, ["- at '/simPollSeconds': minimum: got 0, want 1"]],
  [
    'a log level that does not exist',
    { logLevel: 'loud' },
    ["- at '/logLevel': value must be one of 'trace', 'debug', 'info', 'warn', 'error'"],
  ],
  [
    'yes or no for the roles of users',
    { rbac: { aggregate: true } },
    ["- at '/rbac/aggregate': value must be one of 'auto', 'always', 'never'"],
  ],
  ['one namespace, not in a list', { namespaces: 'fleet' }, ["- at '/namespaces': got string, want array"]],
  [
    'an empty name of a namespace',
    { namespaces: ['fleet', ''] },
    [
      'namespaces: "" is no name of a namespace. Write one name an entry, as in [fleet, depot]; for the whole cluster write [].',
    ],
  ],
  [
    'two namespaces in one entry',
    { namespaces: ['fleet,depot'] },
    [
      'namespaces: "fleet,depot" is no name of a namespace. Write one name an entry, as in [fleet, depot]; for the whole cluster write [].',
    ],
  ],
  [
    'a namespace twice',
    { namespaces: ['fleet', 'fleet'] },
    ['namespaces: one of them is there twice. Write each once.'],
  ],
  [
    'an address for a host',
    { allowedHosts: ['https://api.example.jp'] },
    [
      'allowedHosts: "https://api.example.jp" is no host. Write the host alone, without https:// and path, as in [api.example.jp]; for any host write [].',
    ],
  ],
  [
    'an account for the cluster where only namespaces are looked after',
    { namespaces: ['fleet'], clusterCloudAccount: account },
    [
      'clusterCloudAccount: an operator for single namespaces (namespaces) reads no ClusterCloudAccounts. Make a CloudAccount in each of the namespaces instead, or leave namespaces empty.',
    ],
  ],
  [
    'an account of which nothing is said',
    { clusterCloudAccount: { create: true } },
    [
      'clusterCloudAccount.credentialsSecretRef.name is empty. Name the Secret in namespace edgeline-system with the keys accessToken and accessTokenSecret.',
      'clusterCloudAccount.baseURL: "" is no address of the service. Write https:// and the host, as in https://api.example.jp.',
    ],
  ],
  [
    'an account that is described but not made',
    { clusterCloudAccount: { ...account, create: false } },
    ['clusterCloudAccount: it is described, but create is false. Set clusterCloudAccount.create to true.'],
  ],
  [
    'the credentials in the values',
    { clusterCloudAccount: { ...account, accessToken: 'a secret' } },
    ["- at '/clusterCloudAccount': additional properties 'accessToken' not allowed"],
  ],
  [
    'an account at a host that is not allowed',
    { allowedHosts: ['other.example.jp'], clusterCloudAccount: account },
    ['clusterCloudAccount.baseURL: its host api.example.jp is not among allowedHosts. Add it there.'],
  ],
  [
    'an account whose Secrets may not be read',
    {
      secrets: { names: ['another'] },
      clusterCloudAccount: { ...account, caBundleSecretRef: { name: 'authorities', key: 'ca.pem' } },
    },
    [
      `secrets.names: it lacks ${account.credentialsSecretRef.name}, which clusterCloudAccount names. Add it there.`,
      'secrets.names: it lacks authorities, which clusterCloudAccount names. Add it there.',
    ],
  ],
  [
    'authorities without a key',
    { clusterCloudAccount: { ...account, caBundleSecretRef: { name: 'authorities', key: '' } } },
    ['clusterCloudAccount.caBundleSecretRef.key is empty. Name the key with the certificates in Secret authorities.'],
  ],
  [
    'nobody to run as',
    { serviceAccount: { create: false, name: '' } },
    ['serviceAccount.name is empty. Write the name of a ServiceAccount, also where create is false.'],
  ],
  [
    'a version for a digest',
    { image: { digest: '0.1.0' } },
    ['image.digest: "0.1.0" is no digest. Write sha256: and 64 hexadecimal digits; a version belongs into image.tag.'],
  ],
  ['one port for two things', { healthPort: 8080 }, ['healthPort and metrics.port are both 8080. Choose two ports.']],
  [
    'one port for the page and the metrics',
    { statusPage: { enabled: true, port: 8080 } },
    ['statusPage.port is 8080, as another port is. Choose three ports.'],
  ],
  [
    'a Service for a page that nobody reaches',
    { statusPage: { enabled: true, service: { enabled: true } } },
    [
      'statusPage.service leads to nothing: the page is not served, or only inside of the pod. Set statusPage.enabled to true and statusPage.address to "".',
    ],
  ],
  [
    'a page for many users in an operator without ClusterRole',
    { namespaces: ['fleet'], statusPage: { enabled: true, address: '' } },
    [
      'statusPage.address: a page that is reached from outside of the pod needs a ClusterRole, and with namespaces there is none. Leave it at 127.0.0.1, or set rbac.create to false and give the roles of docs/reference/permissions.md.',
    ],
  ],
  [
    'rates of SIMs without series of them',
    { metrics: { simRates: true } },
    [
      'metrics.simRates: rates are series of each resource, and there are none. Set metrics.resources to names, or simRates to false.',
    ],
  ],
  [
    'a ServiceMonitor without a Service',
    { metrics: { serviceMonitor: { enabled: true } } },
    [
      'metrics.serviceMonitor finds nothing without the Service. Set metrics.service.enabled to true, or use metrics.podMonitor.',
    ],
  ],
  [
    'two monitors',
    { metrics: { service: { enabled: true }, serviceMonitor: { enabled: true }, podMonitor: { enabled: true } } },
    ['metrics: with both serviceMonitor and podMonitor everything is counted twice. Choose one.'],
  ],
  [
    'a budget that stops every drain',
    { replicaCount: 2, podDisruptionBudget: { maxUnavailable: 0 } },
    ['podDisruptionBudget.maxUnavailable: with 0 no node with a pod of the operator can be drained. Write 1 or more.'],
  ],
  [
    'arguments that are values',
    { extraArgs: ['--namespaces=fleet', '--leader-elect'] },
    [
      'extraArgs: --namespaces is not for here. Use the value namespaces.',
      'extraArgs: --leader-elect is not for here. The chart decides it.',
    ],
  ],
];

describe('a mistake in the values', () => {
  it.each(mistakes)('%s is told in words', async (_, values, expected) => {
    expect(await complaints(values)).toEqual(expected);
  });
});
