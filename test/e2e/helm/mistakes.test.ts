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

type Mistake = readonly [string, object, readonly string[]];

/** Each mistake with all that Helm says of it. */
const mistakes: readonly Mistake[] = [
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
      'allowedHosts: "https://api.example.jp" is no host. Write the host alone, without https:// and path, as in [api.example.jp], or with a port up to 65535; for any host write [].',
    ],
  ],
  ...['api.example.jp:99999', 'api.example.jp:0', 'api.example.jp:', 'a.jp,b.jp', ''].map(
    (host): Mistake => [
      `${JSON.stringify(host)} for a host`,
      { allowedHosts: [host] },
      [
        `allowedHosts: ${JSON.stringify(host)} is no host. Write the host alone, without https:// and path, as in [api.example.jp], or with a port up to 65535; for any host write [].`,
      ],
    ],
  ),
  ['more workers than there may be', { workers: 1001 }, ["- at '/workers': maximum: got 1,001, want 1,000"]],
  ...['10.0.0.1', '10.0.0.0/33', '10.0.0.256/32', 'kubernetes.default', 'fd00::1', 'fd00::1/129', 'fd00:1/64'].map(
    (range): Mistake => [
      `${range} for a range of addresses`,
      { networkPolicy: { enabled: true, apiServerCIDRs: [range], serviceCIDRs: ['192.0.2.0/24'] } },
      [
        `networkPolicy.apiServerCIDRs: "${range}" is no range of addresses. Write an address and a mask, as in 10.0.0.1/32; a name can't stand there.`,
      ],
    ],
  ),
  [
    'a repository with a tag',
    { image: { repository: 'registry.example.jp:5000/edgeline:0.1.0' } },
    [
      'image.repository: "registry.example.jp:5000/edgeline:0.1.0" has a version in it. Write registry.example.jp:5000/edgeline, and the version into image.tag.',
    ],
  ],
  [
    'a repository with a digest',
    { image: { repository: `ghcr.io/edgeline/edgeline@sha256:${'0'.repeat(64)}` } },
    [
      `image.repository: "ghcr.io/edgeline/edgeline@sha256:${'0'.repeat(64)}" has a version in it. Write ghcr.io/edgeline/edgeline, and the version into image.digest.`,
    ],
  ],
  [
    'addresses for a repository and a registry',
    { image: { repository: 'https://ghcr.io/edgeline' }, global: { imageRegistry: 'https://registry.example.jp' } },
    [
      'image.repository: "https://ghcr.io/edgeline" is no repository of images. Write it in lowercase and without https://, as in registry.example.jp/edgeline/edgeline.',
      'global.imageRegistry: "https://registry.example.jp" is no registry. Write its host, without https://, as in registry.example.jp.',
    ],
  ],
  [
    'a digest for a tag',
    { image: { tag: '0.1.0@sha256:0' } },
    [
      'image.tag: "0.1.0@sha256:0" is no tag. Write the version alone, as in 0.1.0; a digest belongs into image.digest.',
    ],
  ],
  [
    'a name with capitals',
    { fullnameOverride: 'Fleet' },
    [
      'fullnameOverride: "Fleet" can be no part of a name. Write lowercase letters, digits and hyphens, as in fleet-operator.',
    ],
  ],
  [
    'two Secrets in one entry',
    { secrets: { names: ['a,b'] } },
    [
      'secrets.names: "a,b" is no name of a Secret. Write one name an entry, without a namespace, as in [service-credentials].',
    ],
  ],
  [
    'addresses with a port, and without brackets',
    { metrics: { address: '127.0.0.1:8080' }, statusPage: { address: '::1' } },
    [
      'metrics.address: "127.0.0.1:8080" is no address to listen at. Write it without a port, as in 127.0.0.1, [::1] or "" for all; the port is metrics.port.',
      'statusPage.address: "::1" is no address to listen at. Write it without a port, as in 127.0.0.1, [::1] or "" for all; the port is statusPage.port.',
    ],
  ],
  [
    'a time without a unit',
    { metrics: { podMonitor: { enabled: true, interval: '60' } } },
    ['metrics.podMonitor.interval: "60" is no time. Write a number and its unit, as in 30s or 1m.'],
  ],
  [
    'names that cannot be',
    {
      serviceAccount: { create: false, name: 'Of_Mine' },
      clusterCloudAccount: { ...account, name: 'Default', secretNamespace: 'a.b', baseURL: 'https://api:99999' },
    },
    [
      'serviceAccount.name: "Of_Mine" is no name of a ServiceAccount. Write lowercase letters, digits, hyphens and dots, as in edgeline-operator.',
      'clusterCloudAccount.name: "Default" is no name in Kubernetes. Write lowercase letters, digits and hyphens.',
      'clusterCloudAccount.secretNamespace: "a.b" is no name in Kubernetes. Write lowercase letters, digits and hyphens.',
      'clusterCloudAccount.baseURL: "https://api:99999" is no address of the service. Write https:// and the host, as in https://api.example.jp.',
    ],
  ],
  [
    'a strategy that does not exist, with a member that does not',
    { strategy: { type: 'Rolling', maxSurge: 1 } },
    [
      'strategy.maxSurge is not known. Write type and rollingUpdate, as in a Deployment.',
      'strategy.type: "Rolling" is no strategy. Write RollingUpdate or Recreate.',
    ],
  ],
  [
    'a pause and no pause',
    { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
    ['strategy.rollingUpdate has no meaning with the type Recreate. Remove it, or write type: RollingUpdate.'],
  ],
  [
    'a strategy by which nothing is replaced',
    { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } },
    [
      'strategy.rollingUpdate: with maxSurge and maxUnavailable both 0 no pod can be replaced. Write 1 for one of them.',
    ],
  ],
  ...[2, 3, '51%', '100%'].map(
    (minAvailable): Mistake => [
      `a budget of ${minAvailable} that stops every drain`,
      { replicaCount: 2, podDisruptionBudget: { minAvailable } },
      [
        `podDisruptionBudget.minAvailable: with ${minAvailable} of 2 pods no node with a pod of the operator can be drained. Write 1 or less, or use maxUnavailable.`,
      ],
    ],
  ),
  ...['all', -1, '200%', 1.5].map(
    (minAvailable): Mistake => [
      `${minAvailable} for a number of pods`,
      { replicaCount: 2, podDisruptionBudget: { minAvailable } },
      minAvailable === 1.5
        ? ["- at '/podDisruptionBudget/minAvailable': got number, want integer or string"]
        : [
            `podDisruptionBudget.minAvailable: "${minAvailable}" is no number of pods. Write a number, as in 1, or a part, as in 50%.`,
          ],
    ],
  ),
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

