/** Sets of values that between them reach every branch of the templates, by what they are about. */
export const examples: Readonly<Record<string, (namespaces: { readonly watched: string }) => object>> = {
  'the defaults': () => ({}),

  'everything there is': () => ({
    image: {
      tag: '9.9.9',
      digest: `sha256:${'0'.repeat(64)}`,
      pullPolicy: 'Always',
      pullSecrets: [{ name: 'registry' }],
    },
    replicaCount: 3,
    allowedHosts: ['api.example.jp', 'api.example.jp:8443'],
    simPollSeconds: 86_400,
    sitePollSeconds: 600,
    workers: 1_000,
    logLevel: 'debug',
    logFormat: 'pretty',
    crds: { keep: false },
    clusterCloudAccount: {
      create: true,
      name: 'whole-company',
      baseURL: 'https://api.example.jp',
      credentialsSecretRef: { name: 'credentials' },
      secretNamespace: 'accounts',
      namespaceSelector: {
        matchLabels: { team: 'fleet' },
        matchExpressions: [{ key: 'stage', operator: 'In', values: ['test', 'production'] }],
      },
      caBundleSecretRef: { name: 'authorities' },
      authentication: 'Digest',
      dialect: 'Extended',
      limits: { webAccelRequestsPerHour: 400, cloudRequestsPerSecond: 3 },
    },
    serviceAccount: { name: 'of-my-own', annotations: { 'example.com/who': 'me' } },
    metrics: {
      service: { enabled: true, annotations: { 'prometheus.io/scrape': 'true' } },
      serviceMonitor: { enabled: true, interval: '30s', labels: { release: 'prometheus' } },
      prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    },
    networkPolicy: {
      enabled: true,
      apiServerCIDRs: ['10.0.0.1/32', 'fd00::1/128'],
      apiServerPorts: [6443],
      serviceCIDRs: ['192.0.2.0/24'],
      servicePorts: [443, 8443],
      metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    },
    podDisruptionBudget: { maxUnavailable: '50%' },
    commonLabels: { team: 'platform', 'app.kubernetes.io/name': 'is-not-overwritten' },
    podLabels: { mesh: 'off' },
    podAnnotations: { 'example.com/note': 'a note' },
    priorityClassName: 'system-cluster-critical',
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
      {
        maxSkew: 2,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: { of: 'somebody-else' } },
      },
    ],
    extraArgs: ['--lease-namespace=elsewhere'],
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.crt' }],
    extraVolumes: [{ name: 'ca', configMap: { name: 'authorities' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
  }),

  'single namespaces': ({ watched }) => ({
    namespaces: [watched],
    replicaCount: 2,
    metrics: { podMonitor: { enabled: true, labels: { release: 'prometheus' } } },
    networkPolicy: { enabled: true },
  }),

  'single namespaces with the roles for users': ({ watched }) => ({
    namespaces: [watched],
    rbac: { aggregate: 'always' },
  }),

  'as little as possible': () => ({
    crds: { enabled: false },
    rbac: { create: false },
    serviceAccount: { create: false, name: 'default', automount: false },
    replicaCount: 0,
    podDisruptionBudget: { enabled: false },
    resources: {},
  }),
};
