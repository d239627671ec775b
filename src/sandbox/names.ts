/** Who the operator is in the cluster, as deploy/base has it. */
export const operator = { name: 'edgeline-operator', namespace: 'edgeline-system' } as const;

/** Where the sandbox puts its account and the examples. */
export const demoNamespace = 'edgeline-demo';

/** On all that the sandbox itself puts into a cluster: what has it may be removed at the end, nothing else. */
export const madeBySandbox = { 'app.kubernetes.io/managed-by': 'edgeline-sandbox' } as const;

/** Seconds between two looks of the operator at the list of SIMs: short, so that drift is seen to be put right. */
export const SIM_POLL_SECONDS = 5;

/** The same for the list of sites: 120 of the 500 requests an hour. */
export const SITE_POLL_SECONDS = 30;
