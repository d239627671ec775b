import { type Counts, editKey } from '../coverage.ts';

/** What resources ask for, by how people change it at the control panel. */
const members: Readonly<Record<string, readonly string[]>> = {
  sims: ['name', 'activated', 'ip', 'imeiLock', 'carriers', 'gatewayID'],
  gateways: [
    'name',
    'internetConnection',
    'interDeviceCommunication',
    'privateInterface',
    'staticRoutes',
    'dns',
    'simRoutes',
    'trafficMonitoring',
    'instanceStatus',
  ],
  sites: [
    'Name',
    'RequestProtocol',
    'OriginType',
    'OriginProtocol',
    'Origin',
    'HostHeader',
    'BucketName',
    'S3Endpoint',
    'S3Region',
    'DocIndex',
    'AccessKeyID',
    'SecretAccessKey',
    'DefaultCacheTTL',
    'VarySupport',
    'NormalizeAE',
    'CORSRules',
    'OnetimeURLSecrets',
    'accessControl',
    'certificate',
    'status',
  ],
};

/** The members that nobody changed in any life. */
export function unmetEdits(counts: Counts): string[] {
  return Object.entries(members).flatMap(([kind, names]) =>
    names.map((name) => `${kind}.${name}`).filter((member) => counts[editKey(member)] === undefined),
  );
}
