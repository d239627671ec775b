/** The managed kinds. A new one begins here: whatever else it needs does not compile until it is there. */
export const managedKindNames = ['Sim', 'MobileGateway', 'WebAccelSite', 'SiteCertificate'] as const;

export type ManagedKindName = (typeof managedKindNames)[number];

/** Where each stands among manifests: after what it needs. */
export const manifestRank: Readonly<Record<ManagedKindName, number>> = {
  MobileGateway: 0,
  Sim: 1,
  WebAccelSite: 2,
  SiteCertificate: 3,
};
