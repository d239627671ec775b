/** The managed kinds. A new one begins here: whatever else it needs does not compile until it is there. */
export const managedKindNames = ['Sim', 'MobileGateway', 'WebAccelSite', 'SiteCertificate'] as const;

export type ManagedKindName = (typeof managedKindNames)[number];