describe('what is no mistake', () => {
  it.each<[string, object]>([
    [
      'ranges of IPv6',
      { networkPolicy: { enabled: true, apiServerCIDRs: ['::/0', 'fd00::/8', '2001:db8:0:0:0:0:0:1/128'] } },
    ],
    [
      'a repository beside a registry with a port',
      { image: { repository: 'localhost:5000/Edgeline'.toLowerCase(), tag: 'v1_2.3-rc' } },
    ],
    [
      'a name of an image alone',
      { image: { repository: 'edgeline' }, global: { imageRegistry: 'registry.example.jp:5000/copies/' } },
    ],
    [
      'hosts with ports, and the one that goes without saying',
      { allowedHosts: ['API.example.jp:443', '[fd00::1]:8443', 'localhost'], clusterCloudAccount: account },
    ],
    ['a part of many pods', { replicaCount: 4, podDisruptionBudget: { minAvailable: '75%' } }],
    ['a strategy in part', { strategy: { rollingUpdate: { maxSurge: 0 } } }],
    [
      'times of several units',
      { metrics: { podMonitor: { enabled: true, interval: '1m30s', scrapeTimeout: '500ms' } } },
    ],
  ])('%s', async (_, values) => {
    expect((await helm.template('edgeline-system', values)).length).toBeGreaterThan(5);
  });
});
