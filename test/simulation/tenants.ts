import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

/** Two tenants, one of whom is after what the other has, and the account of the cluster, which both use. */

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const kinds: Readonly<Record<string, string>> = {
  cloudaccounts: 'CloudAccount',
  sims: 'Sim',
  mobilegateways: 'MobileGateway',
  webaccelsites: 'WebAccelSite',
  sitecertificates: 'SiteCertificate',
};

export const SHARED_ACCOUNT = `${GROUP}/clustercloudaccounts/default`;
export const PASS_CODE = { passCodeSecretRef: { name: 'pass-codes', key: 'code' } };
export const SITE = { id: '113300900001', name: 'a', domain: 'a.example.jp', status: 'enabled' } as const;

/** `edge` is where the account's Secret is; it may be a second namespace of the same tenant. */
export type Tenant = 'victim' | 'evil' | 'edge';

/** What a test does with both. */
export interface Tenants {
  readonly fleet: VirtualFleet;
  create(tenant: Tenant, plural: string, name: string, spec: object, annotations?: object): void;
  annotate(tenant: Tenant, plural: string, name: string, annotations: object): void;
  /** What a status has on record now. */
  recordOf(tenant: Tenant, plural: string, name: string): object;
  putStatus(tenant: Tenant, plural: string, name: string, status: object): void;
  remove(tenant: Tenant, plural: string, name: string): void;
  /** Makes the victim's so many Sims of SIMs that the account has already. */
  createOld(): void;
  letPass(seconds: number): Promise<void>;
}

/** `sims`: so many are at the service before. `broken` is as in {@link createVirtualFleet}. */
export function createTenants(
  options: {
    readonly sims?: number;
    readonly edge?: object;
    readonly evil?: object;
    readonly broken?: Parameters<typeof createVirtualFleet>[0]['broken'];
  } = {},
): Tenants {
  const { sims: count = 0, edge = {}, evil = {}, broken } = options;
  const sims = Array.from({ length: count }, (_, index) => ({
    id: String(113_300_500_000 + index),
    iccid: iccidOf(index),
    name: `old-${index}`,
    activated: true,
  }));
  const fleet = createVirtualFleet({
    seeds: { edge: { sims, ...edge }, victim: {}, evil },
    shared: 'edge',
    ...(broken && { broken }),
  });
  const { world } = fleet;
  const pathOf = (tenant: Tenant, plural: string, name: string) => `${GROUP}/namespaces/${tenant}/${plural}/${name}`;
  function create(tenant: Tenant, plural: string, name: string, spec: object, annotations: object = {}): void {
    fleet.create(`${GROUP}/namespaces/${tenant}/${plural}`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: kinds[plural],
      metadata: { name, annotations },
      spec,
    });
  }
  return {
    fleet,
    create,
    annotate: (tenant, plural, name, annotations) =>
      fleet.patch(pathOf(tenant, plural, name), { metadata: { annotations } }),
    recordOf(tenant, plural, name) {
      const { conditions: _, ...record } = fleet.read(pathOf(tenant, plural, name)).status;
      return record;
    },
    putStatus: (tenant, plural, name, status) => fleet.patch(`${pathOf(tenant, plural, name)}/status`, { status }),
    remove(tenant, plural, name) {
      world.apiserver.handle({ method: 'DELETE', path: pathOf(tenant, plural, name), user: 'user' });
    },
    createOld() {
      for (let index = 0; index < count; index++) create('victim', 'sims', `old-${index}`, { iccid: iccidOf(index) });
    },
    letPass: (seconds) => world.run(world.now() + seconds * SECOND),
  };
}

/** Nothing of the namespace is the operator's any more, and what is written there stays as it is. */
export function takeLease({ fleet }: Tenants, tenant: Tenant): void {
  fleet.patch(`/apis/coordination.k8s.io/v1/namespaces/${tenant}/leases/edgeline-holder`, {
    spec: { holderIdentity: tenant, leaseDurationSeconds: 2_000_000_000 },
  });
}
