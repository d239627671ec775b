import type { AccountSettings } from '../../kinds/cloud-account/settings.ts';
import type { ManagedObjects } from '../../kinds/index.ts';
import type { ManagedKindName } from '../../reconcile/kind-names.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';

/** A manifest of one kind. */
export interface ManifestOf<K extends ManagedKindName> {
  readonly kind: K;
  readonly name: string;
  readonly spec: ManagedObjects[K]['spec'];
  /** Where it comes from, for the reader of the manifest: addresses, and what else names it. */
  readonly from: readonly string[];
}

export type Manifest = { readonly [K in ManagedKindName]: ManifestOf<K> }[ManagedKindName];

/** A Secret that manifests refer to. */
export interface SecretManifest {
  readonly name: string;
  readonly type: 'Opaque' | 'kubernetes.io/tls';
  readonly values: Readonly<Record<string, SecretValue>>;
}

/** Something that is not carried over. No text holds a value of the state. */
export interface Finding {
  readonly address: string;
  /** Undefined: the whole resource. */
  readonly attribute?: string;
  readonly why: string;
  /** What a person can do. */
  readonly advice: string;
}

/** What was made of one resource, or of several that make one. */
export interface Converted {
  readonly manifest?: Manifest;
  readonly secrets: readonly SecretManifest[];
  readonly findings: readonly Finding[];
}

/** What a state turns into. */
export interface Conversion {
  readonly manifests: readonly Manifest[];
  readonly secrets: readonly SecretManifest[];
  readonly findings: readonly Finding[];
  /** Addresses that Terraform need not know any more. */
  readonly released: readonly string[];
  readonly counts: Counts;
}

/** What is in a state and no business of Edgeline's, each by its type or provider. */
export interface Counts {
  readonly instances: number;
  readonly data: number;
  readonly otherTypes: Readonly<Record<string, number>>;
  readonly otherProviders: Readonly<Record<string, number>>;
  /** Configurations of the provider that resources were made with: '' for the one without alias. */
  readonly aliases: readonly string[];
}

/** What the caller decides. */
export interface ConvertOptions {
  /** The account that manifests refer to, by the alias of the provider; `undefined` where there is none. */
  readonly accountOf: (alias: string | undefined) => AccountRef | undefined;
  readonly observe: boolean;
  /** Of the account: what it does not show can't be taken over without a write. */
  readonly dialect: AccountSettings['dialect'];
  /** Carry over also what the service does not show; the operator then sends it once. */
  readonly sendUnseen: boolean;
}

export interface AccountRef {
  readonly kind: 'CloudAccount' | 'ClusterCloudAccount';
  readonly name: string;
}
