/** An operator for the whole cluster that elects no leader, listens nowhere and has no limits of its own. */
export const bareOperator = {
  healthListen: '0',
  metricsListen: '0',
  leaderElect: false,
  leaseNamespace: undefined,
  holdSeconds: 900,
  namespaces: undefined,
  secretNames: undefined,
  allowedHosts: undefined,
} as const;
