/** The managed kinds. A new one begins here; CONTRIBUTING.md says what else it needs, and what tells that it was forgotten. */
export const managedKindNames = ['Sim', 'MobileGateway', 'WebAccelSite', 'SiteCertificate'] as const;

export type ManagedKindName = (typeof managedKindNames)[number];

/** Where each stands among manifests: after what it needs. */
export const manifestRank: Readonly<Record<ManagedKindName, number>> = {
  MobileGateway: 0,
  Sim: 1,
  WebAccelSite: 2,
  SiteCertificate: 3,
};
