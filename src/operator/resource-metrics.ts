/** Whether the metrics have series of each resource: none, by namespace and name, or by ICCID, too. */
export const resourceMetrics = ['none', 'names', 'iccid'] as const;
export type ResourceMetrics = (typeof resourceMetrics)[number];
