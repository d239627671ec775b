import type { Clock } from '../clock.ts';
import type { AccountBrakes } from '../kinds/cloud-account/brakes.ts';
import type { Losses } from '../kinds/cloud-account/losses.ts';
import type { Pauses } from '../kinds/cloud-account/pauses.ts';
import type { AccountRegistry } from '../kinds/cloud-account/registry.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import type { SharedReason } from '../kinds/common/reasons.ts';
import type { SettingsInEffect } from '../kinds/mobile-gateway/effect.ts';
import type { ClusterTime } from '../kubernetes/cluster-time.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Priority } from '../kubernetes/work-queue.ts';
import type { AccountResolver } from '../reconcile/account.ts';
import type { Engine } from '../reconcile/engine.ts';
import type { ManagedReconciler } from '../reconcile/managed.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { SecretReader } from '../reconcile/secrets.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Earlier } from './earlier.ts';
import type { GatewayClaims } from './gateway-claims.ts';
import type { Informers } from './informers.ts';
import type { Installation } from './installation.ts';
import type { ResourceMetrics } from './resource-metrics.ts';
import type { SimClaims } from './sim-claims.ts';

/** What every kind is connected with. */
export interface Wiring {
  readonly informers: Informers;
  /** Its accounts say why they can't be used by reasons that resources have. */
  readonly engine: Engine & { readonly accounts: AccountResolver<SharedReason> };
  readonly registry: AccountRegistry;
  readonly users: AccountUsers;
  /** Something needs an account (key) no longer: one that waits to be deleted is looked at again. */
  readonly onNeededLess: (account: ObjectKey) => void;
  readonly losses: Losses;
  readonly brakes: AccountBrakes;
  readonly pauses: Pauses;
  readonly secrets: SecretReader;
  readonly gateways: GatewayClaims;
  readonly settingsInEffect: SettingsInEffect;
  readonly sims: SimClaims;
  /** What is asked through it is asked while this process leads. */
  readonly metrics: Pick<Metrics, 'ask' | 'certificateUploaded'>;
  readonly resourceMetrics: ResourceMetrics;
  /** Whether the rates of SIMs are asked for. */
  readonly simRates: boolean;
  readonly clock: Clock;
  readonly random: () => number;
  /** Between two polls of the list of sites. Milliseconds. */
  readonly sitePollMilliseconds: number;
  /** So many times faster than usual details are read. */
  readonly detailPace: number;
  /** Puts a key into the queue; before the operator acts, it does nothing. */
  readonly enqueue: (key: ObjectKey, priority: Priority) => void;
  /** The same, after so many milliseconds; several before then are one. */
  readonly enqueueAfter: (key: ObjectKey, milliseconds: number) => void;
  /** The same reconciler, for what is not another installation's. */
  readonly own: Installation['own'];
  /** See {@link Installation.rivalOf}. */
  readonly rivalOf: Installation['rivalOf'];
  /** See {@link Earlier.actedUntil}. */
  readonly earlierActedUntil: Earlier['actedUntil'];
  /** The operator's own namespace. */
  readonly home: string;
  /** What time it is in the cluster. */
  readonly time: ClusterTime;
}

/** A managed kind, connected to its watches. */
export interface WiredKind {
  readonly reconciler: ManagedReconciler;
  readonly informer: Informer<ManagedObject>;
  /** Has details read, in turn, that no list shows; called once in each poll of SIMs. */
  readonly audit: () => void;
}
